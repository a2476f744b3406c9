// From the numbers of the last layer to values of atoms, and the loss of those that are known.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sorites/network.h"
#include "torch/torch_headers.h"

namespace sorites {

// [entities, classes] in [0, 1]. `noisy`: Gumbel-softmax draws its noise.
torch::Tensor outputs_of(const torch::Tensor& logits,
                         OutputKind kind,
                         double temperature,
                         bool noisy);

// Cross-entropy of the outputs to labels: a sum over the entities that have labels, or of sigmoids
// over the labels, and how many these are.
struct CrossEntropy {
  torch::Tensor sum;
  std::int64_t count = 0;

  torch::Tensor mean() const { return sum / std::max<std::int64_t>(count, 1); }
};
// `labels` [entities, classes] are NaN where they are unknown.
CrossEntropy cross_entropy(const torch::Tensor& logits,
                           const torch::Tensor& labels,
                           OutputKind kind,
                           double temperature);

}  // namespace sorites
