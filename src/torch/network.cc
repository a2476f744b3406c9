#include "torch/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "torch/augment.h"
#include "torch/outputs.h"
#include "torch/random_scope.h"

namespace sorites {
namespace {

class ByteWriter {
 public:
  void add(const void* data, std::size_t count) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + count);
  }
  template <class T>
  void number(T value) {
    add(&value, sizeof value);
  }
  void floats(std::span<const float> values) {
    number<std::uint64_t>(values.size());
    add(values.data(), values.size_bytes());
  }
  void tensor(const torch::Tensor& tensor) {
    const torch::Tensor plain = tensor.contiguous();
    number<std::uint64_t>(plain.nbytes());
    add(plain.data_ptr(), plain.nbytes());
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// Every length is known before, or checked against what is left.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  void take(void* out, std::size_t count) {
    if (count > bytes_.size()) throw NetworkError("the memory of a network ends too early");
    if (count > 0) std::memcpy(out, bytes_.data(), count);
    bytes_ = bytes_.subspan(count);
  }
  template <class T>
  T number() {
    T value{};
    take(&value, sizeof value);
    return value;
  }
  std::vector<float> floats() {
    const auto count = number<std::uint64_t>();
    if (count > bytes_.size() / sizeof(float)) {
      throw NetworkError("the memory of a network ends too early");
    }
    std::vector<float> values(count);
    take(values.data(), count * sizeof(float));
    return values;
  }
  // A tensor of the same shape and type.
  torch::Tensor tensor_like(const torch::Tensor& like) {
    torch::Tensor result = torch::empty_like(like, torch::MemoryFormat::Contiguous);
    if (number<std::uint64_t>() != result.nbytes()) {
      throw NetworkError("the memory is that of another network");
    }
    take(result.data_ptr(), result.nbytes());
    return result;
  }
  std::span<const std::byte> rest() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

// Where a module of somebody else comes from, for messages about it.
std::string file_of(const NetworkOptions& options) {
  return options.module.empty() ? "" : fmt::format(" (`{}`)", options.module);
}

void check_finite(const NetworkOptions& options, const torch::Tensor& outputs) {
  if (outputs.isfinite().all().item<bool>()) return;
  throw NetworkError(fmt::format(
      "network `{}`{} gives outputs that are not finite numbers: look at its features and at its "
      "parameters",
      options.name,
      file_of(options)));
}

}  // namespace

Network::Network(NetworkOptions options, std::uint64_t seed)
    : options_(std::move(options)),
      random_state_(seeded_random_state(seed)),
      architecture_([this] {
        const RandomScope scope(random_state_);
        return make_architecture(options_);
      }()),
      parameters_(architecture_.parameters),
      optimizer_(options_.training),
      learning_rate_(options_.training.learning_rate),
      temperature_(options_.temperature) {}

torch::Tensor Network::logits(const BatchInput& input, bool training) {
  architecture_.set_training(training);
  try {
    torch::Tensor result = architecture_.logits(input);
    check_shape(options_, result, (input.index.defined() ? input.index : input.rows).size(0));
    return result;
  } catch (const NetworkError&) {
    throw;
  } catch (const std::exception& error) {  // those of TorchScript have no class in common
    throw NetworkError(fmt::format("network `{}`{} does not work on its features: {}",
                                   options_.name,
                                   file_of(options_),
                                   short_message(error)));
  }
}

Network::Result Network::predict(const BatchInput& input) {
  const torch::NoGradGuard no_gradients;
  const RandomScope scope(random_state_);
  Result result;
  result.logits = logits(input, false);
  result.outputs = outputs_of(result.logits, options_.output, temperature_, false).contiguous();
  check_finite(options_, result.outputs);
  return result;
}

Network::Result Network::forward(BatchInput input) {
  const RandomScope scope(random_state_);
  if (input.rows.defined() && input.rows.dim() == 4) {
    input.rows = moved_at_random(input.rows, moves_of(options_.training));
  }
  Result result;
  result.logits = logits(input, true);
  if (!architecture_.buffers.empty()) ++version_;  // means and variances went along
  result.outputs = outputs_of(result.logits, options_.output, temperature_, true).contiguous();
  return result;
}

void Network::find_gradients(const torch::Tensor& loss) {
  parameters_.clear_gradients();
  const auto value = loss.item<double>();
  if (!std::isfinite(value)) {
    throw LearnError(fmt::format(
        "the loss of network `{}` is {}: a smaller learning_rate may help", options_.name, value));
  }
  {
    const RandomScope scope(random_state_);
    loss.backward();
  }
  const double norm = clip(parameters_.gradients(), options_.training.max_gradient_norm);
  if (!std::isfinite(norm)) {
    throw LearnError(
        fmt::format("the gradient of network `{}` is not finite: a smaller learning_rate may help",
                    options_.name));
  }
}

void Network::step() {
  optimizer_.step(parameters_.values(), parameters_.gradients(), learning_rate_);
  ++version_;
}

void Network::begin_epoch(std::uint64_t epoch, std::uint64_t max_epochs) {
  learning_rate_ = scheduled_rate(options_.training, epoch, max_epochs);
  if (!options_.final_temperature) return;
  // By equal factors, from the first epoch to the last.
  const double part = max_epochs > 1 ? static_cast<double>(std::min(epoch, max_epochs) - 1) /
                                           static_cast<double>(max_epochs - 1)
                                     : 1.0;
  set_temperature(options_.temperature *
                  std::pow(*options_.final_temperature / options_.temperature, part));
}

