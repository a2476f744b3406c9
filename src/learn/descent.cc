#include "learn/descent.h"

#include <algorithm>
#include <stdexcept>

#include "base/thread_pool.h"

namespace sorites {

Parameters parameters_of(const LearnSample& sample, std::span<const double> weights) {
  return {{weights.begin(), weights.end()}, sample.outputs, sample.weight_scale};
}

// States err by about the root of the gap: with part of the effort, by that much more. At a tenth
// better weights can still be told from worse ones.
double sufficient_gap(const Energy& energy, double effort) {
  constexpr double kRoughest = 0.1;
  return effort < 1.0 ? std::min(energy.gap() / (effort * effort), kRoughest) : 0.0;
}

void Descent::restore(const std::optional<BilevelState>& state) {
  if (state) throw std::invalid_argument("learn: the state is of another algorithm");
}

LossGradient Descent::evaluate_again(std::span<const double> /*weights*/,
                                     std::span<const std::size_t> /*samples*/) {
  throw LearnError("steps_per_inference: this algorithm and loss need an inference for every step");
}

void add_scaled(double factor, std::span<const double> from, std::vector<double>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += factor * from[i];
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
    sum.variance += part.variance;
    for (std::size_t r = 0; r < num_weights; ++r) sum.in_weights[r] += part.in_weights[r];
    for (std::vector<double>& outputs : part.in_outputs) {
      sum.in_outputs.push_back(std::move(outputs));
    }
  }
  return sum;
}

}  // namespace sorites
