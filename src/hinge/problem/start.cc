#include "hinge/problem/start.h"

#include <algorithm>
#include <cmath>

#include "hinge/problem/solver.h"

namespace sorites {
namespace {

// Replaces what is missing or not finite.
void complete(std::vector<double>& values, const std::vector<double>& defaults) {
  const std::size_t given = std::min(values.size(), defaults.size());
  values.resize(defaults.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i >= given || !std::isfinite(values[i])) values[i] = defaults[i];
  }
}

}  // namespace

PrimalDual usable_start(const Problem& problem, PrimalDual start) {
  const PrimalDual cold = cold_start(problem);
  complete(start.x, cold.x);
  complete(start.multipliers, cold.multipliers);
  complete(start.group_multipliers, cold.group_multipliers);
  for (std::size_t i = 0; i < problem.num_variables; ++i) {
    start.x[i] = std::clamp(start.x[i], problem.lower[i], problem.upper[i]);
  }
  for (const RowBlock& block : problem.blocks) {
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const Interval domain = domain_of(block.kind, problem.weight[row]);
      start.multipliers[row] = std::clamp(start.multipliers[row], domain.low, domain.high);
    }
  }
  return start;
}

PrimalDual groups_to_rows(PrimalDual point) {
  point.multipliers.insert(
      point.multipliers.end(), point.group_multipliers.begin(), point.group_multipliers.end());
  point.group_multipliers.clear();
  return point;
}

PrimalDual rows_to_groups(PrimalDual point, std::size_t num_groups) {
  const auto first = point.multipliers.end() - static_cast<std::ptrdiff_t>(num_groups);
  point.group_multipliers.assign(first, point.multipliers.end());
  point.multipliers.erase(first, point.multipliers.end());
  return point;
}

}  // namespace sorites
