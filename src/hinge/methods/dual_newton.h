// Newton's method on duals of proximal problems: for small problems that are solved again and
// again, and whose active sets go round in circles (active_set.h), as they do where most variables
// have no curvature of their own.
//
// A proximal step from a centre (c, d) solves
//
//   max over y  min over x  f(x) + y'(Ax + b) - phi*(y) + s/2 |x - c|^2 - t/2 |y - d|^2,
//
// y the multipliers of rows and groups. The minimum over x is one of each variable alone. What is
// left is concave in y and has a gradient that is piecewise linear, so that Newton's method with a
// line search gets to the maximum; its systems are those of kkt_factor.h (Li, Sun, Toh, "A highly
// efficient semismooth Newton augmented Lagrangian method for solving Lasso problems", 2018). Then
// the centre moves there, until the gap is closed (Rockafellar, "Augmented Lagrangians and
// applications of the proximal point algorithm in convex programming", 1976).
#pragma once

#include "hinge/problem/kkt_factor.h"
#include "hinge/problem/solver.h"

namespace sorites {

inline constexpr std::string_view kDualNewtonName = "dual-newton";

// The pattern is that of the problem.
SolverResult solve_dual_newton(const Problem& problem,
                               const KktPattern& pattern,
                               PrimalDual start,
                               const SolveOptions& options,
                               ThreadPool& pool);

}  // namespace sorites
