// What options say about evaluations: those of all evaluators together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "options/option.h"
#include "sorites/evaluate.h"

namespace sorites {

// The metric that stands for an evaluator, by PSL's names.
enum class ContinuousMetric : std::uint8_t { kMae, kMse, kRmse };
enum class DiscreteMetric : std::uint8_t {
  kF1,
  kPositivePrecision,
  kPositiveRecall,
  kNegativePrecision,
  kNegativeRecall,
  kAccuracy,
};
enum class CategoricalMetric : std::uint8_t { kAccuracy, kExpectedAccuracy };
enum class AucMetric : std::uint8_t { kAuroc, kPositiveAuprc, kNegativeAuprc };
enum class RankingMetric : std::uint8_t { kMrr, kHitsAt1, kHitsAt10, kNdcg };
enum class SpanMetric : std::uint8_t { kF1, kPrecision, kRecall };
std::string_view name_of(ContinuousMetric metric);
std::string_view name_of(DiscreteMetric metric);
std::string_view name_of(CategoricalMetric metric);
std::string_view name_of(AucMetric metric);
std::string_view name_of(RankingMetric metric);
std::string_view name_of(SpanMetric metric);

struct EvaluationSettings {
  EvaluationOptions common;  // but for the fields below
  double discrete_threshold = EvaluationOptions{}.threshold;
  double auc_threshold = EvaluationOptions{}.threshold;
  double ranking_threshold = EvaluationOptions{}.threshold;
  std::vector<int> categories = EvaluationOptions{}.category_indexes;
  std::vector<int> candidates = EvaluationOptions{}.category_indexes;  // of kRanking
  ContinuousMetric continuous = ContinuousMetric::kMse;
  DiscreteMetric discrete = DiscreteMetric::kF1;
  CategoricalMetric categorical = CategoricalMetric::kAccuracy;
  AucMetric auc = AucMetric::kAuroc;
  RankingMetric ranking = RankingMetric::kMrr;
  SpanMetric span = SpanMetric::kF1;
};

EvaluationOptions options_for(Evaluator evaluator, const EvaluationSettings& settings);
// As Metric::name has it.
std::string representative_metric(Evaluator evaluator, const EvaluationSettings& settings);
// The option that names the arguments of its categories; empty if it has none.
std::string_view category_option(Evaluator evaluator);

inline constexpr std::string_view kRepresentativeHelp = "the metric that stands for this evaluator";

inline constexpr Option<EvaluationSettings> kEvaluationOptions[] = {
    {"eval.includeobs",
     "",
     field<&EvaluationSettings::common, &EvaluationOptions::include_observed>,
     {},
     "evaluate observed atoms too"},
    {"eval.closetruth",
     "",
     field<&EvaluationSettings::common, &EvaluationOptions::close_truth>,
     {},
     "a target without truth counts as false instead of being left out"},
    {"eval.psl_compatible",
     "",
     field<&EvaluationSettings::common, &EvaluationOptions::psl_compatible>,
     {},
     "compute metrics the way PSL does, with its treatment of ties and thresholds"},
    {"continuousevaluator.representative",
     "",
     field<&EvaluationSettings::continuous>,
     {},
     kRepresentativeHelp},
    {"discreteevaluator.representative",
     "",
     field<&EvaluationSettings::discrete>,
     {},
     kRepresentativeHelp},
    {"discreteevaluator.threshold",
     "",
     field<&EvaluationSettings::discrete_threshold>,
     between(0, 1),
     "values at or above it count as true"},
    {"categoricalevaluator.representative",
     "",
     field<&EvaluationSettings::categorical>,
     {},
     kRepresentativeHelp},
    {"categoricalevaluator.categoryindexes",
     "",
     arguments_field<&EvaluationSettings::categories>,
     {},
     "arguments that hold the category; negative ones count from the end"},
    {"aucevaluator.representative", "", field<&EvaluationSettings::auc>, {}, kRepresentativeHelp},
    {"aucevaluator.threshold",
     "",
     field<&EvaluationSettings::auc_threshold>,
     between(0, 1),
     "truth above it counts as positive"},
    {"ranking_evaluator.representative",
     "",
     field<&EvaluationSettings::ranking>,
     {},
     kRepresentativeHelp},
    {"ranking_evaluator.threshold",
     "",
     field<&EvaluationSettings::ranking_threshold>,
     between(0, 1),
     "truth above it counts as positive"},
    {"ranking_evaluator.category_indexes",
     "",
     arguments_field<&EvaluationSettings::candidates>,
     {},
     "arguments that hold the candidate; negative ones count from the end"},
    {"spanevaluator.representative", "", field<&EvaluationSettings::span>, {}, kRepresentativeHelp},
};

}  // namespace sorites
