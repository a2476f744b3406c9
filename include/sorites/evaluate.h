// How good inferred truth values are, measured by the truth that the data gives: docs/evaluation.md
// says which atoms are evaluated, and defines every metric.
//
//   const auto metrics = evaluate(database, knows, values, Evaluator::kDiscrete);
//   for (const Metric& metric : metrics) use(metric.name, metric.value);  // "accuracy", 0.91 ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sorites/database.h"
#include "sorites/model.h"

namespace sorites {

enum class Evaluator : std::uint8_t {
  kContinuous,   // mae mse rmse
  kDiscrete,     // accuracy f1 precision recall negative_precision negative_recall log_loss
  kCategorical,  // categorical_accuracy categorical_accuracy_expected categorical_ties
  kAuc,          // auroc auprc negative_auprc
  kRanking,      // mrr hits_at_1 hits_at_10 ndcg
  kSpan,         // span_f1 span_precision span_recall
};
inline constexpr Evaluator kEvaluators[] = {Evaluator::kContinuous,
                                            Evaluator::kDiscrete,
                                            Evaluator::kCategorical,
                                            Evaluator::kAuc,
                                            Evaluator::kRanking,
                                            Evaluator::kSpan};
std::string_view name_of(Evaluator evaluator);  // "DiscreteEvaluator": the model file's
std::optional<Evaluator> find_evaluator(std::string_view name);

struct EvaluationOptions {
  double threshold = 0.5;  // in [0, 1]. kDiscrete: true at or above it; kAuc, kRanking: above it
  // kCategorical, kRanking: the arguments that are the category; negative ones count from the end.
  std::vector<int> category_indexes = {-1};
  bool include_observed = false;  // evaluate observed atoms too
  bool close_truth = false;       // a target without truth counts as false, instead of not at all
  bool psl_compatible = false;    // PSL's numbers: its ties, thresholds and single precision
};

struct Metric {
  std::string name;
  double value = 0.0;
  bool higher_is_better = true;
};

// All metrics of one evaluator. Those with nothing to divide by are 0, but `auroc` is 1 if nothing
// is false. Throws std::invalid_argument if `target_values` does not hold one number per target row
// of the predicate, or an option does not fit.
std::vector<Metric> evaluate(const Database& database,
                             PredicateId predicate,
                             std::span<const double> target_values,
                             Evaluator evaluator,
                             const EvaluationOptions& options = {});

// One evaluation that a model file asks for.
struct EvaluationResult {
  PredicateId predicate = 0;
  Evaluator evaluator = Evaluator::kDiscrete;
  bool primary = false;       // the one that learning looks at
  std::size_t num_atoms = 0;  // that were looked at
  std::vector<Metric> metrics;
  std::size_t representative = 0;  // index in metrics: the one that stands for the evaluator
};

}  // namespace sorites
