#include "eval/evaluation_settings.h"

#include "base/name_table.h"

namespace sorites {
namespace {

constexpr std::array<std::string_view, 3> kContinuousNames = {"MAE", "MSE", "RMSE"};
constexpr std::array<std::string_view, 6> kDiscreteNames = {"F1",
                                                            "POSITIVE_PRECISION",
                                                            "POSITIVE_RECALL",
                                                            "NEGATIVE_PRECISION",
                                                            "NEGATIVE_RECALL",
                                                            "ACCURACY"};
constexpr std::array<std::string_view, 2> kCategoricalNames = {"ACCURACY", "ACCURACY_EXPECTED"};
constexpr std::array<std::string_view, 3> kAucNames = {"AUROC", "POSITIVE_AUPRC", "NEGATIVE_AUPRC"};
constexpr std::array<std::string_view, 4> kRankingNames = {
    "MRR", "HITS_AT_1", "HITS_AT_10", "NDCG"};
constexpr std::array<std::string_view, 3> kSpanNames = {"F1", "PRECISION", "RECALL"};

// PSL says which class a metric is of even where it is the positive one.
std::string metric_called(std::string_view psl_name) {
  constexpr std::string_view kPositive = "positive_";
  std::string metric = lower_case(psl_name);
  if (metric.starts_with(kPositive)) metric.erase(0, kPositive.size());
  return metric;
}

}  // namespace

std::string_view name_of(ContinuousMetric metric) { return name_in(kContinuousNames, metric); }
std::string_view name_of(DiscreteMetric metric) { return name_in(kDiscreteNames, metric); }
std::string_view name_of(CategoricalMetric metric) { return name_in(kCategoricalNames, metric); }
std::string_view name_of(AucMetric metric) { return name_in(kAucNames, metric); }
std::string_view name_of(RankingMetric metric) { return name_in(kRankingNames, metric); }
std::string_view name_of(SpanMetric metric) { return name_in(kSpanNames, metric); }

EvaluationOptions options_for(Evaluator evaluator, const EvaluationSettings& settings) {
  EvaluationOptions options = settings.common;
  switch (evaluator) {
    case Evaluator::kContinuous:
    case Evaluator::kSpan:
      break;
    case Evaluator::kDiscrete:
      options.threshold = settings.discrete_threshold;
      break;
    case Evaluator::kCategorical:
      options.category_indexes = settings.categories;
      break;
    case Evaluator::kAuc:
      options.threshold = settings.auc_threshold;
      break;
    case Evaluator::kRanking:
      options.threshold = settings.ranking_threshold;
      options.category_indexes = settings.candidates;
      break;
  }
  return options;
}

std::string representative_metric(Evaluator evaluator, const EvaluationSettings& settings) {
  switch (evaluator) {
    case Evaluator::kContinuous:
      return metric_called(name_of(settings.continuous));
    case Evaluator::kDiscrete:
      return metric_called(name_of(settings.discrete));
    case Evaluator::kCategorical:
      return "categorical_" + metric_called(name_of(settings.categorical));
    case Evaluator::kAuc:
      return metric_called(name_of(settings.auc));
    case Evaluator::kRanking:
      return metric_called(name_of(settings.ranking));
    case Evaluator::kSpan:
      return "span_" + metric_called(name_of(settings.span));
  }
  return {};  // not reached: the switch is complete
}

std::string_view category_option(Evaluator evaluator) {
  if (evaluator == Evaluator::kCategorical) return "categoricalevaluator.categoryindexes";
  if (evaluator == Evaluator::kRanking) return "ranking_evaluator.category_indexes";
  return {};
}

}  // namespace sorites
