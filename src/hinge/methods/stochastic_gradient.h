// Stochastic gradient: rows are visited in random order, each moves its own variables at once.
//
// A step goes by the slope where it ends (a proximal step: Bertsekas, "Incremental proximal methods
// for large scale convex optimization", 2011), so that long steps do no harm. All it keeps is x and
// its average over the later half of the passes; multipliers are slopes at that average, made when
// a check needs them. Roughly optimal within a few passes and slow after that, so that it mostly
// ends at its limit of passes, and says so.
#pragma once

#include "hinge/problem/solver.h"

namespace sorites {

// `options.seed` decides the order; the result is the same for every number of threads.
SolverResult solve_stochastic_gradient(const Problem& problem,
                                       PrimalDual start,
                                       const SolveOptions& options,
                                       ThreadPool& pool);

}  // namespace sorites
