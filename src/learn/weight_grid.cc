#include "learn/weight_grid.h"

#include <algorithm>
#include <cmath>

#include "learn/learning.h"
#include "learn/weight_sampler.h"

namespace sorites {

WeightGrid::WeightGrid(std::span<const double> values, std::size_t num_weights, WeightDomain domain)
    : values_(values.begin(), values.end()), num_weights_(num_weights), domain_(domain) {
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
}

double WeightGrid::num_combinations() const {
  return std::pow(static_cast<double>(values_.size()), static_cast<double>(num_weights_));
}

bool WeightGrid::advance(GridPoint& point) const {
  for (std::size_t i = point.size(); i-- > 0;) {
    if (++point[i] < values_.size()) return true;
    point[i] = 0;
  }
  return false;
}

bool WeightGrid::scale(const GridPoint& point, double factor, GridPoint& scaled) const {
  constexpr double kRounding = 1e-9;  // of a product of grid values
  scaled.resize(point.size());
  for (std::size_t i = 0; i < point.size(); ++i) {
    const double wanted = values_[point[i]] * factor;
    const auto found = std::lower_bound(values_.begin(), values_.end(), wanted * (1.0 - kRounding));
    if (found == values_.end() || *found > wanted * (1.0 + kRounding)) return false;
    scaled[i] = static_cast<std::uint32_t>(found - values_.begin());
  }
  return true;
}

GridPoint WeightGrid::representative(const GridPoint& point) const {
  if (!is_simplex(domain_)) return point;
  const std::uint32_t largest = *std::max_element(point.begin(), point.end());
  GridPoint scaled;
  for (std::uint32_t value = 0; value < largest; ++value) {
    if (values_[value] > 0.0 && scale(point, values_[value] / values_[largest], scaled)) {
      return scaled;
    }
  }
  return point;
}

bool WeightGrid::counts(const GridPoint& point) const {
  if (!is_simplex(domain_)) return true;
  const bool all_zero = std::all_of(
      point.begin(), point.end(), [&](std::uint32_t place) { return values_[place] == 0.0; });
  return !all_zero && representative(point) == point;
}

std::vector<double> WeightGrid::weights_of(const GridPoint& point) const {
  std::vector<double> weights;
  weights.reserve(point.size());
  for (const std::uint32_t place : point) weights.push_back(values_[place]);
  move_into_domain(domain_, weights);
  return weights;
}

}  // namespace sorites
