#include "hinge/problem/best_point.h"

#include <algorithm>
#include <cmath>

namespace sorites {

// Violations within what was asked for are all the same; then what is nearest to the bound wins: a
// state that violates a little may even lie below it.
bool BestPoint::is_better_state(const Bounds& bounds) const {
  const double violation = std::max(bounds.violation, options_.violation);
  const double best_violation = std::max(best_.violation, options_.violation);
  if (violation != best_violation) return violation < best_violation;
  return std::abs(bounds.objective - best_.lower_bound) <
         std::abs(best_.objective - best_.lower_bound);
}

std::optional<SolveStatus> BestPoint::check(PrimalDual& point, std::uint64_t iterations) {
  const std::optional<SolveStatus> status = rule_.check(point, iterations);
  const Bounds& bounds = rule_.bounds();
  if (!std::isfinite(bounds.objective) || !std::isfinite(bounds.lower_bound)) return status;
  if (status == SolveStatus::kOptimal || status == SolveStatus::kInfeasible || !has_point_) {
    point_ = point;
    best_ = bounds;
    has_point_ = true;
    return status;
  }
  if (bounds.lower_bound > best_.lower_bound) {
    best_.lower_bound = bounds.lower_bound;
    point_.multipliers = point.multipliers;
    point_.group_multipliers = point.group_multipliers;
  }
  if (is_better_state(bounds)) {
    best_.objective = bounds.objective;
    best_.violation = bounds.violation;
    point_.x = point.x;
  }
  const bool optimal =
      std::abs(best_gap()) <= options_.gap && best_.violation <= options_.violation;
  return optimal ? SolveStatus::kOptimal : status;
}

SolverResult BestPoint::result(SolveStatus status, std::uint64_t iterations) && {
  return {std::move(point_), status, iterations, best_};
}

// A check is two passes over the rows, about as much as an iteration: every tenth costs a tenth
// more, and so does a stop that comes up to a tenth late. The first ones come sooner, since many
// models take no more than ten iterations (docs/benchmarks.md, all solvers).
bool is_time_to_check(std::uint64_t iteration, std::uint64_t last_check) {
  constexpr std::uint64_t kFirst = 10, kFirstApart = 5, kShare = 10;
  if (iteration <= kFirst) return iteration % kFirstApart == 0;
  return iteration - last_check >= std::max(kFirst, last_check / kShare);
}

}  // namespace sorites
