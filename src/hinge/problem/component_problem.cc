#include "hinge/problem/component_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hinge/problem/row_loop.h"

namespace sorites {

// Of a product and of adding it: half a unit in the last place each.
constexpr double kRounding = std::numeric_limits<double>::epsilon();

std::vector<ComponentBounds> bounds_by_component(
    const Problem& problem,
    std::span<const std::uint32_t> component_of_variable,
    std::size_t num_components,
    PrimalDual& point,
    ThreadPool& pool) {
  std::vector<ComponentBounds> bounds(num_components);
  std::vector<double> gradient;
  evaluate(problem, point, gradient, pool);
  const std::span<const std::uint32_t> of = component_of_variable;
  for_blocks(problem,
             {0, problem.num_rows()},
             [&](const RowBlock& block, auto width, std::size_t first, std::size_t last) {
               const std::uint32_t* entry = problem.variables_of(block, first).data();
               if (block.width() == 0) return;
               double reach = 0.0;  // of a residual, its constant apart
               for (const double a : block.coefficients) reach += std::abs(a);
               for (std::size_t row = first; row < last; ++row, entry += width.value(block)) {
                 const double b = problem.offset[row], w = problem.weight[row];
                 const double residual = b + dot(block, width, entry, point.x.data());
                 const double mu = point.multipliers[row];
                 ComponentBounds& own = bounds[of[*entry]];
                 own.objective += potential(block.kind, w, residual);
                 own.lower_bound += mu * b - conjugate(block.kind, w, mu);
                 own.rounding += kRounding * std::abs(mu) * (std::abs(b) + reach);

                 own.violation = std::max(own.violation, violation(block.kind, residual));
               }
             });
  for (std::size_t g = 0; g < problem.groups.size(); ++g) {
    const Group& group = problem.groups[g];
    ComponentBounds& own = bounds[of[problem.group_variables[group.first]]];
    double sum = -group.total;
    for (std::size_t k = 0; k < group.count; ++k) {
      sum += point.x[problem.group_variables[group.first + k]];
    }
    own.violation = std::max(own.violation, std::abs(sum));
    const double part = point.group_multipliers[g] * group.total;
    own.lower_bound -= part;
    own.rounding +=
        kRounding * (std::abs(part) + std::abs(point.group_multipliers[g]) * group.count);
  }
  for (std::size_t i = 0; i < problem.num_variables; ++i) {
    const auto segments = problem.folded.of(i);
    ComponentBounds& own = bounds[of[i]];
    const double least = lowest(segments, problem.upper[i], gradient[i]);
    own.objective += segments[segment_at(segments, point.x[i])].value(point.x[i]);
    own.lower_bound += least;
    own.rounding += kRounding * std::abs(least);
  }
  return bounds;
}

ComponentProblems::ComponentProblems(const Problem& problem, const Components& components)
    : problem_(problem), components_(components), number_(problem.num_variables) {
  for (std::size_t c = 0; c < components.count(); ++c) {
    std::uint32_t next = 0;
    for (const std::uint32_t i : components.variables_of(c)) number_[i] = next++;
  }
}

Problem ComponentProblems::problem_of(std::size_t component, double unit) const {
  Problem own;
  const auto variables = components_.variables_of(component);
  own.num_variables = variables.size();
  own.folded.begin.push_back(0);
  for (const std::uint32_t i : variables) {
    own.lower.push_back(problem_.lower[i]);
    own.upper.push_back(problem_.upper[i]);
    for (const Segment& s : problem_.folded.of(i)) {
      own.folded.segments.push_back(
          {s.start, s.constant / unit, s.slope / unit, s.curvature / unit});
    }
    own.folded.begin.push_back(own.folded.segments.size());
  }
  const auto rows = components_.rows_of(component);
  auto next = rows.begin();
  for (const RowBlock& block : problem_.blocks) {
    if (next == rows.end() || *next >= block.end_row()) continue;
    RowBlock& to = own.blocks.emplace_back(block);
    to.first_row = own.num_rows();
    to.first_entry = own.variables.size();
    for (; next != rows.end() && *next < block.end_row(); ++next) {
      for (const std::uint32_t i : problem_.variables_of(block, *next)) {
        own.variables.push_back(number_[i]);
      }
      own.weight.push_back(problem_.weight[*next] / unit);
      own.offset.push_back(problem_.offset[*next]);
    }
    to.num_rows = own.num_rows() - to.first_row;
  }
  for (const std::uint32_t g : components_.groups_of(component)) {
    const Group& group = problem_.groups[g];
    own.groups.push_back(
        {static_cast<std::uint32_t>(own.group_variables.size()), group.count, group.total});
    for (std::size_t k = 0; k < group.count; ++k) {
      own.group_variables.push_back(number_[problem_.group_variables[group.first + k]]);
    }
  }
  return own;
}

PrimalDual ComponentProblems::point_of(std::size_t component,
                                       double unit,
                                       const PrimalDual& whole) const {
  PrimalDual own;
  for (const std::uint32_t i : components_.variables_of(component)) own.x.push_back(whole.x[i]);
  for (const std::uint32_t row : components_.rows_of(component)) {
    own.multipliers.push_back(whole.multipliers[row] / unit);
  }
  for (const std::uint32_t g : components_.groups_of(component)) {
    own.group_multipliers.push_back(whole.group_multipliers[g] / unit);
  }
  return own;
}

void ComponentProblems::put_back(std::size_t component,
                                 double unit,
                                 const PrimalDual& point,
                                 PrimalDual& whole) const {
  const auto put = [](std::span<const std::uint32_t> places,
                      const std::vector<double>& from,
                      double factor,
                      std::vector<double>& to) {
    for (std::size_t k = 0; k < places.size(); ++k) to[places[k]] = factor * from[k];
  };
  put(components_.variables_of(component), point.x, 1.0, whole.x);
  put(components_.rows_of(component), point.multipliers, unit, whole.multipliers);
  put(components_.groups_of(component), point.group_multipliers, unit, whole.group_multipliers);
}

}  // namespace sorites
