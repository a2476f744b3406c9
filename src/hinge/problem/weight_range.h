// The smallest and the largest weight among rules that have terms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// Part of a ground rule: a state that violates less of one is as good as one that violates none.
inline constexpr double kSmallestViolation = 0.01;

// Times each other: weights that do not go well together.
inline constexpr double kFarApart = 1000.0;

// Those of 0 apart.
struct WeightRange {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0.0;
  std::uint32_t lightest = 0, heaviest = 0;  // rules

  bool empty() const { return largest == 0.0; }
  void add(std::uint32_t rule, double weight) {
    if (weight > largest) {
      largest = weight;
      heaviest = rule;
    }
    if (weight > 0.0 && weight < smallest) {
      smallest = weight;
      lightest = rule;
    }
  }
};

WeightRange weight_range(const Model& model, const Parameters& parameters);

// That rounding errors of the heaviest rule's terms hide those of the lightest, with the weights
// times `weight_scale`; nothing if they are not that far apart. `where` are words about the second
// rule.
std::string blame_weights(const WeightRange& range,
                          double weight_scale,
                          std::string_view where = "");

// What less of an objective counts as in relative gaps: part of the heaviest rule, but one huge
// weight does not make all costs small.
inline double smallest_objective(const WeightRange& range) {
  if (range.empty()) return kSmallestViolation;
  return kSmallestViolation * std::min(range.largest, kFarApart * range.smallest);
}

}  // namespace sorites
