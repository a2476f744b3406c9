#include "session/learning_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "hinge/model/rule_numbers.h"
#include "modelfile/finish_diagnostics.h"
#include "perception/model_networks.h"
#include "session/model_evaluation.h"
#include "session/weight_units.h"

namespace sorites {
namespace {

constexpr const char* kDataHint =
    "give data for it: \"targets\": {\"learn\": [\"learn_targets.tsv\"], \"infer\": [...]}, and "
    "the "
    "same for \"truth\"";

constexpr const char* kNetworkHint =
    "give truth of targets or of a deep predicate; with `--loss energy` networks learn from the "
    "rules alone";

// What the truth of the open predicates is truth of.
struct LabelCounts {
  std::size_t targets = 0, truth = 0, labelled = 0;
};

// Truth rows of one predicate that are no atoms at all go to `outside`.
void count_labels(const Relation& relation,
                  LabelCounts& counts,
                  std::vector<std::uint32_t>& outside) {
  const Table& truth = relation.table(Partition::kTruth);
  counts.targets += relation.table(Partition::kTarget).num_rows;
  counts.truth += truth.num_rows;
  std::vector<Code> arguments(relation.arity());
  for (std::uint32_t row = 0; row < truth.num_rows; ++row) {
    for (std::size_t k = 0; k < arguments.size(); ++k) arguments[k] = truth.columns[k][row];
    const auto found = relation.find(arguments);
    if (!found) outside.push_back(row);
    if (found && found->partition == Partition::kTarget) ++counts.labelled;
  }
}

void warn_of_outside(const Database& database,
                     PredicateId predicate,
                     const std::vector<std::uint32_t>& outside,
                     Diagnostics& sink) {
  if (outside.empty()) return;
  const std::string& name = database.predicates()[predicate].name;
  const RowId first{Partition::kTruth, outside.front()};
  sink.warning(DiagnosticCode::kTruthWithoutTarget,
               database.origin(predicate, first),
               fmt::format("truth without a target: {} of `{}`, the first is {}('{}')",
                           outside.size(),
                           name,
                           name,
                           fmt::join(database.arguments(predicate, first), "', '")))
      .notes.push_back({"nothing is learned from it; add the atoms to `targets`", {}});
}

// Whether learning has rows that inference has not.
bool has_own_data(const ModelFile& file) {
  for (const PredicateDeclaration& predicate : file.predicates) {
    for (const DataSource& source : predicate.data) {
      if (source.section == Section::kLearn || source.section == Section::kInfer) return true;
    }
    for (const auto& [name, value] : predicate.options) {
      if (name.starts_with("learning::") || name.starts_with("inference::")) return true;
    }
  }
  return false;
}

// Networks learn from truth of their own atoms, and by the energy from the rules alone.
bool networks_can_learn(const LabelCounts& outputs, const LossMix& loss) {
  return outputs.labelled > 0 || (outputs.targets > 0 && loss.energy > 0.0);
}

void check_labels(const ModelFile& file,
                  const LabelCounts& counts,
                  bool networks_can,
                  Diagnostics& sink) {
  const Span whole{file.path};
  const char* hint = has_networks(file) ? kNetworkHint : kDataHint;
  if (counts.targets == 0 && !networks_can) {
    sink.error(DiagnosticCode::kNoLearnData, whole, "there are no targets to learn from")
        .notes.push_back({hint, {}});
  } else if (counts.truth == 0 && !networks_can) {
    sink.error(DiagnosticCode::kNoLabels,
               whole,
               fmt::format("no truth is given for the {} target{} to learn from",
                           counts.targets,
                           counts.targets == 1 ? "" : "s"))
        .notes.push_back({hint, {}});
  } else if (counts.labelled == 0 && !networks_can) {
    sink.error(DiagnosticCode::kNoLabels,
               whole,
               fmt::format("all {} targets to learn from are latent: none of the {} rows of truth "
                           "is of a target",
                           counts.targets,
                           counts.truth))
        .notes.push_back(
            {"truth is given for atoms that are targets in the learning phase; compare the two",
             {}});
  } else if (!has_own_data(file)) {
    sink.warning(DiagnosticCode::kNoLearnData,
                 whole,
                 "what is learned from is what is inferred: metrics will look better than they are")
        .notes.push_back({kDataHint, {}});
  }
}

// Whether there is truth that the primary evaluation can look at.
bool has_primary_metric(const LoadedModel& data) {
  for (PredicateId p = 0; p < data.evaluations.size(); ++p) {
    const bool has_truth = data.database.relation(p).table(Partition::kTruth).num_rows > 0;
    for (const Evaluation& evaluation : data.evaluations[p]) {
      if (evaluation.primary && has_truth) return true;
    }
  }
  return false;
}

void check_metric(const ModelFile& file, const LoadedModel& training, Diagnostics& sink) {
  if (has_primary_metric(training)) return;
  sink.error(DiagnosticCode::kNoLearnData,
             Span{file.path},
             "the loss is a metric, but no evaluation looks at truth to learn from")
      .notes.push_back(
          {"give a predicate with truth `\"evaluations\": [\"DiscreteEvaluator\"]`, or take "
           "another loss (`learn.loss`)",
           {}});
}

}  // namespace

void require_labels(const ModelFile& file) {
  if (!file.is_text_of_markov_logic()) return;
  Diagnostics sink;
  sink.error(DiagnosticCode::kNoLabels,
             Span{file.path},
             "there are no labels to learn from: queries are what will be asked")
      .notes.push_back({"learn with `--semantics markov-logic`, from the facts; or write a model "
                        "file with data for learning",
                        {}});
  throw InputError(sink.take_sorted());
}

std::vector<Diagnostic> check_learning_data(const ModelFile& file,
                                            const LoadedModel& training,
                                            const LossMix& loss) {
  Diagnostics sink;
  const auto& rules = training.program.rules;
  if (!has_networks(file) &&
      std::none_of(rules.begin(), rules.end(), [](const Rule& rule) { return !!rule.weight; })) {
    sink.error(DiagnosticCode::kNothingToLearn,
               Span{file.path},
               "no rule has a weight: hard rules have nothing to learn")
        .notes.push_back({"give the rules that may be violated a weight: `1: A(X) -> B(X)`", {}});
  }
  LabelCounts counts, outputs;
  for (PredicateId p = 0; p < training.program.predicates.size(); ++p) {
    const Predicate& predicate = training.program.predicates[p];
    const Relation& relation = training.database.relation(p);
    if (!predicate.open) continue;
    std::vector<std::uint32_t> outside;
    count_labels(relation, predicate.neural ? outputs : counts, outside);
    warn_of_outside(training.database, p, outside, sink);
  }
  check_labels(file, counts, networks_can_learn(outputs, loss), sink);
  if (loss.metric != 0.0) check_metric(file, training, sink);
  const bool wrong = sink.has_errors();
  std::vector<Diagnostic> diagnostics = finish_diagnostics(file, sink);
  if (wrong) throw InputError(std::move(diagnostics));
  return diagnostics;
}

Program validation_program(const ModelFile& file,
                           const LoadedModel& training,
                           const LoadedModel& validation,
                           std::vector<Diagnostic>& warnings) {
  if (const auto& rules = file.section(Section::kValidation).rules; !rules.empty()) {
    const std::size_t own = std::min(rules.size(), validation.program.rules.size());
    Diagnostics sink;
    sink.warning(DiagnosticCode::kValidationRules,
                 validation.program.rules[validation.program.rules.size() - own].source,
                 "rules of `validation` alone are left out: validation looks at what is learned")
        .notes.push_back({"put the rule among the `rules` of the model, or those of `learn`", {}});
    const auto found = finish_diagnostics(file, sink);
    warnings.insert(warnings.end(), found.begin(), found.end());
  }
  Program program = validation.program;
  program.rules = training.program.rules;
  return program;
}

std::vector<bool> learnable_weights(const ModelFile& file,
                                    const Reasoner& reasoner,
                                    std::vector<Diagnostic>& warnings) {
  const ModelSize size = reasoner.size();
  const std::vector<GroundRule>& rules = reasoner.rules();
  Diagnostics sink;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    if (rules[r].hard || size.rule_terms[r] > 0.0) continue;
    sink.warning(DiagnosticCode::kUnlearnableRule,
                 rules[r].source,
                 "this rule has no ground rules to learn from: it keeps its weight");
  }
  std::vector<bool> learnable;
  for (const WeightSlot& slot : reasoner.weight_slots()) {
    learnable.push_back(!rules[slot.rule].hard && size.rule_terms[slot.rule] > 0.0);
  }
  const bool some = std::find(learnable.begin(), learnable.end(), true) != learnable.end() ||
                    !reasoner.outputs().empty();
  if (!some) {
    sink.error(DiagnosticCode::kNothingToLearn,
               Span{file.path},
               "no weighted rule has ground rules in the data to learn from")
        .notes.push_back({fmt::format("`sorites ground{}` shows what becomes of each rule",
                                      file.is_text_of_markov_logic() ? "" : " --phase learn"),
                          {}});
  }
  std::vector<Diagnostic> found = finish_diagnostics(file, sink);
  if (!some) throw InputError(std::move(found));
  warnings.insert(warnings.end(), found.begin(), found.end());
  return learnable;
}

