// How good a point is in every connected component, in the component's own unit.
//
// A gap relative to the objective of the whole says little of a component whose weights are small
// beside those of others: its part of the sum is lost in theirs. So each is measured on its own,
//
//   (objective_c - bound_c) / max(O_c, smallest_size of c),
//
// where O_c is the objective of the whole as seen from c: where the largest weight u_d of another
// component is above that of c, its objective counts in the unit of c, times u_c / u_d. Where
// weights are alike O_c is the whole objective, and a component asks no more than all of them do.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hinge/presolve/presolve.h"
#include "hinge/problem/component_problem.h"
#include "hinge/problem/weight_range.h"

namespace sorites {

// What less of a component's objective counts as: a hundredth of its smallest weight. Heavy ones
// are not allowed more than the whole model (problem/weight_range.h), of whose objective they are
// part.
inline double smallest_size(const WeightRange& component, double smallest_objective) {
  return std::min(kSmallestViolation * component.smallest, smallest_objective);
}

// Which rules have terms in which component of the presolved problem; that stays when weights
// change. Most components have the same rules: their sets are the paths of a tree, each rule below
// the one before it.
class ComponentRules {
 public:
  ComponentRules(const Model& model,
                 const AtomMap& atoms,
                 std::span<const std::uint32_t> component_of_variable);

  std::vector<WeightRange> ranges(const Parameters& parameters) const;  // per component

 private:
  struct Node {
    std::uint32_t before = 0, rule = 0;
  };
  std::vector<Node> nodes_{{}};         // the first one: no rules
  std::vector<std::uint32_t> node_of_;  // per component
};

// The gap of every component as above. 0 for those without weighted rules: all states that keep the
// hard rules are equally good.
std::vector<double> component_gaps(std::span<const ComponentBounds> bounds,
                                   std::span<const WeightRange> ranges,
                                   double smallest_objective);

}  // namespace sorites
