// Exact MAP inference with integer atoms: those of `options.integer` are 0 or 1, the others stay
// within [0, 1].
//
// Every connected part of the model is solved on its own, on all threads. Parts whose atoms are all
// integer go to branch and bound of our own (binary_search.h). What that leaves, and parts that are
// a flow or have continuous atoms, have a linear relaxation, made exact by outer approximation
// (linear_relaxation.h); where it leaves integer atoms between 0 and 1, CBC over the relaxation and
// more pieces take turns until bound and point meet. The bound is that of branch and bound: there
// are no multipliers that would prove it, but for those of relaxations.
#pragma once

#include <span>

#include "base/thread_pool.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// `multipliers` stay empty; `iterations` are nodes of branch and bound. Status:
//   kOptimal         gap and violation are within what was asked for
//   kTimeLimit, kInterrupted, kIterationLimit (max_iterations nodes): the best bound, and the best
//                    state found; `message` says if that is only a rounding
//   kInfeasible      no state keeps the hard rules with these atoms integer; `message` says whether
//                    fractions would help, `conflict` which ground rules, if all their atoms are
//                    integer. Parts that have a state are solved all the same
//   kNumericalError  a number that is not finite, or a negative weight
// `start`, one value per atom or nothing, is where a last solve ended: states worse than it are not
// looked at where it keeps the hard rules. max_iterations counts nodes per connected part.
// Throws std::invalid_argument if `options.integer` names atoms that the model does not have.
Solution solve_integer(const Model& model,
                       const Parameters& parameters,
                       const SolveOptions& options,
                       ThreadPool& pool,
                       std::span<const double> start = {});

}  // namespace sorites
