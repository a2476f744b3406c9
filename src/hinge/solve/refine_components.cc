#include "hinge/solve/refine_components.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "hinge/problem/component_problem.h"
#include "hinge/solve/component_gaps.h"
#include "hinge/solve/run_solver.h"

namespace sorites {
namespace {

class Refiner {
 public:
  Refiner(const RefinedModel& refined,
          const SolveOptions& options,
          const Deadline& deadline,
          PrimalDual& point,
          ThreadPool& pool)
      : refined_(refined),
        problem_(refined.presolved.problem),
        options_(options),
        deadline_(deadline),
        point_(point),
        pool_(pool),
        of_variable_(refined.structure.component()),
        ranges_(refined.rules.ranges(refined.parameters)),
        range_(weight_range(refined.model, refined.parameters)),
        smallest_objective_(smallest_objective(range_)) {
    for (const WeightRange& range : ranges_) heaviest_ = std::max(heaviest_, range.largest);
    measure();
  }

  double worst_gap() const {
    return gaps_.empty() ? 0.0 : *std::max_element(gaps_.begin(), gaps_.end());
  }

  Refinement run() {
    // Once a component has got better, others see less of an objective to be measured by.
    constexpr int kMaxRounds = 3;
    for (int round = 0; round < kMaxRounds && !result_.infeasible && !is_done(); ++round) {
      solve_missing();
      measure();
    }
    result_.worst_gap = worst_gap();
    if (is_done()) {
      result_.missed.reset();
    } else {
      if (!result_.missed) result_.missed = SolveStatus::kIterationLimit;
      blame();
    }
    return std::move(result_);
  }

 private:
  bool is_done(std::size_t c) const {
    return gaps_[c] <= options_.gap && bounds_[c].violation <= options_.violation &&
           bounds_[c].error() <= share_;
  }
  bool is_done() const {
    for (std::size_t c = 0; c < gaps_.size(); ++c) {
      if (!is_done(c)) return false;
    }
    return true;
  }

  void measure() {
    bounds_ = bounds_by_component(problem_, of_variable_, ranges_.size(), point_, pool_);
    gaps_ = component_gaps(bounds_, ranges_, smallest_objective_);
    share_ = share_of_error();
  }

  // What components may leave of the error that the whole may have: no matter what, if together
  // they leave no more.
  double share_of_error() const {
    double objective = problem_.constant, error = 0.0;
    for (const ComponentBounds& bounds : bounds_) {
      objective += bounds.objective;
      error += bounds.error();
    }
    const double allowed = options_.gap * std::max(std::abs(objective), smallest_objective_);
    return error <= allowed ? INFINITY : allowed / static_cast<double>(bounds_.size());
  }

  // The error that a component is solved to.
  double allowed(std::size_t c) const {
    const double smallest = smallest_size(ranges_[c], smallest_objective_);
    return std::min(options_.gap * std::max(std::abs(bounds_[c].objective), smallest), share_);
  }

  // Small ones side by side, each with one thread; then the large ones with all threads each.
  void solve_missing() {
    constexpr std::size_t kLarge = 20'000;  // rows that are worth several threads
    const Components components = components_of(problem_);
    const ComponentProblems parts(problem_, components);
    std::vector<std::size_t> small, large;
    for (std::size_t c = 0; c < gaps_.size(); ++c) {
      if (is_done(c)) continue;
      (components.rows_of(c).size() < kLarge ? small : large).push_back(c);
    }
    pool_.for_each(small.size(), [&](std::size_t k) {
      ThreadPool alone(1);
      solve(parts, small[k], alone);
    });
    for (const std::size_t c : large) solve(parts, c, pool_);
  }

  // By the method that was asked for; where that does not get there, by what auto chooses; and
  // where weights are far apart, in the unit of the light ones, to which hard rows count the same.
  void solve(const ComponentProblems& parts, std::size_t c, ThreadPool& pool) {
    const WeightRange& range = ranges_[c];
    const double unit = range.empty() ? 1.0 : range.largest;
    if (solve(parts, c, unit, options_.solver, pool)) return;
    if (options_.solver != Solver::kAuto && solve(parts, c, unit, Solver::kAuto, pool)) return;
    if (range.empty() || range.largest < kFarApart * range.smallest) return;
    solve(parts, c, range.smallest, Solver::kAuto, pool);
  }

  // Whether there is nothing left to do.
  bool solve(
      const ComponentProblems& parts, std::size_t c, double unit, Solver solver, ThreadPool& pool) {
    if (deadline_.passed()) {
      const std::lock_guard lock(mutex_);
      result_.missed =
          deadline_.interrupted() ? SolveStatus::kInterrupted : SolveStatus::kTimeLimit;
      return true;
    }
    Problem own = parts.problem_of(c, unit);
    own.smallest_objective = smallest_size(ranges_[c], smallest_objective_) / unit;
    SolveOptions options = options_;
    const double size = std::max(std::abs(bounds_[c].objective), own.smallest_objective * unit);
    if (size > 0.0) options.gap = std::min(options.gap, allowed(c) / size);
    options.solver = solver;
    options.progress = nullptr;
    options.time_limit_seconds = deadline_.seconds_left();
    ProblemStructure structure(own);
    const SolverResult found =
        run_solver(structure, start_of(parts, c, unit, own), options, pool, {});
    return take(parts, c, unit, found);
  }