std::vector<RuleId> fixed_rules(const ModelFile& file,
                                const Program& program,
                                const LearnSettings& settings) {
  const std::vector<GroundRule> rules = ground_rules_of(program);
  std::vector<RuleId> found;
  Diagnostics sink;
  std::string_view named = settings.fixed_rules;
  while (!named.empty()) {
    const std::size_t end = std::min(named.find(','), named.size());
    std::string_view name = named.substr(0, end);
    named.remove_prefix(std::min(end + 1, named.size()));
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    for (const std::uint32_t rule :
         find_rules(rules, name, {"learn.fixed_rules", settings.fixed_rules_at})) {
      found.push_back(rules[rule].id);
      if (!rules[rule].hard) continue;
      sink.error(DiagnosticCode::kBadOptionValue,
                 rules[rule].source,
                 fmt::format("`learn.fixed_rules` names `{}`, which is hard: it has no weight to "
                             "keep",
                             name));
    }
  }
  if (sink.has_errors()) throw InputError(finish_diagnostics(file, sink));
  return found;
}

void fix_rules(const ModelFile& file,
               const Program& program,
               const Reasoner& reasoner,
               const LearnSettings& settings,
               std::vector<bool>& learnable) {
  const std::vector<RuleId> fixed = fixed_rules(file, program, settings);
  const std::vector<WeightSlot> slots = reasoner.weight_slots();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const RuleId rule = reasoner.rules()[slots[i].rule].id;
    const bool is_fixed = std::find(fixed.begin(), fixed.end(), rule) != fixed.end();
    learnable[i] = learnable[i] && !is_fixed;
  }
  const bool none = std::find(learnable.begin(), learnable.end(), true) == learnable.end();
  if (!none || !reasoner.outputs().empty()) return;
  Diagnostics sink;
  sink.error(DiagnosticCode::kNothingToLearn,
             settings.fixed_rules_at.file.empty() ? Span{file.path} : settings.fixed_rules_at,
             "no weight is left to learn: `learn.fixed_rules` names all of them");
  throw InputError(finish_diagnostics(file, sink));
}

