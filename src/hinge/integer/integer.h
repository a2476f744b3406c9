// Exact MAP inference with integer atoms: those of `options.integer` are 0 or 1, the others stay
// within [0, 1].
//
// Every connected part of the model is solved on its own. Its linear relaxation is made exact by
// outer approximation (linear_relaxation.h); where that leaves integer atoms between 0 and 1,
// branch and bound over the relaxation and more pieces take turns until bound and point meet. The
// bound is that of branch and bound: there are no multipliers that would prove it.
#pragma once

#include "base/thread_pool.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// `multipliers` and `conflict` stay empty; `iterations` are nodes of branch and bound. Status:
//   kOptimal         gap and violation are within what was asked for
//   kTimeLimit, kInterrupted, kIterationLimit (max_iterations nodes): the best bound, and the best
//                    state found; `message` says if that is only a rounding
//   kInfeasible      no state keeps the hard rules with these atoms integer; `message` says whether
//                    fractions would help
//   kNumericalError  a number that is not finite, or a negative weight
// Throws std::invalid_argument if `options.integer` names atoms that the model does not have.
Solution solve_integer(const Model& model,
                       const Parameters& parameters,
                       const SolveOptions& options,
                       ThreadPool& pool);

}  // namespace sorites
