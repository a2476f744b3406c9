// Restarted primal-dual hybrid gradient on the saddle point
//
//   min over x, max over mu of  F(x) + mu'(Ax + b) - phi*(mu),
//
// where F holds the f_i, bounds and groups. Best to high accuracy where all rows are linear.
// Methods: Chambolle, Pock, "A first-order primal-dual algorithm for convex problems with
// applications to imaging", 2011; steps per row and variable by Pock, Chambolle, "Diagonal
// preconditioning for first order primal-dual algorithms in convex optimization", 2011; Halpern's
// anchor, reflection and restarts as in Lu, Yang, "Restarted Halpern PDHG for linear programming",
// 2024; primal weight and conditions of restarts by Applegate et al. 2021.
#pragma once

#include "hinge/problem/solver.h"

namespace sorites {

// Deterministic for a given number of threads.
SolverResult solve_pdhg(const Problem& problem,
                        PrimalDual start,
                        const SolveOptions& options,
                        ThreadPool& pool);

}  // namespace sorites
