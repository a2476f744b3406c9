// The multiplier of a sum: the lambda at which  sum over i of x_i(lambda) = total,  where every x_i
// falls as lambda rises.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace sorites {

namespace internal {

// sum(low) > total > sum(high); infinite as long as no such lambda is known.
struct MultiplierBracket {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool closed() const { return std::isfinite(low) && std::isfinite(high); }
  bool holds(double lambda) const { return lambda > low && lambda < high; }
  double middle() const { return 0.5 * (low + high); }
};

}  // namespace internal

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
  constexpr double kSumTolerance = 1e-13;      // rounding of a sum of hundreds of members
  constexpr double kBracketTolerance = 1e-15;  // a few units in the last place
  constexpr double kFar = 1e15;  // in units of the slopes: no finite lambda meets the sum
  const double far_away = kFar * std::max(scale, 1.0);
  constexpr double kExpansion = 4.0;
  internal::MultiplierBracket bracket;
  double step = scale;
  for (int i = 0; i < kMaxSteps; ++i) {
    double slope = 0.0;
    const double excess = sum_at(lambda, slope) - total;
    if (std::abs(excess) <= kSumTolerance * std::max(1.0, std::abs(total))) return;
    (excess > 0.0 ? bracket.low : bracket.high) = lambda;
    double next = lambda + (slope < 0.0 ? -excess / slope : std::copysign(step, excess));
    if (slope == 0.0) step *= kExpansion;
    const bool halves = i % kHalvingPeriod == kHalvingPeriod - 1;  // Newton may creep along a kink
    if (bracket.closed() && (halves || !bracket.holds(next))) {
      next = bracket.middle();
    } else if (!bracket.holds(next)) {
      next = lambda + std::copysign(step, excess);
      step *= kExpansion;
    }
    if (next == lambda || std::abs(next) > far_away) return;
    const double close = kBracketTolerance * std::max(std::min(scale, 1.0), std::abs(lambda));
    if (bracket.closed() && bracket.high - bracket.low <= close) return;
    lambda = next;
  }
}

}  // namespace sorites
