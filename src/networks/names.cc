// How the choices of a network are called, in model files, flags and messages.
#include <array>
#include <cstddef>

#include "sorites/network.h"

namespace sorites {
namespace {

constexpr std::array<std::string_view, 8> kKindNames = {
    "mlp", "cnn", "resnet18", "siamese", "sgc", "embedding", "torchscript", "registered"};
constexpr std::array<std::string_view, 5> kActivationNames = {
    "relu", "tanh", "sigmoid", "gelu", "elu"};
constexpr std::array<std::string_view, 3> kNormalizationNames = {"none", "batch", "layer"};
constexpr std::array<std::string_view, 4> kOutputNames = {
    "softmax", "sigmoid", "gumbel-softmax", "root-softmax"};
constexpr std::array<std::string_view, 4> kOptimizerNames = {"adam", "adamw", "sgd", "adagrad"};
constexpr std::array<std::string_view, 4> kScheduleNames = {"constant", "cosine", "linear", "step"};

template <class Enum, std::size_t kSize>
std::string_view name_in(const std::array<std::string_view, kSize>& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

template <class Enum, std::size_t kSize>
std::optional<Enum> named(const std::array<std::string_view, kSize>& names, std::string_view name) {
  for (std::size_t i = 0; i < kSize; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(NetworkKind kind) { return name_in(kKindNames, kind); }
std::string_view name_of(Activation activation) { return name_in(kActivationNames, activation); }
std::string_view name_of(Normalization normalization) {
  return name_in(kNormalizationNames, normalization);
}
std::string_view name_of(OutputKind output) { return name_in(kOutputNames, output); }
std::string_view name_of(NetworkOptimizer optimizer) { return name_in(kOptimizerNames, optimizer); }
std::string_view name_of(RateSchedule schedule) { return name_in(kScheduleNames, schedule); }

std::optional<NetworkKind> network_kind_named(std::string_view name) {
  return named<NetworkKind>(kKindNames, name);
}
std::optional<Activation> activation_named(std::string_view name) {
  return named<Activation>(kActivationNames, name);
}
std::optional<Normalization> normalization_named(std::string_view name) {
  return named<Normalization>(kNormalizationNames, name);
}
std::optional<OutputKind> output_kind_named(std::string_view name) {
  return named<OutputKind>(kOutputNames, name);
}
std::optional<NetworkOptimizer> network_optimizer_named(std::string_view name) {
  return named<NetworkOptimizer>(kOptimizerNames, name);
}
std::optional<RateSchedule> rate_schedule_named(std::string_view name) {
  return named<RateSchedule>(kScheduleNames, name);
}

}  // namespace sorites
