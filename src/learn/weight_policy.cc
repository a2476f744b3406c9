#include "learn/weight_policy.h"

#include <algorithm>
#include <cmath>

namespace sorites {
namespace {

void draw_log_normal(double deviation,
                     std::span<const std::size_t> learned,
                     std::mt19937_64& random,
                     DrawnWeights& drawn) {
  std::normal_distribution<> normal;
  for (const std::size_t r : learned) {
    const double z = normal(random), weight = drawn.weights[r];
    if (weight <= 0.0) continue;
    drawn.weights[r] *= std::exp(deviation * z - 0.5 * deviation * deviation);
    drawn.score[r] = z / (deviation * weight);
  }
}

// Shares h of concentrations c p, with p the shares of the weights:
// d log p(h) / d p_r = c (log h_r - digamma(c p_r)), up to a constant for all r, which does not
// matter at a fixed sum.
void draw_dirichlet(double deviation,
                    std::span<const std::size_t> learned,
                    std::mt19937_64& random,
                    DrawnWeights& drawn) {
  double sum = 0.0, drawn_sum = 0.0;
  for (const std::size_t r : learned) sum += drawn.weights[r];
  if (sum <= 0.0 || learned.size() < 2) return;
  // A share of 1/n has the variance (1/n)(1 - 1/n) / (c + 1).
  const auto others = static_cast<double>(learned.size() - 1);
  const double concentration = std::max(others / (deviation * deviation) - 1.0, 1.0);
  constexpr double kSmallestShare = 1e-12;  // whose logarithm is finite
  std::vector<double> share, gamma;
  for (const std::size_t r : learned) {
    share.push_back(std::max(drawn.weights[r] / sum, kSmallestShare));
    gamma.push_back(std::gamma_distribution<>(concentration * share.back(), 1.0)(random));
    drawn_sum += gamma.back();
  }
  double mean = 0.0;
  std::vector<double> slope;
  for (std::size_t k = 0; k < learned.size(); ++k) {
    const double h = std::max(gamma[k] / drawn_sum, kSmallestShare);
    slope.push_back(concentration * (std::log(h) - digamma(concentration * share[k])));
    mean += share[k] * slope[k];
    drawn.weights[learned[k]] = h * sum;
  }
  for (std::size_t k = 0; k < learned.size(); ++k) {
    drawn.score[learned[k]] = (slope[k] - mean) / sum;
  }
}

}  // namespace

DrawnWeights draw_weights(const PolicyOptions& options,
                          std::span<const double> weights,
                          std::span<const std::size_t> learned,
                          std::mt19937_64& random) {
  DrawnWeights drawn{{weights.begin(), weights.end()}, std::vector<double>(weights.size(), 0.0)};
  if (options.weights == WeightPolicy::kLogNormal) {
    draw_log_normal(options.deviation, learned, random, drawn);
  } else if (options.weights == WeightPolicy::kDirichlet) {
    draw_dirichlet(options.deviation, learned, random, drawn);
  }
  return drawn;
}

// By psi(x) = psi(x + 1) - 1/x up to where the asymptotic series is exact (Abramowitz and Stegun
// 1964, 6.3.5 and 6.3.18).
double digamma(double x) {
  double result = 0.0;
  while (x < 10.0) {
    result -= 1.0 / x;
    x += 1.0;
  }
  const double y = 1.0 / (x * x);
  return result + std::log(x) - 0.5 / x -
         y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y * (1.0 / 240.0 - y / 132.0))));
}

}  // namespace sorites
