#include "learn/psl_learn_options.h"

#include <algorithm>
#include <cmath>

#include "base/name_table.h"

namespace sorites {
namespace {

constexpr std::array<std::string_view, 17> kMethodNames = {"StructuredPerceptron",
                                                           "Energy",
                                                           "SquaredError",
                                                           "BinaryCrossEntropy",
                                                           "OnlineSquaredError",
                                                           "OnlineBinaryCrossEntropy",
                                                           "PolicyGradientEvaluation",
                                                           "PolicyGradientSquaredError",
                                                           "PolicyGradientBinaryCrossEntropy",
                                                           "GridSearch",
                                                           "RandomGridSearch",
                                                           "ContinuousRandomGridSearch",
                                                           "GuidedRandomGridSearch",
                                                           "Hyperband",
                                                           "GaussianProcessPrior",
                                                           "ImplicitSquaredError",
                                                           "ImplicitBinaryCrossEntropy"};
constexpr std::array<std::string_view, 3> kUpdateNames = {
    "MIRROR_DESCENT", "PROJECTED_GRADIENT", "GRADIENT_DESCENT"};
constexpr std::array<std::string_view, 3> kBatchesNames = {
    "FullBatchGenerator", "ConnectedComponentBatchGenerator", "NeuralBatchGenerator"};

constexpr std::array<std::string_view, 2> kPolicyUpdateNames = {"INDEPENDENT_CATEGORICAL_REINFORCE",
                                                                "REINFORCE"};
constexpr std::array<std::string_view, 1> kRewardNames = {"EVALUATION"};

// What one of PSL's losses is in ours.
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr LossMix kSquaredError = {.squared_error = 1.0};
constexpr LossMix kCrossEntropy = {.cross_entropy = 1.0};

void set(LearnOptions& learn, LearnAlgorithm algorithm, const LossMix& loss) {
  learn.algorithm = algorithm;
  learn.loss = loss;
}

// With what PSL takes if nothing else is said.
void set_policy(LearnOptions& learn, const LossMix& loss) {
  set(learn, LearnAlgorithm::kPolicy, loss);
  learn.policy.draws = 10;
  learn.policy.energy_loss = 1.0;
}

void apply_method(const PslLearnOptions& psl, LearnOptions& learn) {
  if (!psl.method) return;
  switch (*psl.method) {
    case PslMethod::kStructuredPerceptron:
      return set(learn, LearnAlgorithm::kGradient, {.structured_perceptron = 1.0});
    case PslMethod::kEnergy:
      return set(learn, LearnAlgorithm::kGradient, {.energy = 1.0});
    case PslMethod::kSquaredError:
    case PslMethod::kOnlineSquaredError:
      return set(learn, LearnAlgorithm::kBilevel, kSquaredError);
    case PslMethod::kBinaryCrossEntropy:
    case PslMethod::kOnlineBinaryCrossEntropy:
      return set(learn, LearnAlgorithm::kBilevel, kCrossEntropy);
    case PslMethod::kImplicitSquaredError:
      return set(learn, LearnAlgorithm::kGradient, kSquaredError);
    case PslMethod::kImplicitBinaryCrossEntropy:
      return set(learn, LearnAlgorithm::kGradient, kCrossEntropy);
    case PslMethod::kGridSearch:
      return set(learn, LearnAlgorithm::kGridSearch, kSquaredError);
    case PslMethod::kRandomGridSearch:
      return set(learn, LearnAlgorithm::kRandomGrid, kSquaredError);
    case PslMethod::kContinuousRandomGridSearch:
      return set(learn, LearnAlgorithm::kRandomSearch, kSquaredError);
    case PslMethod::kGuidedRandomGridSearch:
      return set(learn, LearnAlgorithm::kGuidedSearch, kSquaredError);
    case PslMethod::kHyperband:
      return set(learn, LearnAlgorithm::kHyperband, kSquaredError);
    case PslMethod::kGaussianProcessPrior:
      return set(learn, LearnAlgorithm::kGaussianProcess, kSquaredError);
    case PslMethod::kPolicyGradientEvaluation:
      return set_policy(learn, {.metric = 1.0});
    case PslMethod::kPolicyGradientSquaredError:
      return set_policy(learn, kSquaredError);
    case PslMethod::kPolicyGradientBinaryCrossEntropy:
      return set_policy(learn, kCrossEntropy);
  }
}

void apply_clipping(const PslLearnOptions& psl, LearnOptions& learn) {
  learn.max_gradient = learn.max_gradient_norm = kInfinity;
  if (!psl.clip_gradient) return;
  (psl.gradient_norm.p == 2.0 ? learn.max_gradient_norm : learn.max_gradient) = psl.max_gradient;
}

void apply_ends(const PslLearnOptions& psl, LearnOptions& learn) {
  const auto counts = [&](bool is_on) { return is_on && !psl.all_epochs; };
  learn.movement_tolerance = counts(psl.movement_break) ? psl.movement_tolerance : 0.0;
  learn.training_patience = counts(psl.training_break) ? psl.training_patience : 0;
  learn.validation_patience = counts(psl.validation_break) ? psl.validation_patience : 0;
  if (psl.all_epochs) learn.bilevel.constraint_tolerance = 0.0;
  learn.metric_period = std::min(psl.training_period, psl.validation_period);
  if (psl.timeout_seconds >= 0) {
    learn.time_limit_seconds = static_cast<double>(psl.timeout_seconds);
  }
}

}  // namespace

std::string_view name_of(PslPolicyUpdate update) { return name_in(kPolicyUpdateNames, update); }
std::string_view name_of(PslReward reward) { return name_in(kRewardNames, reward); }
std::string_view name_of(PslMethod method) { return name_in(kMethodNames, method); }
std::string_view name_of(PslWeightUpdate update) { return name_in(kUpdateNames, update); }
std::string_view name_of(PslBatches batches) { return name_in(kBatchesNames, batches); }

std::string OptionValue<PslNorm>::read(std::string_view text,
                                       const NumberRange& range,
                                       PslNorm& value) {
  const auto p = parse_real_or_inf(text);
  if (!p || (*p != 2.0 && *p != kInfinity)) return takes_not(takes(range), text);
  value.p = *p;
  return {};
}

void apply(const PslLearnOptions& psl, LearnOptions& learn) {
  apply_method(psl, learn);
  if (psl.weight_update) {
    learn.domain = *psl.weight_update == PslWeightUpdate::kMirrorDescent
                       ? WeightDomain::kMirrorSimplex
                   : *psl.weight_update == PslWeightUpdate::kProjectedGradient
                       ? WeightDomain::kProjectedSimplex
                       : WeightDomain::kNonNegative;
  }
  if (psl.policy_update) {
    learn.policy.estimator = *psl.policy_update == PslPolicyUpdate::kReinforce
                                 ? PolicyEstimator::kReinforce
                                 : PolicyEstimator::kIndecater;
  }
  if (psl.scale_step_size) learn.schedule = StepSchedule::kInverse;
  apply_clipping(psl, learn);
  apply_ends(psl, learn);
}

void apply_to_search(const PslLearnOptions& psl, LearnAlgorithm algorithm, SearchOptions& search) {
  std::optional<std::uint64_t> points;
  if (algorithm == LearnAlgorithm::kRandomGrid) points = psl.random_grid_points;
  if (algorithm == LearnAlgorithm::kRandomSearch) points = psl.random_search_points;
  if (algorithm == LearnAlgorithm::kGaussianProcess) points = psl.gaussian_process_points;
  search.max_points = points.value_or(search.max_points);
  if (psl.kernel_dependence) search.gp_scale = 1.0 / *psl.kernel_dependence;
}

}  // namespace sorites
