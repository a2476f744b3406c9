// All weights that can be made of the values of a grid: (number of values)^(number of rules)
// points, of which only the one that is looked at exists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sorites/learn.h"

namespace sorites {

// A point is given by the places of its weights among the values, in ascending order.
using GridPoint = std::vector<std::uint32_t>;

class WeightGrid {
 public:
  // Equal values count once. In a simplex, points that are equal up to scale are one: the one of
  // smallest values is counted, the others are not. Weights that are all 0 are no point there.
  WeightGrid(std::span<const double> values, std::size_t num_weights, WeightDomain domain);

  // Of all combinations, those that do not count included; infinite if that is too large a number.
  double num_combinations() const;
  std::size_t num_values() const { return values_.size(); }
  std::size_t num_weights() const { return num_weights_; }

  GridPoint first() const { return GridPoint(num_weights_, 0); }
  bool advance(GridPoint& point) const;  // to the next combination; false after the last
  bool counts(const GridPoint& point) const;
  GridPoint representative(const GridPoint& point) const;  // the one that counts, of equal ones
  std::vector<double> weights_of(const GridPoint& point) const;  // in the domain

 private:
  // The point times `factor`, if its weights are all in the grid.
  bool scale(const GridPoint& point, double factor, GridPoint& scaled) const;

  std::vector<double> values_;  // ascending
  std::size_t num_weights_;
  WeightDomain domain_;
};

}  // namespace sorites
