// The multiplier of a sum: the lambda at which  sum over i of x_i(lambda) = total,  where every x_i
// falls as lambda rises.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace sorites {

// `scale` is the size that multipliers have, up to a few powers of ten: a first step, and what
// closeness is measured by. `sum_at(lambda, slope)` gives the sum of the x_i and sets slope to its
// derivative (not positive, 0 where it jumps or is flat). `lambda` is a first guess and becomes the
// answer. Newton's method inside a bracket; where the sum jumps over `total`, the place of the
// jump.
template <class SumAt>
void find_group_multiplier(const SumAt& sum_at, double total, double scale, double& lambda) {
  // Every eighth step halves the bracket, so that 100 steps leave 2^-12 of it in the worst case;
  // from the multiplier of the iteration before it takes two or three.
  constexpr int kMaxSteps = 100, kHalvingPeriod = 8;
  constexpr double kSumTolerance = 1e-13;               // rounding of a sum of hundreds of members
  constexpr double kBracketTolerance = 1e-15;           // a few units in the last place
  const double far_away = 1e15 * std::max(scale, 1.0);  // no finite lambda meets the sum
  constexpr double kExpansion = 4.0;
  double high = std::numeric_limits<double>::infinity();
  double low = -high;  // sum(low) > total > sum(high)
  double step = scale;
  for (int i = 0; i < kMaxSteps; ++i) {
    double slope = 0.0;
    const double excess = sum_at(lambda, slope) - total;
    if (std::abs(excess) <= kSumTolerance * std::max(1.0, std::abs(total))) return;
    (excess > 0.0 ? low : high) = lambda;
    double next = slope < 0.0 ? lambda - excess / slope : lambda + (excess > 0.0 ? step : -step);
    if (slope == 0.0) step *= kExpansion;
    if (!(next > low && next < high)) {
      if (std::isinf(low) || std::isinf(high)) {
        next = lambda + (excess > 0.0 ? step : -step);
        step *= kExpansion;
      } else {
        next = 0.5 * (low + high);
      }
    } else if (std::isfinite(low) && std::isfinite(high) &&
               i % kHalvingPeriod == kHalvingPeriod - 1) {
      next = 0.5 * (low + high);  // Newton may creep along one side of a kink
    }
    if (next == lambda || std::abs(next) > far_away) return;
    if (std::isfinite(low) && std::isfinite(high) &&
        high - low <= kBracketTolerance * std::max(std::min(scale, 1.0), std::abs(lambda))) {
      return;
    }
    lambda = next;
  }
}

}  // namespace sorites
