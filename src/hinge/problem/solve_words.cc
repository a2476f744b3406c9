// Names of solvers and statuses, and what numbers of a solve mean: all solvers share them.
#include <algorithm>
#include <cmath>

#include "hinge/problem/solver.h"
#include "sorites/solve.h"

namespace sorites {

Parameters parameters_of(const Model& model, bool normalize) {
  Parameters parameters;
  parameters.outputs.assign(model.num_outputs, 0.0);
  double largest = 0.0;
  for (const GroundRule& rule : model.rules) {
    parameters.weights.push_back(rule.hard ? 0.0 : rule.weight);
    largest = std::max(largest, parameters.weights.back());
  }
  if (normalize && largest > 0.0 && std::isfinite(largest)) {
    for (double& weight : parameters.weights) weight /= largest;
    parameters.weight_scale = largest;
  }
  return parameters;
}

std::string_view name_of(Solver solver) {
  switch (solver) {
    case Solver::kAuto:
      return "auto";
    case Solver::kAdmm:
      return "admm";
    case Solver::kCoordinateDescent:
      return "coordinate-descent";
    case Solver::kDualBcd:
      return "dual-bcd";
    case Solver::kDualBcdLockFree:
      return "dual-bcd-lock-free";
    case Solver::kGradient:
      return "gradient";
    case Solver::kStochasticGradient:
      return "stochastic-gradient";
    case Solver::kPdhg:
      return "pdhg";
    case Solver::kInteriorPoint:
      return "interior-point";
    case Solver::kInteger:
      return "integer";
  }
  return "";  // not reached
}

std::string_view name_of(SolveStatus status) {
  switch (status) {
    case SolveStatus::kOptimal:
      return "optimal";
    case SolveStatus::kConverged:
      return "converged";
    case SolveStatus::kDone:
      return "done";
    case SolveStatus::kSkipped:
      return "skipped";
    case SolveStatus::kIterationLimit:
      return "iteration_limit";
    case SolveStatus::kTimeLimit:
      return "time_limit";
    case SolveStatus::kInterrupted:
      return "interrupted";
    case SolveStatus::kInfeasible:
      return "infeasible";
    case SolveStatus::kNumericalError:
      return "numerical_error";
  }
  return "";  // not reached
}

double relative_gap(double objective, double lower_bound, double smallest) {
  return (objective - lower_bound) /
         std::max({std::abs(objective), std::abs(lower_bound), smallest});
}

}  // namespace sorites
