#include "sorites/evaluate.h"

#include <fmt/format.h>

#include <stdexcept>

#include "eval/evaluators.h"

namespace sorites {
namespace {

std::vector<bool> categories_of(const Predicate& predicate, const EvaluationOptions& options) {
  std::vector<bool> is_category(predicate.arity(), false);
  if (options.category_indexes.empty()) {
    throw std::invalid_argument("category_indexes is empty; it names at least one argument");
  }
  const int arity = static_cast<int>(predicate.arity());
  for (const int index : options.category_indexes) {
    if (index < -arity || index >= arity) {
      throw std::invalid_argument(fmt::format(
          "category_indexes names argument {} of {}, which has {}", index, predicate.name, arity));
    }
    is_category[static_cast<std::size_t>(index < 0 ? index + arity : index)] = true;
  }
  return is_category;
}

void check(const Database& database,
           PredicateId predicate,
           std::span<const double> target_values,
           const EvaluationOptions& options) {
  const std::size_t num_targets = database.relation(predicate).table(Partition::kTarget).num_rows;
  if (target_values.size() != num_targets) {
    throw std::invalid_argument(
        fmt::format("target_values holds {} values for the {} targets of {}",
                    target_values.size(),
                    num_targets,
                    database.predicates()[predicate].name));
  }
  for (const double value : target_values) {
    if (!(value >= 0.0 && value <= 1.0)) {
      throw std::invalid_argument(fmt::format("target_values holds {}, outside [0, 1]", value));
    }
  }
  if (!(options.threshold >= 0.0 && options.threshold <= 1.0)) {
    throw std::invalid_argument(
        fmt::format("threshold must be in [0, 1], and is {}", options.threshold));
  }
}

}  // namespace

std::string_view name_of(Evaluator evaluator) {
  switch (evaluator) {
    case Evaluator::kContinuous:
      return "ContinuousEvaluator";
    case Evaluator::kDiscrete:
      return "DiscreteEvaluator";
    case Evaluator::kCategorical:
      return "CategoricalEvaluator";
    case Evaluator::kAuc:
      return "AUCEvaluator";
    case Evaluator::kRanking:
      return "RankingEvaluator";
    case Evaluator::kSpan:
      return "SpanEvaluator";
  }
  return {};  // not reached: the switch is complete
}

std::optional<Evaluator> find_evaluator(std::string_view name) {
  for (const Evaluator evaluator : kEvaluators) {
    if (name_of(evaluator) == name) return evaluator;
  }
  return std::nullopt;
}

std::vector<Metric> evaluate(const Database& database,
                             PredicateId predicate,
                             std::span<const double> target_values,
                             Evaluator evaluator,
                             const EvaluationOptions& options) {
  check(database, predicate, target_values, options);
  const Relation& relation = database.relation(predicate);
  const Predicate& declared = database.predicates()[predicate];
  const auto labelled = [&] {
    return labelled_atoms(relation, declared.has_classes, target_values, options);
  };
  switch (evaluator) {
    case Evaluator::kContinuous:
      return continuous_metrics(labelled());
    case Evaluator::kDiscrete:
      return discrete_metrics(labelled(), options.threshold);
    case Evaluator::kCategorical:
      return categorical_metrics(database,
                                 predicate,
                                 target_values,
                                 categories_of(declared, options),
                                 options.include_observed);
    case Evaluator::kAuc:
      return options.psl_compatible
                 ? psl_auc_metrics(labelled(), database, predicate, options.threshold)
                 : auc_metrics(labelled(), options.threshold);
    case Evaluator::kRanking:
      return ranking_metrics(
          labelled(), relation, categories_of(declared, options), options.threshold);
    case Evaluator::kSpan:
      return span_metrics(database, predicate, target_values, options.include_observed);
  }
  return {};  // not reached: the switch is complete
}

}  // namespace sorites
