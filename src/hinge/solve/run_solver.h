// The method that was asked for, on a presolved problem.
#pragma once

#include "hinge/methods/auto_solver.h"
#include "hinge/problem/solver.h"
#include "hinge/problem/structure.h"

namespace sorites {

// Throws UnfitMethod if the solver does not work on a Problem.
SolverResult run_solver(ProblemStructure& structure,
                        PrimalDual start,
                        const SolveOptions& options,
                        ThreadPool& pool,
                        const AutoContext& context);

}  // namespace sorites
