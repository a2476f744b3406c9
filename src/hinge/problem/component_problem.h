// A connected component of a problem on its own: its bounds, and the problem that it is, in its own
// unit. Components have no terms in common, so that the minimum of the whole is that of each.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "hinge/problem/components.h"
#include "hinge/problem/solver.h"

namespace sorites {

struct ComponentBounds : Bounds {
  double rounding = 0.0;  // that the bound may have: large multipliers may cancel out in it

  double error() const { return std::abs(objective - lower_bound) + rounding; }
};

// Per component. The constant of the problem belongs to none. Group multipliers are set to those
// that give the best bound.
std::vector<ComponentBounds> bounds_by_component(
    const Problem& problem,
    std::span<const std::uint32_t> component_of_variable,
    std::size_t num_components,
    PrimalDual& point,
    ThreadPool& pool);

// The same of marked components, with group multipliers as they are; others have nothing but zeros.
std::vector<ComponentBounds> bounds_of_marked(const Problem& problem,
                                              std::span<const std::uint32_t> component_of_variable,
                                              const std::vector<bool>& marked,
                                              const PrimalDual& point);

// Hard rows that are broken a little make the errors of their components less, even negative, by so
// much in sum, their rounding included: that of the whole need not be above all of them.
double hidden_by_hard_rows(const Problem& problem, const PrimalDual& point);

// Takes components out of a problem, and their points back to it. All of it must outlive it.
class ComponentProblems {
 public:
  ComponentProblems(const Problem& problem, const Components& components);

  // Weights are divided by `unit`.
  Problem problem_of(std::size_t component, double unit) const;
  PrimalDual point_of(std::size_t component, double unit, const PrimalDual& whole) const;
  void put_back(std::size_t component,
                double unit,
                const PrimalDual& point,
                PrimalDual& whole) const;

 private:
  const Problem& problem_;
  const Components& components_;
  std::vector<std::uint32_t> number_;  // per variable: in its component
};

}  // namespace sorites
