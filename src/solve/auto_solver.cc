#include "solve/auto_solver.h"

#include <algorithm>

#include "solve/admm.h"
#include "solve/coordinate_descent.h"

namespace sorites {
namespace {

// Exact steps along single variables win where all rows are potentials; sums of variables and other
// hard rows tie them together, which ADMM minds less.
bool suits_coordinate_descent(const Problem& problem) {
  return problem.groups.empty() &&
         std::none_of(problem.blocks.begin(), problem.blocks.end(), [](const RowBlock& block) {
           return is_hard(block.kind);
         });
}

// A warm start is often good enough, and so is the minimum of all folded terms.
SolverResult look_at_start(const Problem& problem,
                           const PrimalDual& start,
                           const SolveOptions& options,
                           ThreadPool& pool) {
  SolverResult result;
  result.point = start;
  const bool is_cold = std::all_of(
      start.multipliers.begin(), start.multipliers.end(), [](double mu) { return mu == 0.0; });
  if (is_cold) set_slopes(problem, result.point);
  StoppingRule rule(problem, options, "presolve", pool);
  if (const auto status = rule.check(result.point, 0)) result.status = *status;
  result.bounds = rule.bounds();
  return result;
}

}  // namespace

SolverResult solve_auto(const Problem& problem,
                        PrimalDual start,
                        const SolveOptions& options,
                        ThreadPool& pool,
                        std::string& ran) {
  SolverResult result = look_at_start(problem, start, options, pool);
  if (result.status != SolveStatus::kIterationLimit) {
    ran = "presolve";
    return result;
  }
  ran.clear();
  if (suits_coordinate_descent(problem)) {
    ran = name_of(Solver::kCoordinateDescent);
    result = descend_while_worthwhile(problem, std::move(start), options, pool);
    if (result.status != SolveStatus::kIterationLimit) return result;
    start = std::move(result.point);
    ran += ", ";
  }
  ran += name_of(Solver::kAdmm);
  const std::uint64_t sweeps = result.iterations;
  result = solve_admm(problem, std::move(start), options, pool);
  result.iterations += sweeps;
  return result;
}

}  // namespace sorites
