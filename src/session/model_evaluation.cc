// The evaluations that a model file lists, with the options that hold for each.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/constant.h"
#include "base/diagnostics.h"
#include "modelfile/options.h"
#include "sorites/evaluate.h"
#include "sorites/model_file.h"

namespace sorites {
namespace {

using Options = std::map<std::string, std::string>;

// How the options of an evaluator are called; empty for those that it does not have.
struct OptionNames {
  std::string threshold, category_indexes, representative;
};

OptionNames option_names(Evaluator evaluator) {
  switch (evaluator) {
    case Evaluator::kContinuous:
      return {"", "", "continuousevaluator.representative"};
    case Evaluator::kDiscrete:
      return {"discreteevaluator.threshold", "", "discreteevaluator.representative"};
    case Evaluator::kCategorical:
      return {"", "categoricalevaluator.categoryindexes", "categoricalevaluator.representative"};
    case Evaluator::kAuc:
      return {"aucevaluator.threshold", "", "aucevaluator.representative"};
    case Evaluator::kRanking:
      return {"ranking_evaluator.threshold",
              "ranking_evaluator.category_indexes",
              "ranking_evaluator.representative"};
  }
  return {};  // not reached: the switch is complete
}

// The metric that `evaluator.representative` names. The names are PSL's.
std::string representative_metric(Evaluator evaluator, std::string_view name) {
  std::string metric(name.substr(name.rfind('.') + 1));
  std::transform(metric.begin(), metric.end(), metric.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (metric.starts_with("positive_")) metric.erase(0, std::string_view("positive_").size());
  if (evaluator == Evaluator::kCategorical) metric = "categorical_" + metric;
  return metric;
}

class OptionReader {
 public:
  OptionReader(const LoadedModel& model, const Evaluation& evaluation, Diagnostics& sink)
      : options_(model.options), evaluation_(evaluation), sink_(sink) {
    for (const auto& [name, value] : evaluation.options) options_[name] = value;
  }

  EvaluationOptions read(Evaluator evaluator, const Predicate& predicate) {
    const OptionNames names = option_names(evaluator);
    EvaluationOptions result;
    result.include_observed = is_true(options_, "eval.includeobs");
    result.close_truth = is_true(options_, "eval.closetruth");
    result.psl_compatible = is_true(options_, "eval.psl_compatible");
    if (!names.threshold.empty()) result.threshold = threshold(names.threshold);
    if (!names.category_indexes.empty()) {
      result.category_indexes = category_indexes(names.category_indexes, predicate);
    }
    return result;
  }

  std::string representative(Evaluator evaluator) {
    return representative_metric(evaluator, options_[option_names(evaluator).representative]);
  }

 private:
  double threshold(const std::string& name) {
    const std::string& text = options_[name];
    const auto number = parse_real(text);
    if (number && *number >= 0.0 && *number <= 1.0) return *number;
    wrong(fmt::format("`{}` takes a number from 0 to 1, not `{}`", name, text));
    return 0.5;
  }

  std::vector<int> category_indexes(const std::string& name, const Predicate& predicate) {
    std::vector<int> indexes;
    const auto arity = static_cast<std::int64_t>(predicate.arity());
    std::string_view rest = options_[name];
    while (true) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      const auto index = parse_integer(rest.substr(0, end));
      if (!index || *index < -arity || *index >= arity) {
        wrong(
            fmt::format("`{}` names argument `{}`, but `{}` has arguments 0 to {}, or -1 to -{} "
                        "from the end",
                        name,
                        rest.substr(0, end),
                        predicate.name,
                        arity - 1,
                        arity));
        return {-1};
      }
      indexes.push_back(static_cast<int>(*index));
      if (end == rest.size()) return indexes;
      rest.remove_prefix(end + 1);
    }
  }

  void wrong(std::string message) {
    sink_.error(DiagnosticCode::kBadOptionValue, evaluation_.declared_at, std::move(message));
  }

  Options options_;
  const Evaluation& evaluation_;
  Diagnostics& sink_;
};

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
                      const Relation& relation,
                      const TruthCounts& truth) {
  const bool all = evaluator == Evaluator::kCategorical;
  const std::size_t num_targets = relation.table(Partition::kTarget).num_rows;
  const std::size_t num_observed = relation.table(Partition::kObserved).num_rows;
  return (all || options.close_truth ? num_targets : truth.of_targets) +
         (options.include_observed ? (all ? num_observed : truth.of_observed) : 0);
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
        .notes.push_back({"it is left out, but CategoricalEvaluator counts it as missed", {}});
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
      const auto evaluator = find_evaluator(evaluation.evaluator);
      if (!evaluator) throw std::invalid_argument("no evaluator " + evaluation.evaluator);
      OptionReader reader(model, evaluation, sink);
      Plan& plan = plans.emplace_back();
      plan.options = reader.read(*evaluator, model.database.predicates()[p]);
      plan.representative = reader.representative(*evaluator);
      plan.result = {p,
                     *evaluator,
                     evaluation.primary,
                     num_atoms(*evaluator, plan.options, relation, truth),
                     {},
                     0};
    }
  }
  return plans;
}

}  // namespace

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
