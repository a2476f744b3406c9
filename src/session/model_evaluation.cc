// The evaluations that a model file lists, with the options that hold for each.
#include "session/model_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/diagnostics.h"
#include "eval/evaluation_settings.h"
#include "eval/evaluators.h"
#include "eval/labels.h"
#include "modelfile/model_file.h"
#include "modelfile/options.h"
#include "sorites/evaluate.h"

namespace sorites {
namespace {

// The options of one evaluation: those of the model, and its own over them.
EvaluationSettings read_settings(const LoadedModel& model,
                                 const Evaluation& evaluation,
                                 Diagnostics& sink) {
  Settings settings = model.options;
  settings.begin_layer();
  for (const OptionSetting& option : evaluation.options) settings.set(to_setting(option));
  EvaluationSettings result;
  read_options(kEvaluationOptions, settings, result, sink);
  return result;
}

void check_categories(const Evaluation& evaluation,
                      std::string_view option,
                      std::span<const int> categories,
                      const Predicate& predicate,
                      Diagnostics& sink) {
  const auto arity = static_cast<int>(predicate.arity());
  for (const int index : categories) {
    if (index >= -arity && index < arity) continue;
    sink.error(DiagnosticCode::kBadOptionValue,
               evaluation.declared_at,
               fmt::format("`{}` names argument `{}`, but `{}` has arguments 0 to {}, or -1 to -{} "
                           "from the end",
                           option,
                           index,
                           predicate.name,
                           arity - 1,
                           arity));
  }
}

Evaluator evaluator_of(const Evaluation& evaluation) {
  const auto evaluator = find_evaluator(evaluation.evaluator);
  if (!evaluator) throw std::invalid_argument("no evaluator " + evaluation.evaluator);
  return *evaluator;
}

// Its settings; what does not fit the predicate is an error.
EvaluationSettings checked_settings(const LoadedModel& model,
                                    PredicateId predicate,
                                    const Evaluation& evaluation,
                                    Diagnostics& sink) {
  const Evaluator evaluator = evaluator_of(evaluation);
  EvaluationSettings settings = read_settings(model, evaluation, sink);
  if (const std::string_view option = category_option(evaluator); !option.empty()) {
    check_categories(evaluation,
                     option,
                     options_for(evaluator, settings).category_indexes,
                     model.database.predicates()[predicate],
                     sink);
  }
  if (evaluator == Evaluator::kSpan) {
    std::string why = why_no_spans(model.database, predicate);
    if (!why.empty()) {
      sink.error(DiagnosticCode::kUnfitEvaluator, evaluation.declared_at, std::move(why));
    }
  }
  return settings;
}

// What the truth of a predicate is truth of.
struct TruthCounts {
  std::size_t of_targets = 0, of_observed = 0, of_neither = 0;
  std::uint32_t first_of_neither = 0;  // row of the truth table
};

TruthCounts count_truth(const Relation& relation) {
  TruthCounts counts;
  const Table& truth = relation.table(Partition::kTruth);
  std::vector<Code> arguments(relation.arity());
  for (std::uint32_t row = 0; row < truth.num_rows; ++row) {
    for (std::size_t k = 0; k < arguments.size(); ++k) arguments[k] = truth.columns[k][row];
    const auto found = relation.find(arguments);
    if (!found) {
      if (counts.of_neither++ == 0) counts.first_of_neither = row;
    } else {
      ++(found->partition == Partition::kTarget ? counts.of_targets : counts.of_observed);
    }
  }
  return counts;
}

std::size_t num_atoms(Evaluator evaluator,
                      const EvaluationOptions& options,
                      const Database& database,
                      PredicateId predicate) {
  const Relation& relation = database.relation(predicate);
  const std::size_t num_targets = relation.table(Partition::kTarget).num_rows;
  if (evaluator == Evaluator::kCategorical) {
    return num_targets +
           (options.include_observed ? relation.table(Partition::kObserved).num_rows : 0);
  }
  const std::vector<double> any_values(num_targets);
  return labelled_atoms(relation, database.predicates()[predicate].has_classes, any_values, options)
      .size();
}

void warn_of_truth(const Database& database,
                   PredicateId predicate,
                   const TruthCounts& truth,
                   const Span& evaluation,
                   Diagnostics& sink) {
  const std::string& name = database.predicates()[predicate].name;
  if (truth.of_neither > 0) {
    const RowId first{Partition::kTruth, truth.first_of_neither};
    sink.warning(DiagnosticCode::kTruthWithoutTarget,
                 database.origin(predicate, first),
                 fmt::format("truth without a target: {} of `{}`, the first is {}('{}')",
                             truth.of_neither,
                             name,
                             name,
                             fmt::join(database.arguments(predicate, first), "', '")))
        .notes.push_back({"it is left out, but CategoricalEvaluator counts it as missed, and "
                          "SpanEvaluator takes it "
                          "for the true tag of its token",
                          {}});
  }
  if (truth.of_targets + truth.of_observed == 0) {
    sink.warning(DiagnosticCode::kNoTruth,
                 evaluation,
                 fmt::format("no target of `{}` has truth: its metrics mean nothing", name))
        .notes.push_back({"give `truth` for its targets in the data of this phase", {}});
  }
}

const AtomRange* find_range(std::span<const AtomRange> ranges, PredicateId predicate) {
  const auto found = std::find_if(ranges.begin(), ranges.end(), [&](const AtomRange& range) {
    return range.predicate == predicate;
  });
  return found == ranges.end() ? nullptr : &*found;
}

// One evaluation before it runs.
struct Plan {
  EvaluationResult result;
  EvaluationOptions options;
  std::string representative;
};

// All evaluations with their options, so that all mistakes in options come at once.
std::vector<Plan> plan_evaluations(const LoadedModel& model,
                                   std::span<const AtomRange> ranges,
                                   Diagnostics& sink) {
  std::vector<Plan> plans;
  for (PredicateId p = 0; p < model.evaluations.size(); ++p) {
    const Relation& relation = model.database.relation(p);
    const bool has_targets = relation.table(Partition::kTarget).num_rows > 0;
    if (model.evaluations[p].empty() || (has_targets && find_range(ranges, p) == nullptr)) continue;
    const TruthCounts truth = count_truth(relation);
    warn_of_truth(model.database, p, truth, model.evaluations[p][0].declared_at, sink);
    for (const Evaluation& evaluation : model.evaluations[p]) {
      const Evaluator evaluator = evaluator_of(evaluation);
      const EvaluationSettings settings = checked_settings(model, p, evaluation, sink);
      Plan& plan = plans.emplace_back();
      plan.options = options_for(evaluator, settings);
      plan.representative = representative_metric(evaluator, settings);
      plan.result = {p,
                     evaluator,
                     evaluation.primary,
                     num_atoms(evaluator, plan.options, model.database, p),
                     {},
                     0};
    }
  }
  return plans;
}

}  // namespace

void check_evaluations(const LoadedModel& model) {
  Diagnostics sink;
  for (PredicateId p = 0; p < model.evaluations.size(); ++p) {
    for (const Evaluation& evaluation : model.evaluations[p]) {
      checked_settings(model, p, evaluation, sink);
    }
  }
  if (sink.has_errors()) throw InputError(sink.take_sorted());
}

std::vector<EvaluationResult> evaluate_model(const LoadedModel& model,
                                             std::span<const AtomRange> ranges,
                                             std::span<const double> truth,
                                             std::vector<Diagnostic>* warnings) {
  Diagnostics sink;
  std::vector<Plan> plans = plan_evaluations(model, ranges, sink);
  const bool wrong = sink.has_errors();
  std::vector<Diagnostic> diagnostics = sink.take_sorted();
  if (wrong) throw InputError(std::move(diagnostics));
  if (warnings != nullptr) {
    std::move(diagnostics.begin(), diagnostics.end(), std::back_inserter(*warnings));
  }
  std::vector<EvaluationResult> results;
  for (Plan& plan : plans) {
    EvaluationResult& result = results.emplace_back(std::move(plan.result));
    const AtomRange* range = find_range(ranges, result.predicate);
    if (range != nullptr && std::size_t{range->first} + range->count > truth.size()) {
      throw std::invalid_argument("truth is too short for the ranges of atoms");
    }
    const auto values =
        range == nullptr ? std::span<const double>() : truth.subspan(range->first, range->count);
    result.metrics =
        evaluate(model.database, result.predicate, values, result.evaluator, plan.options);
    const auto named =
        std::find_if(result.metrics.begin(), result.metrics.end(), [&](const Metric& metric) {
          return metric.name == plan.representative;
        });
    if (named == result.metrics.end()) {
      throw std::invalid_argument("no metric " + plan.representative);
    }
    result.representative = static_cast<std::size_t>(named - result.metrics.begin());
  }
  return results;
}

}  // namespace sorites
