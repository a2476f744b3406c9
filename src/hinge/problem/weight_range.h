// The smallest and the largest weight among rules that have terms.
#pragma once

#include <cstdint>
#include <limits>

#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// Part of a ground rule: a state that violates less of one is as good as one that violates none.
inline constexpr double kSmallestViolation = 0.01;

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

}  // namespace sorites
