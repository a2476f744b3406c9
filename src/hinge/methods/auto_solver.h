// The default: solvers chosen by the structure of the problem, one after the other as long as they
// get on.
#pragma once

#include <functional>
#include <string>

#include "hinge/problem/solver.h"
#include "hinge/problem/structure.h"

namespace sorites {

// What the choice depends on besides the problem.
struct AutoContext {
  bool solves_again = false;  // other numbers will come, so that costly parts of a structure pay
  // Components can be solved on their own: a problem of several that takes long is given back with
  // an iteration limit.
  bool may_give_back = false;
  // Asked if hard rows are still broken after a while: whether they contradict each other.
  std::function<bool()> is_contradictory;
};

// The result says what ran, as in "coordinate-descent, admm".
SolverResult solve_auto(ProblemStructure& structure,
                        PrimalDual start,
                        const SolveOptions& options,
                        ThreadPool& pool,
                        const AutoContext& context = {});

}  // namespace sorites
