// The points that a search has tried, and the best of them.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "learn/search.h"

namespace sorites {

class Trials {
 public:
  // No more than `max_points` are tried; 0: no such end.
  Trials(const SearchObjective& objective, const SearchStep& step, std::uint64_t max_points)
      : objective_(objective), step_(step), max_points_(max_points) {}

  bool ended() const { return ended_ || (max_points_ > 0 && num_points_ >= max_points_); }
  std::uint64_t max_points() const { return max_points_; }

  // Not to be called after the end.
  double attempt(std::span<const double> weights, double effort = 1.0) {
    double value = objective_(weights, effort);
    if (!std::isfinite(value)) value = std::numeric_limits<double>::infinity();
    ++num_points_;
    if (effort >= 1.0 && (best_.weights.empty() || value < best_.objective)) {
      best_.weights.assign(weights.begin(), weights.end());
      best_.objective = value;
    }
    ended_ = !step_(weights, effort, value);
    return value;
  }

  const SearchOutcome& best() const { return best_; }

  SearchOutcome outcome() && {
    best_.complete = !ended_;
    return std::move(best_);
  }

 private:
  const SearchObjective& objective_;
  const SearchStep& step_;
  std::uint64_t max_points_;
  std::uint64_t num_points_ = 0;
  bool ended_ = false;
  SearchOutcome best_;
};

}  // namespace sorites