void Network::set_temperature(double temperature) {
  if (temperature == temperature_) return;
  temperature_ = temperature;
  ++version_;
}

std::vector<std::byte> Network::parameter_bytes() const {
  ByteWriter writer;
  writer.floats(parameters_.values());
  for (const torch::Tensor& buffer : architecture_.buffers) writer.tensor(buffer);
  return writer.take();
}

void Network::set_parameter_bytes(std::span<const std::byte> bytes) {
  const torch::NoGradGuard no_gradients;
  ByteReader reader(bytes);
  const std::vector<float> values = reader.floats();
  if (values.size() != parameters_.values().size()) {
    throw NetworkError(fmt::format("network `{}`: there are {} parameters, but it has {}",
                                   options_.name,
                                   values.size(),
                                   parameters_.values().size()));
  }
  std::vector<torch::Tensor> buffers;
  for (const torch::Tensor& buffer : architecture_.buffers) {
    buffers.push_back(reader.tensor_like(buffer));
  }
  if (!reader.rest().empty()) throw NetworkError("the memory is that of another network");
  std::copy(values.begin(), values.end(), parameters_.values().begin());
  for (std::size_t i = 0; i < buffers.size(); ++i) architecture_.buffers[i].copy_(buffers[i]);
  ++version_;
}

namespace {

std::vector<std::byte> bytes_of(const torch::Tensor& tensor) {
  ByteWriter writer;
  const torch::Tensor plain = tensor.contiguous();
  writer.add(plain.data_ptr(), plain.nbytes());
  return writer.take();
}

// A tensor of the same shape and type, of these bytes.
torch::Tensor tensor_like(const torch::Tensor& like, std::span<const std::byte> bytes) {
  torch::Tensor result = torch::empty_like(like, torch::MemoryFormat::Contiguous);
  if (bytes.size() != result.nbytes()) throw NetworkError("the state is that of another network");
  if (!bytes.empty()) std::memcpy(result.data_ptr(), bytes.data(), bytes.size());
  return result;
}

}  // namespace

NetworkState Network::state() const {
  NetworkState state;
  state.temperature = temperature_;
  state.learning_rate = learning_rate_;
  state.steps = optimizer_.state().num_steps;
  state.first_moments = optimizer_.state().first;
  state.second_moments = optimizer_.state().second;
  const std::span<const float> values = parameters_.values();
  state.parameters.assign(values.begin(), values.end());
  for (const torch::Tensor& buffer : architecture_.buffers) {
    state.buffers.push_back(bytes_of(buffer));
  }
  state.random = bytes_of(random_state_);
  return state;
}

void Network::restore(const NetworkState& state) {
  const torch::NoGradGuard no_gradients;
  const std::size_t size = parameters_.values().size();
  const auto fits = [&](const std::vector<float>& moments) {
    return moments.empty() || moments.size() == size;
  };
  if (state.parameters.size() != size || !fits(state.first_moments) ||
      !fits(state.second_moments) || state.buffers.size() != architecture_.buffers.size()) {
    throw NetworkError("the state is that of another network");
  }
  std::vector<torch::Tensor> buffers;
  for (std::size_t i = 0; i < state.buffers.size(); ++i) {
    buffers.push_back(tensor_like(architecture_.buffers[i], state.buffers[i]));
  }
  torch::Tensor random_state = tensor_like(random_state_, state.random);
  check_random_state(random_state);
  // All checks are done.
  std::copy(state.parameters.begin(), state.parameters.end(), parameters_.values().begin());
  for (std::size_t i = 0; i < buffers.size(); ++i) architecture_.buffers[i].copy_(buffers[i]);
  temperature_ = state.temperature;
  learning_rate_ = state.learning_rate;
  optimizer_.set_state({state.steps, state.first_moments, state.second_moments});
  random_state_ = random_state;
  ++version_;
}

// Of all numbers per parameter those of the vectors come first, a row per entity.
void Network::go_on_from(const Network& learned) {
  NetworkState state = learned.state();
  const std::vector<std::string>& before = learned.options_.vocabulary;
  if (before == options_.vocabulary) return restore(state);
  std::unordered_map<std::string_view, std::size_t> row_before;
  for (std::size_t row = 0; row < before.size(); ++row) row_before.emplace(before[row], row);
  const std::size_t size = options_.embedding_size;
  const std::size_t rest_before = FlatParameters::room_of(before.size() * size);
  const std::size_t rest = FlatParameters::room_of(options_.vocabulary.size() * size);
  const auto moved = [&](const std::vector<float>& from, std::vector<float> to) {
    if (from.empty()) return from;  // moments, before the first step
    if (from.size() - rest_before != to.size() - rest) {
      throw NetworkError("the state is that of another network");
    }
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(rest_before),
                to.size() - rest,
                to.begin() + static_cast<std::ptrdiff_t>(rest));
    for (std::size_t row = 0; row < options_.vocabulary.size(); ++row) {
      const auto found = row_before.find(options_.vocabulary[row]);
      if (found == row_before.end()) continue;
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(found->second * size),
                  size,
                  to.begin() + static_cast<std::ptrdiff_t>(row * size));
    }
    return to;
  };
  const std::span<const float> values = parameters_.values();
  state.parameters = moved(state.parameters, {values.begin(), values.end()});
  state.first_moments = moved(state.first_moments, std::vector<float>(values.size()));
  state.second_moments = moved(state.second_moments, std::vector<float>(values.size()));
  restore(state);
}

}  // namespace sorites
