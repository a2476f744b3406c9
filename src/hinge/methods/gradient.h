// Projected gradient with momentum.
//
// Rows follow the law of the augmented Lagrangian, multiplier = clip(lambda + rate r, domain),
// which is exact for squared hinges and makes the others smooth (as in coordinate_descent.h);
// folded functions and groups are the proximal step, with a step size of its own for every
// variable. The momentum is Nesterov's, started anew when it points uphill (O'Donoghue and Candes,
// "Adaptive restart for accelerated gradient schemes", 2015). One pass over the rows per iteration
// and next to no memory: the method for problems that are too large for the others.
#pragma once

#include "hinge/problem/solver.h"

namespace sorites {

SolverResult solve_gradient(const Problem& problem,
                            PrimalDual start,
                            const SolveOptions& options,
                            ThreadPool& pool);

}  // namespace sorites