void require_weights_in_domain(const ModelFile& file,
                               const Reasoner& reasoner,
                               const LearnSettings& settings,
                               const std::vector<bool>& learnable) {
  const bool searches = is_search(settings.learn.algorithm);
  if (settings.learn.domain == WeightDomain::kReal && !searches) return;
  const std::string who =
      searches
          ? fmt::format("`learn.algorithm` is {}, which looks among weights that are not negative",
                        name_of(settings.learn.algorithm))
          : fmt::format("`learn.domain` is {}, where no weight is negative",
                        name_of(settings.learn.domain));
  const std::vector<double> start = WeightUnits(reasoner, learnable, settings).start();
  const std::vector<double> written = reasoner.weights();
  const std::vector<WeightSlot> slots = reasoner.weight_slots();
  Diagnostics sink;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (!learnable[i] || !(start[i] < 0.0)) continue;
    sink.error(DiagnosticCode::kBadOptionValue,
               reasoner.rules()[slots[i].rule].source,
               fmt::format("{}, but this rule has the weight {}", who, written[i]))
        .notes.push_back({searches ? "take the algorithm `gradient`, or negate the formula"
                                   : "take the domain `real`, or negate the formula",
                          {}});
  }
  if (sink.has_errors()) throw InputError(finish_diagnostics(file, sink));
}

void keep_learned(LearnedRules rules, const Reasoner& reasoner, std::vector<bool>& learnable) {
  if (rules == LearnedRules::kAll) return;
  const std::vector<WeightSlot> slots = reasoner.weight_slots();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const bool is_kept = rules == LearnedRules::kPlus && !slots[i].constants.empty();
    learnable[i] = learnable[i] && is_kept;
  }
}

std::vector<bool> weights_to_learn(const ModelFile& file,
                                   const Program& program,
                                   const Reasoner& reasoner,
                                   const LearnSettings& settings,
                                   std::vector<Diagnostic>& warnings) {
  std::vector<bool> learnable = learnable_weights(file, reasoner, warnings);
  fix_rules(file, program, reasoner, settings, learnable);
  keep_learned(settings.weights ? settings.rules : LearnedRules::kNone, reasoner, learnable);
  require_weights_in_domain(file, reasoner, settings, learnable);
  return learnable;
}

