// Options of PSL that mean something else than one option of ours: a loss and an algorithm in one,
// or a number that counts only if a switch is on. They are read into a struct of their own, which
// then changes LearnOptions; options of ours are read over that, and win.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "options/option.h"
#include "sorites/learn.h"

namespace sorites {

// Each is a loss and an algorithm; PSL does not have the last two.
enum class PslMethod : std::uint8_t {
  kStructuredPerceptron,
  kEnergy,
  kSquaredError,
  kBinaryCrossEntropy,
  kOnlineSquaredError,
  kOnlineBinaryCrossEntropy,
  kPolicyGradientEvaluation,
  kPolicyGradientSquaredError,
  kPolicyGradientBinaryCrossEntropy,
  kGridSearch,
  kRandomGridSearch,
  kContinuousRandomGridSearch,
  kGuidedRandomGridSearch,
  kHyperband,
  kGaussianProcessPrior,
  kImplicitSquaredError,
  kImplicitBinaryCrossEntropy,
};
enum class PslWeightUpdate : std::uint8_t { kMirrorDescent, kProjectedGradient, kGradientDescent };
enum class PslBatches : std::uint8_t { kFull, kConnectedComponents, kNeural };
enum class PslPolicyUpdate : std::uint8_t { kIndependentCategoricalReinforce, kReinforce };
enum class PslReward : std::uint8_t { kEvaluation };
std::string_view name_of(PslPolicyUpdate update);
std::string_view name_of(PslReward reward);
std::string_view name_of(PslMethod method);
std::string_view name_of(PslWeightUpdate update);
std::string_view name_of(PslBatches batches);

// p of a p-norm: 2 or infinite.
struct PslNorm {
  double p = std::numeric_limits<double>::infinity();
};

struct PslLearnOptions {
  std::optional<PslMethod> method;
  std::optional<PslWeightUpdate> weight_update;
  std::optional<PslBatches> batches;
  std::uint64_t components_per_batch = 32;  // of kConnectedComponents
  std::optional<PslPolicyUpdate> policy_update;
  std::optional<PslReward> reward;
  bool scale_step_size = false;

  bool clip_gradient = true;
  PslNorm gradient_norm;  // that `max_gradient` is for
  double max_gradient = LearnOptions{}.max_gradient;

  bool all_epochs = false;  // none of the rules below
  bool movement_break = true;
  double movement_tolerance = LearnOptions{}.movement_tolerance;
  bool training_break = false, validation_break = false;
  std::uint64_t training_patience = 25, validation_patience = 25;
  std::uint64_t training_period = LearnOptions{}.metric_period;
  std::uint64_t validation_period = LearnOptions{}.metric_period;
  std::int64_t timeout_seconds = -1;  // negative: never

  // Points of the three searches that have a limit of their own.
  std::optional<std::uint64_t> random_grid_points, random_search_points, gaussian_process_points;
  std::optional<double> kernel_dependence;  // one over the length of the kernel
};

// All but those of searches, whose limits depend on the algorithm in the end.
void apply(const PslLearnOptions& psl, LearnOptions& learn);
void apply_to_search(const PslLearnOptions& psl, LearnAlgorithm algorithm, SearchOptions& search);

template <>
struct OptionValue<PslNorm> : SimpleValue {
  static constexpr OptionKind kKind = OptionKind::kReal;
  static std::string takes(const NumberRange&) { return "2 or inf"; }
  static std::string read(std::string_view text, const NumberRange& range, PslNorm& value);
  static std::string write(const PslNorm& value) { return OptionValue<double>::write(value.p); }
};

}  // namespace sorites
