#include "torch/flat_parameters.h"

#include "meanfield/buffer.h"
#include "sorites/network.h"

namespace sorites {
namespace {

// Tensors begin where vector instructions like it.
std::int64_t aligned(std::int64_t count) {
  constexpr auto kUnit = static_cast<std::int64_t>(kFloatsPerLine);
  return (count + kUnit - 1) / kUnit * kUnit;
}

// A part of the array in the shape of a parameter. Kernels of convolutions with their channels last
// would be a quarter faster, but torch 1.13 with oneDNN 2.6 then writes beyond its memory
// (resnet18).
torch::Tensor part(const torch::Tensor& array, std::int64_t begin, const torch::Tensor& like) {
  return array.narrow(0, begin, like.numel()).view(like.sizes());
}

}  // namespace

std::size_t FlatParameters::room_of(std::size_t count) {
  return static_cast<std::size_t>(aligned(static_cast<std::int64_t>(count)));
}

FlatParameters::FlatParameters(const std::vector<torch::Tensor>& parameters) {
  const torch::NoGradGuard no_gradients;
  std::int64_t size = 0;
  for (const torch::Tensor& tensor : parameters) {
    if (tensor.scalar_type() != torch::kFloat) {
      throw NetworkError("a parameter is not a single-precision number");
    }
    size += aligned(tensor.numel());
    count_ += static_cast<std::size_t>(tensor.numel());
  }
  values_ = torch::zeros({size});
  gradients_ = torch::zeros({size});
  std::int64_t begin = 0;
  for (const torch::Tensor& tensor : parameters) {
    const torch::Tensor place = part(values_, begin, tensor);
    place.copy_(tensor);
    tensor.set_data(place);
    tensor.mutable_grad() = part(gradients_, begin, tensor);
    begin += aligned(tensor.numel());
  }
}

}  // namespace sorites
