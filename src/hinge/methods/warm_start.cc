#include "hinge/methods/warm_start.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sorites {

std::vector<double> remember(const Problem& problem, const PrimalDual& point) {
  const std::size_t rows = problem.num_variables;
  std::vector<double> memory(point.x);
  memory.reserve(rows + problem.num_rows() + problem.groups.size());
  memory.insert(memory.end(), point.multipliers.begin(), point.multipliers.end());
  for (const RowBlock& block : problem.blocks) {
    if (is_hard(block.kind)) continue;
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const double weight = problem.weight[row];
      memory[rows + row] = weight > 0.0 ? memory[rows + row] / weight : 0.0;
    }
  }
  memory.insert(memory.end(), point.group_multipliers.begin(), point.group_multipliers.end());
  return memory;
}

std::size_t memory_size(const Problem& problem) {
  return problem.num_variables + problem.num_rows() + problem.groups.size();
}

void check_memory(const Problem& problem, std::span<const double> memory) {
  const std::size_t size = memory_size(problem);
  const auto finite = [](double value) { return std::isfinite(value); };
  if ((memory.size() != size && memory.size() != size + problem.num_variables) ||
      !std::all_of(memory.begin(), memory.end(), finite)) {
    throw std::invalid_argument("solve: the memory is damaged, or of another model");
  }
}

PrimalDual recall(const Problem& problem,
                  ProblemStructure& structure,
                  std::span<const double> memory) {
  PrimalDual point;
  const auto take = [&](std::size_t count) {
    const std::span<const double> taken = memory.first(count);
    memory = memory.subspan(count);
    return std::vector<double>(taken.begin(), taken.end());
  };
  point.x = take(problem.num_variables);
  point.multipliers = take(problem.num_rows());
  point.group_multipliers = take(problem.groups.size());
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
