#include "session/learn_state_file.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "base/diagnostics.h"
#include "hinge/solve/state_file.h"

namespace sorites {
namespace {

void write_optional(FrameWriter& out, const std::optional<double>& value) {
  out.number<std::uint8_t>(value ? 1 : 0);
  out.number(value.value_or(0.0));
}

std::optional<double> read_optional(FrameCursor& in) {
  const auto has = in.number<std::uint8_t>();
  const auto value = in.number<double>();
  if (has > 1) throw DamagedFrame("a value is out of range");
  return has == 1 ? std::optional(value) : std::nullopt;
}

void write_epoch(FrameWriter& out, const LearnEpoch& epoch) {
  out.number(epoch.epoch);
  out.number(epoch.loss);
  write_optional(out, epoch.training_metric);
  write_optional(out, epoch.validation_metric);
  out.number(epoch.relative_gap);
  out.number(epoch.gradient_norm);
  out.number(epoch.movement);
  out.number(epoch.seconds);
  out.number(epoch.inference_seconds);
  out.number(epoch.network_seconds);
  out.number(epoch.num_trained);
}

LearnEpoch read_epoch(FrameCursor& in) {
  LearnEpoch epoch;
  epoch.epoch = in.number<std::uint64_t>();
  epoch.loss = in.number<double>();
  epoch.training_metric = read_optional(in);
  epoch.validation_metric = read_optional(in);
  epoch.relative_gap = in.number<double>();
  epoch.gradient_norm = in.number<double>();
  epoch.movement = in.number<double>();
  epoch.seconds = in.number<double>();
  epoch.inference_seconds = in.number<double>();
  epoch.network_seconds = in.number<double>();
  epoch.num_trained = in.number<std::uint64_t>();
  return epoch;
}

LearnState read_body(FrameCursor in) {
  LearnState state;
  state.epoch = in.number<std::uint64_t>();
  in.array(state.weights);
  in.array(state.best_weights);
  state.best_metric = read_optional(in);
  state.best_loss = in.number<double>();
  state.best_epoch = in.number<std::uint64_t>();
  for (auto left = in.number<std::uint64_t>(); left > 0; --left) {
    state.history.push_back(read_epoch(in));
  }
  for (auto left = in.number<std::uint64_t>(); left > 0; --left) {
    in.array(state.energies.emplace_back());
  }
  in.array(state.algorithm);
  in.array(state.networks);
  in.array(state.best_networks);
  if (!in.done()) throw DamagedFrame("it goes on after its end");
  for (const double weight : state.weights) {
    if (!std::isfinite(weight)) throw DamagedFrame("a weight is not finite");
  }
  return state;
}

std::uint32_t sum_of(std::uint32_t start, const void* data, std::size_t bytes) {
  return checksum(start, {static_cast<const char*>(data), bytes});
}

}  // namespace

std::uint64_t learning_fingerprint(const Model& training,
                                   std::span<const double> labels,
                                   const Model* validation,
                                   const LearnOptions& options,
                                   std::uint64_t batch_components) {
  const std::uint64_t structure =
      structure_fingerprint(training) ^
      (validation == nullptr ? 0 : 0x9E3779B97F4A7C15U * structure_fingerprint(*validation));
  std::uint32_t sum = sum_of(0, &structure, sizeof structure);
  // Latent labels are NaNs, whose bits nobody promises.
  for (const double label : labels) {
    const double bits = std::isnan(label) ? -1.0 : label;
    sum = sum_of(sum, &bits, sizeof bits);
  }
  for (const GroundRule& rule : training.rules) {
    const std::uint8_t hard = rule.hard ? 1 : 0;
    sum = sum_of(sum, &hard, sizeof hard);
  }
  const auto algorithm = static_cast<std::uint8_t>(options.algorithm);
  const auto domain = static_cast<std::uint8_t>(options.domain);
  const double loss[] = {options.loss.energy,
                         options.loss.structured_perceptron,
                         options.loss.squared_error,
                         options.loss.cross_entropy};
  std::uint32_t method = sum_of(0, &algorithm, sizeof algorithm);
  method = sum_of(method, &domain, sizeof domain);
  method = sum_of(method, loss, sizeof loss);
  method = sum_of(method, &batch_components, sizeof batch_components);
  return std::uint64_t{sum} << 32U | method;
}

void save_learn_state(const LearnState& state, std::uint64_t fingerprint, const std::string& path) {
  FrameWriter out(path);
  out.number(state.epoch);
  out.array(state.weights);
  out.array(state.best_weights);
  write_optional(out, state.best_metric);
  out.number(state.best_loss);
  out.number(state.best_epoch);
  out.number<std::uint64_t>(state.history.size());
  for (const LearnEpoch& epoch : state.history) write_epoch(out, epoch);
  out.number<std::uint64_t>(state.energies.size());
  for (const std::vector<double>& energy : state.energies) out.array(energy);
  out.array(state.algorithm);
  out.array(state.networks);
  out.array(state.best_networks);
  out.finish(kLearnStateFormat, fingerprint);
}

std::variant<LearnState, std::string> read_learn_state(std::span<const char> file,
                                                       std::uint64_t fingerprint) {
  const auto body = body_of(file, kLearnStateFormat, fingerprint);
  if (const auto* problem = std::get_if<std::string>(&body)) return *problem;
  try {
    return read_body(FrameCursor(std::get<std::span<const char>>(body)));
  } catch (const DamagedFrame& error) {
    return fmt::format("it is damaged: {}", error.what());
  }
}

LearnState load_learn_state(const std::string& path, std::uint64_t fingerprint) {
  const FileMapping file(path);
  auto result = read_learn_state(file.bytes(), fingerprint);
  if (const auto* problem = std::get_if<std::string>(&result)) {
    Diagnostics sink;
    sink.error(DiagnosticCode::kBadState,
               Span{path},
               fmt::format("the state of learning cannot be used: {}", *problem));
    throw InputError(sink.take_sorted());
  }
  return std::get<LearnState>(std::move(result));
}

}  // namespace sorites
