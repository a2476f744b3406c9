// The best state and the best multipliers that a solver has met, each on its own: a bound holds for
// every state, so the two need not come from one iteration.
#pragma once

#include <optional>
#include <string_view>

#include "hinge/problem/solver.h"

namespace sorites {

class BestPoint {
 public:
  // The pool, problem and options must outlive it.
  BestPoint(const Problem& problem,
            const SolveOptions& options,
            std::string_view solver,
            ThreadPool& pool)
      : problem_(problem), options_(options), rule_(problem, options, solver, pool) {}

  // As StoppingRule::check; kOptimal also if the best state and the best bound are close enough.
  // A point that is not finite is not kept.
  std::optional<SolveStatus> check(PrimalDual& point, std::uint64_t iterations);

  const Bounds& last() const { return rule_.bounds(); }  // of the point checked last
  const Bounds& best() const { return best_; }
  double last_gap() const { return rule_.gap(); }
  double best_gap() const { return relative_gap(problem_, best_); }
  const PrimalDual& point() const { return point_; }

  // What the solver gives back. Of an infeasible problem the point checked last, whose multipliers
  // show why.
  SolverResult result(SolveStatus status, std::uint64_t iterations) &&;

 private:
  bool is_better_state(const Bounds& bounds) const;

  const Problem& problem_;
  const SolveOptions& options_;
  StoppingRule rule_;
  bool has_point_ = false;
  PrimalDual point_;
  Bounds best_;
};

// Whether to check after this iteration: 5, 10, and then seldom enough not to matter.
bool is_time_to_check(std::uint64_t iteration, std::uint64_t last_check);

}  // namespace sorites
