#include "learn/weight_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "learn/learning.h"

namespace sorites {

void move_into_domain(WeightDomain domain, std::span<double> weights) {
  if (!is_simplex(domain)) return;
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;
}

WeightSampler::WeightSampler(std::span<const double> start,
                             const SearchOptions& options,
                             WeightDomain domain,
                             std::uint64_t seed)
    : generator_(seed),
      domain_(domain),
      num_weights_(start.size()),
      total_(std::accumulate(start.begin(), start.end(), 0.0)),
      dirichlet_(options.dirichlet),
      alpha_(options.dirichlet_alpha),
      log_low_(std::numeric_limits<double>::infinity()),
      log_high_(-std::numeric_limits<double>::infinity()) {
  if (total_ == 0.0) total_ = 1.0;
  for (const double weight : options.grid) {
    if (weight == 0.0) continue;
    log_low_ = std::min(log_low_, std::log(weight));
    log_high_ = std::max(log_high_, std::log(weight));
  }
}

double WeightSampler::uniform() {
  constexpr double kStep = 0x1p-53;  // between doubles in [1/2, 1)
  return (static_cast<double>(generator_() >> 11) + 0.5) * kStep;
}

std::uint64_t WeightSampler::below(std::uint64_t end) {
  return std::min(static_cast<std::uint64_t>(uniform() * static_cast<double>(end)), end - 1);
}

// Box and Muller; the second of the pair is not kept, so that a draw depends on no other.
double WeightSampler::normal() {
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

// The logarithm, which does not underflow for small shapes. Marsaglia and Tsang, "A Simple Method
// for Generating Gamma Variables", 2000: for shapes below 1, G(a) = G(a + 1) U^(1/a).
double WeightSampler::log_gamma_variate(double shape) {
  double log_boost = 0.0;
  if (shape < 1.0) {
    log_boost = std::log(uniform()) / shape;
    shape += 1.0;
  }
  const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = normal();
    const double v = std::pow(1.0 + c * x, 3.0);
    if (v <= 0.0) continue;
    if (std::log(uniform()) < 0.5 * x * x + d * (1.0 - v + std::log(v))) {
      return log_boost + std::log(d * v);
    }
  }
}

std::vector<double> WeightSampler::draw() {
  std::vector<double> weights(num_weights_);
  if (!dirichlet_) {
    for (double& weight : weights) {
      weight = std::exp(log_low_ + uniform() * (log_high_ - log_low_));
    }
    move_into_domain(domain_, weights);
    return weights;
  }
  for (double& weight : weights) weight = log_gamma_variate(alpha_);
  const double largest = *std::max_element(weights.begin(), weights.end());
  for (double& weight : weights) weight = std::exp(weight - largest);
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight *= total_ / total;
  return weights;
}

std::vector<double> WeightSampler::draw_near(std::span<const double> point, double spread) {
  std::vector<double> weights(point.begin(), point.end());
  for (double& weight : weights) weight *= std::exp(spread * normal());
  move_into_domain(domain_, weights);
  return weights;
}

}  // namespace sorites
