// The parameters of a module in one array and their gradients in another: a step of an optimizer, a
// norm, a copy are then one loop, whatever the module is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "torch/torch_headers.h"

namespace sorites {

class FlatParameters {
 public:
  FlatParameters() = default;
  // Moves the module's parameters into the array; they stay its parameters.
  explicit FlatParameters(const std::vector<torch::Tensor>& parameters);

  std::span<float> values() const { return span_of(values_); }
  std::span<float> gradients() const { return span_of(gradients_); }
  // How much of the array a tensor of so many numbers takes.
  static std::size_t room_of(std::size_t count);
  std::size_t count() const { return count_; }  // without the gaps between tensors

  void clear_gradients() const { gradients_.zero_(); }

 private:
  static std::span<float> span_of(const torch::Tensor& tensor) {
    if (!tensor.defined()) return {};
    return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
  }

  torch::Tensor values_, gradients_;
  std::size_t count_ = 0;
};

}  // namespace sorites
