#include "hinge/methods/warm_start.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sorites {

InferenceMemory remember(const Problem& problem, const PrimalDual& point) {
  InferenceMemory memory{point.x, point.multipliers, point.group_multipliers, {}};
  for (const RowBlock& block : problem.blocks) {
    if (is_hard(block.kind)) continue;
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const double weight = problem.weight[row];
      double& multiplier = memory.row_multipliers[row];
      multiplier = weight > 0.0 ? multiplier / weight : 0.0;
    }
  }
  return memory;
}

void check_memory(const Problem& problem, const InferenceMemory& memory) {
  const auto are_finite = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  };
  const std::size_t num_centres = memory.window_centres.size();
  if (memory.variables.size() != problem.num_variables ||
      memory.row_multipliers.size() != problem.num_rows() ||
      memory.group_multipliers.size() != problem.groups.size() ||
      (num_centres != 0 && num_centres != problem.num_variables) || !are_finite(memory.variables) ||
      !are_finite(memory.row_multipliers) || !are_finite(memory.group_multipliers) ||
      !are_finite(memory.window_centres)) {
    throw std::invalid_argument("solve: the memory is damaged, or of another model");
  }
}

PrimalDual recall(const Problem& problem,
                  ProblemStructure& structure,
                  const InferenceMemory& memory) {
  PrimalDual point{memory.variables, memory.row_multipliers, memory.group_multipliers};
  const std::vector<bool>& coupled = structure.coupled();
  for (std::size_t i = 0; i < problem.num_variables; ++i) {
    if (coupled[i]) {
      point.x[i] = std::clamp(point.x[i], problem.lower[i], problem.upper[i]);
      continue;
    }
    std::uint32_t hint = 0;
    point.x[i] = minimise(problem.folded.of(i), problem.upper[i], 0.0, 0.0, hint).x;
  }
  for (const RowBlock& block : problem.blocks) {
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      double& multiplier = point.multipliers[row];
      if (!is_hard(block.kind)) multiplier *= problem.weight[row];
      const Interval domain = domain_of(block.kind, problem.weight[row]);
      multiplier = std::clamp(multiplier, domain.low, domain.high);
    }
  }
  return point;
}

}  // namespace sorites
