#include "learn/descent.h"

#include <algorithm>
#include <stdexcept>

#include "base/thread_pool.h"

namespace sorites {

Parameters parameters_of(const LearnSample& sample, std::span<const double> weights) {
  return {{weights.begin(), weights.end()}, sample.outputs, sample.weight_scale};
}

double sufficient_gap(const Energy& energy, double effort) {
  constexpr double kRoughest = 0.1;
  return effort < 1.0 ? std::min(energy.gap() / (effort * effort), kRoughest) : 0.0;
}

void Descent::restore(const std::optional<BilevelState>& state) {
  if (state) throw std::invalid_argument("learn: the state is of another algorithm");
}

LossGradient zero_gradient(const LearnSample& sample, std::size_t num_weights) {
  LossGradient zero;
  zero.in_weights.assign(num_weights, 0.0);
  zero.in_outputs.emplace_back(sample.energy->num_outputs(), 0.0);
  return zero;
}

LossGradient sum_over(std::span<const std::size_t> samples,
                      std::size_t num_weights,
                      ThreadPool& pool,
                      const std::function<LossGradient(std::size_t)>& loss_of) {
  std::vector<LossGradient> parts(samples.size());
  pool.for_each(samples.size(), [&](std::size_t k) { parts[k] = loss_of(samples[k]); });
  LossGradient sum;
  sum.in_weights.assign(num_weights, 0.0);
  for (LossGradient& part : parts) {
    sum.value += part.value;
    sum.of_inference += part.of_inference;
    for (std::size_t r = 0; r < num_weights; ++r) sum.in_weights[r] += part.in_weights[r];
    for (std::vector<double>& outputs : part.in_outputs) {
      sum.in_outputs.push_back(std::move(outputs));
    }
  }
  return sum;
}

}  // namespace sorites