void warn_of_broken_rules(const ModelFile& file,
                          const LearningSet& set,
                          std::vector<Diagnostic>& warnings) {
  const std::vector<std::size_t> broken = set.reasoner().broken_by(set.labels);
  const ModelSize size = set.reasoner().size();
  Diagnostics sink;
  for (std::size_t r = 0; r < broken.size(); ++r) {
    if (broken[r] == 0) continue;
    sink.warning(DiagnosticCode::kBrokenByTruth,
                 set.reasoner().rules()[r].source,
                 fmt::format("the truth to learn from breaks {} of the {:.0f} ground rule{} of "
                             "this hard rule",
                             broken[r],
                             size.rule_terms[r],
                             size.rule_terms[r] == 1.0 ? "" : "s"))
        .notes.push_back({"no weights let inference find such truth, and losses that fix the truth "
                          "look past these ground rules; correct the truth, or give the rule a "
                          "weight",
                          {}});
  }
  const std::vector<Diagnostic> found = finish_diagnostics(file, sink);
  warnings.insert(warnings.end(), found.begin(), found.end());
}

std::vector<double> labels_of(const Reasoner& reasoner, const Database& database) {
  std::vector<double> labels;
  for (const AtomRange& range : reasoner.targets()) {
    labels.resize(range.first + range.count, kLatent);
    const Relation& relation = database.relation(range.predicate);
    const Table& targets = relation.table(Partition::kTarget);
    const Table& truth = relation.table(Partition::kTruth);
    std::vector<Code> arguments(relation.arity());
    for (std::uint32_t i = 0; i < range.count && truth.num_rows > 0; ++i) {
      for (std::size_t k = 0; k < arguments.size(); ++k) arguments[k] = targets.columns[k][i];
      const auto row = relation.find_truth(arguments);
      if (row) labels[range.first + i] = truth.value(*row);
    }
  }
  return labels;
}

LearningSet learning_set(std::unique_ptr<LoadedPhase> data) {
  LearningSet set{std::move(data), {}};
  set.labels = labels_of(set.reasoner(), set.loaded().database);
  return set;
}

bool is_inferred(const Reasoner& reasoner, PredicateId predicate) {
  return std::any_of(reasoner.targets().begin(),
                     reasoner.targets().end(),
                     [&](const AtomRange& range) { return range.predicate == predicate; });
}

TargetValues target_values(const Reasoner& reasoner,
                           std::span<const double> state,
                           std::span<const double> outputs) {
  TargetValues all{{reasoner.targets().begin(), reasoner.targets().end()},
                   {state.begin(), state.end()}};
  for (AtomRange range : reasoner.outputs()) {
    if (is_inferred(reasoner, range.predicate)) continue;
    range.first += static_cast<std::uint32_t>(state.size());
    all.ranges.push_back(range);
  }
  all.values.insert(all.values.end(), outputs.begin(), outputs.end());
  return all;
}

std::optional<PrimaryMetric> primary_metric(std::span<const EvaluationResult> results) {
  for (const EvaluationResult& result : results) {
    if (result.primary)
      return PrimaryMetric{result.predicate, result.metrics[result.representative]};
  }
  return std::nullopt;
}

std::optional<Metric> primary_metric_of(const LearningSet& set) {
  std::size_t num_outputs = 0;
  for (const AtomRange& range : set.reasoner().outputs()) num_outputs += range.count;
  const std::vector<double> atoms(set.labels.size(), 0.0), outputs(num_outputs, 0.0);
  const TargetValues zeros = target_values(set.reasoner(), atoms, outputs);
  const auto found = primary_metric(evaluate_model(set.loaded(), zeros.ranges, zeros.values));
  return found ? std::optional(found->metric) : std::nullopt;
}

LearningMetric learning_metric(LearningSet& set) {
  for (auto& evaluations : set.loaded().evaluations) {
    std::erase_if(evaluations, [](const Evaluation& evaluation) { return !evaluation.primary; });
  }
  if (!has_primary_metric(set.loaded())) return {};
  return [&set](std::span<const double> state, std::span<const double> outputs) {
    const TargetValues all = target_values(set.reasoner(), state, outputs);
    const auto found = primary_metric(evaluate_model(set.loaded(), all.ranges, all.values));
    if (!found) return 0.0;
    return found->metric.higher_is_better ? found->metric.value : -found->metric.value;
  };
}

}  // namespace sorites
