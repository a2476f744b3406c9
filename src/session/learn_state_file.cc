#include "session/learn_state_file.h"

#include <cmath>

#include "base/saved_struct.h"
#include "hinge/problem/inference_memory.h"

namespace sorites {

template <>
inline constexpr auto kFields<InferenceMemory> =
    std::tuple{Field{"variables", &InferenceMemory::variables},
               Field{"row_multipliers", &InferenceMemory::row_multipliers},
               Field{"group_multipliers", &InferenceMemory::group_multipliers},
               Field{"window_centres", &InferenceMemory::window_centres}};
template <>
inline constexpr auto kFields<EnergyMemory> =
    std::tuple{Field{"full", &EnergyMemory::full},
               Field{"latent", &EnergyMemory::latent},
               Field{"proximal", &EnergyMemory::proximal},
               Field{"num_draws", &EnergyMemory::num_draws}};
template <>
inline constexpr auto kFields<AdamState> =
    std::tuple{Field{"steps", &AdamState::steps},
               Field{"mean", &AdamState::mean},
               Field{"mean_square", &AdamState::mean_square}};
template <>
inline constexpr auto kFields<WeightState> =
    std::tuple{Field{"log_unit", &WeightState::log_unit},
               Field{"log_shares", &WeightState::log_shares},
               Field{"adam", &WeightState::adam}};
template <>
inline constexpr auto kFields<BilevelSample> =
    std::tuple{Field{"state", &BilevelSample::state},
               Field{"relaxation", &BilevelSample::relaxation},
               Field{"linear_penalty", &BilevelSample::linear_penalty},
               Field{"constraint", &BilevelSample::constraint},
               Field{"value", &BilevelSample::value}};
template <>
inline constexpr auto kFields<BilevelUnits> =
    std::tuple{Field{"energy", &BilevelUnits::energy},
               Field{"loss", &BilevelUnits::loss},
               Field{"proximity", &BilevelUnits::proximity}};
template <>
inline constexpr auto kFields<BilevelState> =
    std::tuple{Field{"units", &BilevelState::units},
               Field{"relaxation", &BilevelState::relaxation},
               Field{"squared_penalty", &BilevelState::squared_penalty},
               Field{"violation_tolerance", &BilevelState::violation_tolerance},
               Field{"inner_epochs", &BilevelState::inner_epochs},
               Field{"samples", &BilevelState::samples}};
template <>
inline constexpr auto kFields<StepState> =
    std::tuple{Field{"loss", &StepState::loss},
               Field{"gradient_norm", &StepState::gradient_norm},
               Field{"movement", &StepState::movement},
               Field{"converged", &StepState::converged},
               Field{"variance", &StepState::variance},
               Field{"start", &StepState::start},
               Field{"start_epoch", &StepState::start_epoch},
               Field{"weights", &StepState::weights},
               Field{"bilevel", &StepState::bilevel}};
template <>
inline constexpr auto kFields<NetworkState> =
    std::tuple{Field{"temperature", &NetworkState::temperature},
               Field{"learning_rate", &NetworkState::learning_rate},
               Field{"steps", &NetworkState::steps},
               Field{"first_moments", &NetworkState::first_moments},
               Field{"second_moments", &NetworkState::second_moments},
               Field{"parameters", &NetworkState::parameters},
               Field{"buffers", &NetworkState::buffers},
               Field{"random", &NetworkState::random}};
template <>
inline constexpr auto kFields<BilevelEpoch> =
    std::tuple{Field{"relaxation", &BilevelEpoch::relaxation},
               Field{"squared_penalty", &BilevelEpoch::squared_penalty},
               Field{"linear_penalty", &BilevelEpoch::linear_penalty},
               Field{"violation", &BilevelEpoch::violation},
               Field{"active", &BilevelEpoch::active}};
template <>
inline constexpr auto kFields<LearnEpoch> =
    std::tuple{Field{"epoch", &LearnEpoch::epoch},
               Field{"start", &LearnEpoch::start},
               Field{"loss", &LearnEpoch::loss},
               Field{"training_metric", &LearnEpoch::training_metric},
               Field{"validation_metric", &LearnEpoch::validation_metric},
               Field{"validation_loss", &LearnEpoch::validation_loss},
               Field{"relative_gap", &LearnEpoch::relative_gap},
               Field{"gradient_norm", &LearnEpoch::gradient_norm},
               Field{"movement", &LearnEpoch::movement},
               Field{"seconds", &LearnEpoch::seconds},
               Field{"inference_seconds", &LearnEpoch::inference_seconds},
               Field{"network_seconds", &LearnEpoch::network_seconds},
               Field{"num_trained", &LearnEpoch::num_trained},
               Field{"bilevel", &LearnEpoch::bilevel},
               Field{"gradient_variance", &LearnEpoch::gradient_variance}};
template <>
inline constexpr auto kFields<LearnState> =
    std::tuple{Field{"epoch", &LearnState::epoch},
               Field{"weights", &LearnState::weights},
               Field{"best_weights", &LearnState::best_weights},
               Field{"best_metric", &LearnState::best_metric},
               Field{"best_loss", &LearnState::best_loss},
               Field{"best_epoch", &LearnState::best_epoch},
               Field{"history", &LearnState::history},
               Field{"energies", &LearnState::energies},
               Field{"steps", &LearnState::steps},
               Field{"tried", &LearnState::tried},
               Field{"networks", &LearnState::networks},
               Field{"best_networks", &LearnState::best_networks}};

namespace {

void check_state(const LearnState& state) {
  for (const double weight : state.weights) {
    if (!std::isfinite(weight)) throw DamagedFrame("a weight is not finite");
  }
}

std::uint32_t sum_of(std::uint32_t start, const void* data, std::size_t bytes) {
  return checksum(start, {static_cast<const char*>(data), bytes});
}

}  // namespace

std::uint64_t learning_fingerprint(std::uint64_t structure,
                                   std::span<const double> labels,
                                   const LearnOptions& options,
                                   std::uint64_t batch_components) {
  std::uint32_t sum = sum_of(0, &structure, sizeof structure);
  // Latent labels are NaNs, whose bits nobody promises.
  for (const double label : labels) {
    const double bits = std::isnan(label) ? -1.0 : label;
    sum = sum_of(sum, &bits, sizeof bits);
  }
  const auto algorithm = static_cast<std::uint8_t>(options.algorithm);
  const auto domain = static_cast<std::uint8_t>(options.domain);
  const double loss[] = {options.loss.energy,
                         options.loss.structured_perceptron,
                         options.loss.squared_error,
                         options.loss.cross_entropy,
                         options.loss.metric};
  std::uint32_t method = sum_of(0, &algorithm, sizeof algorithm);
  method = sum_of(method, &domain, sizeof domain);
  method = sum_of(method, loss, sizeof loss);
  method = sum_of(method, &batch_components, sizeof batch_components);
  return std::uint64_t{sum} << 32U | method;
}

void save_learn_state(const LearnState& state, std::uint64_t fingerprint, const std::string& path) {
  save_struct(state, kLearnStateFormat, fingerprint, path);
}

std::variant<LearnState, std::string> read_learn_state(std::span<const char> file,
                                                       std::uint64_t fingerprint) {
  return read_struct<LearnState>(file, kLearnStateFormat, fingerprint, check_state);
}

LearnState load_learn_state(const std::string& path, std::uint64_t fingerprint) {
  return load_struct<LearnState>(path, kLearnStateFormat, fingerprint, check_state);
}

}  // namespace sorites
