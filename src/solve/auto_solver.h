// The default: solvers chosen by the structure of the problem, one after the other as long as they
// get on.
#pragma once

#include <string>

#include "solve/solver.h"
#include "solve/structure.h"

namespace sorites {

// `ran` becomes the names of what ran, as in "coordinate-descent, admm".
SolverResult solve_auto(const Problem& problem,
                        ProblemStructure& structure,
                        PrimalDual start,
                        const SolveOptions& options,
                        ThreadPool& pool,
                        std::string& ran);

}  // namespace sorites