  bool take(const ComponentProblems& parts, std::size_t c, double unit, const SolverResult& found) {
    const std::lock_guard lock(mutex_);
    result_.iterations += found.iterations;
    if (found.status == SolveStatus::kInfeasible) {
      result_.infeasible = true;
      return true;
    }
    const ComponentBounds bounds{
        {found.bounds.objective * unit, found.bounds.lower_bound * unit, found.bounds.violation}};
    const double violation = std::max(options_.violation, bounds.violation);
    const double violation_before = std::max(options_.violation, bounds_[c].violation);
    const bool is_better = violation < violation_before ||
                           (violation == violation_before && bounds.error() < bounds_[c].error());
    if (is_better) {
      parts.put_back(c, unit, found.point, point_);
      bounds_[c] = bounds;
    }
    return bounds_[c].error() <= allowed(c) && bounds_[c].violation <= options_.violation;
  }

  // Multipliers that were found in the unit of a much heavier component are worse than none: their
  // rounding errors are as large as what is looked for.
  PrimalDual start_of(const ComponentProblems& parts,
                      std::size_t c,
                      double unit,
                      const Problem& own) const {
    return unit * kFarApart < heaviest_ ? cold_start(own) : parts.point_of(c, unit, point_);
  }

  // Of the worst component, or of the model.
  void blame() {
    const auto worst =
        static_cast<std::size_t>(std::max_element(gaps_.begin(), gaps_.end()) - gaps_.begin());
    const double scale = refined_.parameters.weight_scale;
    result_.message = blame_weights(ranges_[worst], scale, ", in the same part of the model,");
    if (result_.message.empty()) result_.message = blame_weights(range_, scale);
  }

  const RefinedModel& refined_;
  const Problem& problem_;
  const SolveOptions& options_;
  const Deadline& deadline_;
  PrimalDual& point_;
  ThreadPool& pool_;
  const std::vector<std::uint32_t>& of_variable_;
  const std::vector<WeightRange> ranges_;  // per component
  const WeightRange range_;                // of the model
  const double smallest_objective_;        // of the model
  double heaviest_ = 0.0;                  // weight in any component
  std::vector<ComponentBounds> bounds_;    // per component
  std::vector<double> gaps_;               // per component
  double share_ = INFINITY;                // share_of_error()
  std::mutex mutex_;                       // guards what follows, and the components of point_
  Refinement result_;
};

// The most that the bound of any component can be off.
double error_of_any(const Problem& problem, const SolverResult& result) {
  return std::abs(result.bounds.objective - result.bounds.lower_bound) +
         hidden_by_hard_rows(problem, result.point);
}

}  // namespace

bool is_fine_everywhere(const Problem& problem,
                        const SolverResult& result,
                        const WeightRange& weights,
                        double gap) {
  if (weights.empty()) return true;
  // No component sees less of the objective than this.
  const double seen =
      (result.bounds.objective - problem.constant) * (weights.smallest / weights.largest);
  return error_of_any(problem, result) <=
         gap * std::max(seen, kSmallestViolation * weights.smallest);
}

bool is_fine_where_light(const RefinedModel& refined, const SolverResult& result, double gap) {
  const Problem& problem = refined.presolved.problem;
  const std::vector<WeightRange> ranges = refined.rules.ranges(refined.parameters);
  const WeightRange weights = weight_range(refined.model, refined.parameters);
  const double smallest = smallest_objective(weights);
  const auto allowed = [&](const WeightRange& range) {  // no more than component_gaps() allows
    const double seen =
        (result.bounds.objective - problem.constant) * (range.largest / weights.largest);
    return gap * std::max(seen, smallest_size(range, smallest));
  };
  const double error = error_of_any(problem, result);
  std::vector<bool> is_light(ranges.size(), false);
  for (std::size_t c = 0; c < ranges.size(); ++c) {
    is_light[c] = !ranges[c].empty() && error > allowed(ranges[c]);
    if (is_light[c] && ranges[c].largest == weights.largest) return false;  // it is not light
  }
  const std::vector<ComponentBounds> bounds =
      bounds_of_marked(problem, refined.structure.component(), is_light, result.point);
  for (std::size_t c = 0; c < ranges.size(); ++c) {
    if (is_light[c] && bounds[c].error() > allowed(ranges[c])) return false;
  }
  return true;
}

double worst_component_gap(const RefinedModel& refined, PrimalDual& point, ThreadPool& pool) {
  const SolveOptions options;
  return Refiner(refined, options, Deadline(0.0, {}), point, pool).worst_gap();
}

Refinement refine_components(const RefinedModel& refined,
                             const SolveOptions& options,
                             const Deadline& deadline,
                             PrimalDual& point,
                             ThreadPool& pool) {
  return Refiner(refined, options, deadline, point, pool).run();
}

}  // namespace sorites
