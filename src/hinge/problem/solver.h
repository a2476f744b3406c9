// What every solver of a Problem takes and gives, and when it stops.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/thread_pool.h"
#include "hinge/problem/problem.h"
#include "sorites/solve.h"

namespace sorites {

// Objective and bound of a point and its multipliers (any multipliers in their domain give
// a valid bound: weak duality).
struct Bounds {
  double objective = 0.0;
  double lower_bound = 0.0;
  double violation = 0.0;  // the largest of a hard row or group
};

inline double relative_gap(const Problem& problem, const Bounds& bounds) {
  return relative_gap(bounds.objective, bounds.lower_bound, problem.smallest_objective);
}

// One pass over rows and one over variables. Group multipliers are set to those that give the best
// bound. `gradient` is scratch: A'mu per variable afterwards.
Bounds evaluate(const Problem& problem,
                PrimalDual& point,
                std::vector<double>& gradient,
                ThreadPool& pool);

struct SolverResult {
  PrimalDual point;
  SolveStatus status = SolveStatus::kIterationLimit;
  std::uint64_t iterations = 0;
  Bounds bounds;
  std::string solver = {};     // what ran, where that was chosen (auto_solver.h)
  bool is_given_back = false;  // components are better solved on their own
};

// When to stop. A solver calls `check` now and then, and ends when it gives a status.
class StoppingRule {
 public:
  StoppingRule(const Problem& problem,
               const SolveOptions& options,
               std::string_view solver,
               ThreadPool& pool);

  // Evaluates the point; reports progress. Gives kOptimal, kTimeLimit, kInterrupted, or kInfeasible
  // if the multipliers prove it (a Farkas certificate from those of the hard rows, or from how they
  // changed since the last check); nothing if the solver is to go on.
  std::optional<SolveStatus> check(PrimalDual& point, std::uint64_t iterations);

  // kTimeLimit, kInterrupted or nothing, without a look at the point.
  std::optional<SolveStatus> out_of_time() const;

  const Bounds& bounds() const { return bounds_; }
  double gap() const { return relative_gap(problem_, bounds_); }

 private:
  bool proves_infeasible(const PrimalDual& point);

  const Problem& problem_;
  const SolveOptions& options_;
  std::string_view solver_;
  ThreadPool& pool_;
  std::chrono::steady_clock::time_point start_;
  Bounds bounds_;
  bool has_hard_rows_ = false;
  std::vector<double> gradient_;
  std::vector<double> last_multipliers_, last_group_multipliers_;  // if there are hard rows
};

// Where to start from if nothing is known: every variable at the minimum of its own function,
// multipliers 0.
PrimalDual cold_start(const Problem& problem);

// Sets the multipliers of rows to the slopes of their potentials at x.
void set_slopes(const Problem& problem, PrimalDual& point);

}  // namespace sorites
