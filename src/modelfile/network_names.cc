// How the choices of a network are called, in model files, flags and messages.
#include "base/name_table.h"
#include "sorites/network.h"

namespace sorites {
namespace {

constexpr std::array<std::string_view, 9> kKindNames = {
    "mlp", "cnn", "resnet18", "siamese", "sgc", "embedding", "bilstm", "torchscript", "registered"};
constexpr std::array<std::string_view, 5> kActivationNames = {
    "relu", "tanh", "sigmoid", "gelu", "elu"};
constexpr std::array<std::string_view, 3> kNormalizationNames = {"none", "batch", "layer"};
constexpr std::array<std::string_view, 4> kOutputNames = {
    "softmax", "sigmoid", "gumbel-softmax", "root-softmax"};
constexpr std::array<std::string_view, 4> kOptimizerNames = {"adam", "adamw", "sgd", "adagrad"};
constexpr std::array<std::string_view, 4> kScheduleNames = {"constant", "cosine", "linear", "step"};

}  // namespace

std::string_view name_of(NetworkKind kind) { return name_in(kKindNames, kind); }
std::string_view name_of(Activation activation) { return name_in(kActivationNames, activation); }
std::string_view name_of(Normalization normalization) {
  return name_in(kNormalizationNames, normalization);
}
std::string_view name_of(OutputKind output) { return name_in(kOutputNames, output); }
std::string_view name_of(NetworkOptimizer optimizer) { return name_in(kOptimizerNames, optimizer); }
std::string_view name_of(RateSchedule schedule) { return name_in(kScheduleNames, schedule); }

}  // namespace sorites
