// For benchmarks: transitivity in torch, line by line what Xu et al. 2024 give (Algorithm
// 2).
#pragma once

#include <ATen/core/ivalue.h>  // with C++20, clang needs it whole in those below
#include <torch/nn/functional/activation.h>
#include <torch/types.h>

namespace sorites {

// What Algorithm 2 adds although a grounding has fewer atoms than literals. C(a,b) and C(b,c) imply
// C(a,c) with b = a or c = b always, yet are expected to be violated (D_a + D_c) Q_ac (1 - Q_ac)
// times, where D is the diagonal of Q; a = b = c is in there twice. This is the slope of that.
inline torch::Tensor slope_of_coinciding_atoms(const torch::Tensor& q) {
  const torch::Tensor diagonal = q.diagonal();
  const torch::Tensor spread = q * (1 - q);
  const torch::Tensor all = (diagonal.unsqueeze(0) + diagonal.unsqueeze(1)) * (1 - 2 * q);
  const torch::Tensor on_diagonal =
      spread.sum(0) + spread.sum(1) - 2 * diagonal + 3 * diagonal * diagonal;
  return all + torch::diag(on_diagonal);
}

// Logits [1, n, n, 2] in and out. With `corrected`, groundings with fewer atoms count as they
// should.
inline torch::Tensor einsum_transitivity(const torch::Tensor& logits,
                                         int iterations,
                                         double weight,
                                         bool corrected = false) {
  using torch::indexing::Ellipsis;
  torch::Tensor current = logits.clone();
  for (int i = 0; i < iterations; ++i) {
    const torch::Tensor q = torch::softmax(current, -1);
    current = logits.clone();
    const torch::Tensor is_true = q.index({Ellipsis, 1}), is_false = q.index({Ellipsis, 0});
    torch::Tensor message = torch::einsum("kab,kbc->kac", {is_true, is_true}) -
                            torch::einsum("kab,kac->kbc", {is_true, is_false}) -
                            torch::einsum("kbc,kac->kab", {is_true, is_false});
    if (corrected) message = message + slope_of_coinciding_atoms(is_true[0]);
    current.index({Ellipsis, 1}) += message * weight;
  }
  return current;
}

}  // namespace sorites
