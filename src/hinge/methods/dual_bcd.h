// Dual block coordinate descent: exact steps along one multiplier at a time.
//
// Dickens, Gao, Pryor, Wright, Getoor, "Convex and Bilevel Optimization for Neuro-Symbolic
// Inference and Learning", 2024, section 5.3 and appendix D. There a regulariser eps |x|^2 makes
// the dual smooth; with SolveOptions::regularization that is what runs. Without it, the regulariser
// is around a centre that follows the state (the proximal point method), so that the answer is that
// of the problem itself. A row's block is its multiplier; those of the bounds are eliminated.
#pragma once

#include "hinge/problem/solver.h"

namespace sorites {

// The regularised dual ascends at every step. Threads share the connected components. The iterates
// do not depend on their number.
SolverResult solve_dual_bcd(const Problem& problem,
                            PrimalDual start,
                            const SolveOptions& options,
                            ThreadPool& pool);

// Threads share all rows and do not wait for each other; only single numbers change atomically. Not
// deterministic with several threads.
SolverResult solve_dual_bcd_lock_free(const Problem& problem,
                                      PrimalDual start,
                                      const SolveOptions& options,
                                      ThreadPool& pool);

}  // namespace sorites
