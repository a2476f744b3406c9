#include "hinge/solve/run_solver.h"

#include <string>

#include "hinge/methods/admm.h"
#include "hinge/methods/coordinate_descent.h"
#include "hinge/methods/dual_bcd.h"
#include "hinge/methods/gradient.h"
#include "hinge/methods/interior_point.h"
#include "hinge/methods/pdhg.h"
#include "hinge/methods/stochastic_gradient.h"
#include "hinge/problem/unfit_method.h"

namespace sorites {

SolverResult run_solver(ProblemStructure& structure,
                        PrimalDual start,
                        const SolveOptions& options,
                        ThreadPool& pool,
                        const AutoContext& context) {
  const Problem& problem = structure.problem();
  switch (options.solver) {
    case Solver::kAuto:
      return solve_auto(structure, std::move(start), options, pool, context);
    case Solver::kAdmm:
      return solve_admm(problem, std::move(start), options, pool);
    case Solver::kCoordinateDescent:
      return solve_coordinate_descent(problem, std::move(start), options, pool);
    case Solver::kDualBcd:
      return solve_dual_bcd(problem, std::move(start), options, pool);
    case Solver::kDualBcdLockFree:
      return solve_dual_bcd_lock_free(problem, std::move(start), options, pool);
    case Solver::kGradient:
      return solve_gradient(problem, std::move(start), options, pool);
    case Solver::kStochasticGradient:
      return solve_stochastic_gradient(problem, std::move(start), options, pool);
    case Solver::kPdhg:
      return solve_pdhg(problem, std::move(start), options, pool);
    case Solver::kInteriorPoint:
      return solve_interior_point(problem, std::move(start), options, pool);
    case Solver::kInteger:
      break;  // does not work on a Problem
  }
  throw UnfitMethod("solver `" + std::string(name_of(options.solver)) +
                    "` does not work on atoms between 0 and 1");
}

}  // namespace sorites
