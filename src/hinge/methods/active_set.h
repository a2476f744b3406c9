// Newton's method on the active set: for small problems that are solved again and again.
//
// At a point every variable lies inside a segment of its function or is held by a kink or bound;
// every row is flat, straight, bent, or held at its kink. If that is so at the optimum too, the
// optimum solves one linear system (kkt_factor.h). The solution tells what is otherwise there, and
// so on until nothing changes (primal-dual active sets: Hintermueller, Ito, Kunisch, "The
// primal-dual active set strategy as a semismooth Newton method", 2003). It takes a few systems of
// a pattern that never changes, and gives all digits; but it may go round in circles, and is given
// up then (dual_newton.h does not).
#pragma once

#include "hinge/problem/kkt_factor.h"
#include "hinge/problem/solver.h"

namespace sorites {

inline constexpr std::string_view kActiveSetName = "active-set";

// The pattern is that of the problem. A point that has not got to the optimum may be far from it.
SolverResult solve_active_set(const Problem& problem,
                              const KktPattern& pattern,
                              PrimalDual start,
                              const SolveOptions& options,
                              ThreadPool& pool);

}  // namespace sorites
