// The default: solvers chosen by the structure of the problem, one after the other as long as they
// get on.
#pragma once

#include <functional>
#include <string>

#include "hinge/problem/solver.h"
#include "hinge/problem/structure.h"

namespace sorites {

// `ran` becomes the names of what ran, as in "coordinate-descent, admm". `is_contradictory`, if
// any, is asked if hard rows are still broken after a while: whether they contradict each other.
SolverResult solve_auto(const Problem& problem,
                        ProblemStructure& structure,
                        PrimalDual start,
                        const SolveOptions& options,
                        ThreadPool& pool,
                        std::string& ran,
                        const std::function<bool()>& is_contradictory = {});

}  // namespace sorites
