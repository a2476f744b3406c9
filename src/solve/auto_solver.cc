#include "solve/auto_solver.h"

#include <algorithm>

#include "solve/admm.h"
#include "solve/coordinate_descent.h"

namespace sorites {
namespace {

constexpr double kWorthwhile = 0.6;  // coordinate descent goes on while checks shrink the gap so

bool suits_coordinate_descent(const Problem& problem) {
  return problem.groups.empty() &&
         std::none_of(problem.blocks.begin(), problem.blocks.end(), [](const RowBlock& block) {
           return is_hard(block.kind);
         });
}

}  // namespace

SolverResult solve_auto(const Problem& problem,
                        PrimalDual start,
                        const SolveOptions& options,
                        ThreadPool& pool,
                        std::string& ran) {
  std::uint64_t iterations = 0;
  ran.clear();
  if (suits_coordinate_descent(problem)) {
    ran = name_of(Solver::kCoordinateDescent);
    SolverResult descent =
        descend_while_worthwhile(problem, std::move(start), options, pool, kWorthwhile);
    if (descent.status != SolveStatus::kIterationLimit) return descent;
    start = std::move(descent.point);
    iterations = descent.iterations;
    ran += ", ";
  }
  ran += name_of(Solver::kAdmm);
  SolverResult result = solve_admm(problem, std::move(start), options, pool);
  result.iterations += iterations;
  return result;
}

}  // namespace sorites
