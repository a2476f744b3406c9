// Coordinate descent: exact minima along one variable at a time, residuals kept up to date.
//
// Rows of every kind follow one law: their multiplier is  clip(lambda + rate r, low, high)  with
// the domain of the kind; a squared hinge has lambda = 0 and rate = 2w and is exact, for the others
// it is the augmented Lagrangian, whose lambda follows the multiplier (Bertsekas, "Constrained
// Optimization and Lagrange Multiplier Methods", 1982). So what is minimised between two updates is
// smooth but for the folded functions, and these are separable: no kink can hold a sweep up.
#pragma once

#include "hinge/problem/solver.h"
#include "hinge/problem/structure.h"

namespace sorites {

SolverResult solve_coordinate_descent(const Problem& problem,
                                      PrimalDual start,
                                      const SolveOptions& options,
                                      ThreadPool& pool);

// The same, but ends with kIterationLimit as soon as too many sweeps seem to be left.
SolverResult descend_while_worthwhile(const Problem& problem,
                                      ProblemStructure& structure,
                                      PrimalDual start,
                                      const SolveOptions& options,
                                      ThreadPool& pool);

}  // namespace sorites
