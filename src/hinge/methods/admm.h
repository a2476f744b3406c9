// Consensus ADMM on the folded problem.
//
// Boyd, Parikh, Chu, Peleato, Eckstein, "Distributed Optimization and Statistical Learning via the
// Alternating Direction Method of Multipliers", 2011, section 7.2: every row has its own copy of
// its variables, which the iteration brings to agree. A row sees x only through a'x, so that one
// stored number per row replaces a copy and a multiplier per entry; f_i and the groups are the
// consensus step. With over-relaxation (section 3.4.3), a penalty per row in the units of its
// potential, and a common factor rho that follows the ratio of dual to primal movement.
#pragma once

#include "hinge/problem/solver.h"

namespace sorites {

SolverResult solve_admm(const Problem& problem,
                        PrimalDual start,
                        const SolveOptions& options,
                        ThreadPool& pool);

}  // namespace sorites
