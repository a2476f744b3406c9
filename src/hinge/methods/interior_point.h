// Primal-dual interior point with sparse Cholesky factorisations.
//
// Every potential and every kink of a folded function is a term with a multiplier; slacks are
// eliminated, so that the Newton system has one row per variable:
//   (C + A'DA) dx = ...,  D diagonal, C from curvatures and bounds.
// Predictor and corrector share a factorisation (Mehrotra, "On the implementation of a primal-dual
// interior point method", 1992). Components need no care of their own: an ordering that avoids fill
// keeps them apart, and one factorisation serves thousands of small ones.
#pragma once

#include "hinge/problem/solver.h"

namespace sorites {

// Entries of the Cholesky factor that a call may be asked to wait for: 160 MB, and some seconds per
// iteration.
inline constexpr std::size_t kMostFactorEntries = 20'000'000;

// kIterationLimit with the start as it is if the factor would have more entries than that.
SolverResult solve_interior_point(const Problem& problem,
                                  PrimalDual start,
                                  const SolveOptions& options,
                                  ThreadPool& pool,
                                  std::size_t most_factor_entries = kMostFactorEntries);

}  // namespace sorites
