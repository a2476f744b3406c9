#include "hinge/solve/engine.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "hinge/conflict/conflict.h"
#include "hinge/integer/integer.h"
#include "hinge/methods/admm.h"
#include "hinge/methods/auto_solver.h"
#include "hinge/methods/coordinate_descent.h"
#include "hinge/methods/dual_bcd.h"
#include "hinge/methods/gradient.h"
#include "hinge/methods/interior_point.h"
#include "hinge/methods/pdhg.h"
#include "hinge/methods/stochastic_gradient.h"
#include "hinge/methods/warm_start.h"
#include "hinge/presolve/postsolve.h"
#include "hinge/problem/certificate.h"

namespace sorites {
namespace {

constexpr double kSearchSeconds = 60.0;  // for a conflict, where hard rules are known to have one

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What is wrong with the numbers of the model; empty if it can be solved.
std::string trouble_with(const Model& model) {
  for (const TermBlock& block : model.blocks) {
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::all_of(block.coefficients.begin(), block.coefficients.end(), finite) ||
        !std::all_of(block.offsets.begin(), block.offsets.end(), finite) ||
        !std::isfinite(block.offset)) {
      return "a ground rule of rule " + std::to_string(block.rule + 1) +
             " has a coefficient or constant that is not a finite number";
    }
  }
  return {};
}

// The same of those that are not the model's.
std::string trouble_with(const Model& model, const Parameters& parameters) {
  for (std::size_t r = 0; r < model.rules.size(); ++r) {
    const double weight = parameters.weights[r];
    if (!model.rules[r].hard && !(weight >= 0.0 && std::isfinite(weight))) {
      return "the weight of rule " + std::to_string(r + 1) + " is " + std::to_string(weight) +
             ": weights must be finite and not negative";
    }
  }
  for (std::size_t j = 0; j < parameters.outputs.size(); ++j) {
    if (!std::isfinite(parameters.outputs[j])) {
      return "network output " + std::to_string(j) + " is not a finite number";
    }
  }
  return {};
}

void check_sizes(const Model& model, const Parameters& parameters, const Solution* start) {
  if (parameters.weights.size() != model.rules.size()) {
    throw std::invalid_argument("solve: one weight per rule is needed");
  }
  if (parameters.outputs.size() != model.num_outputs) {
    throw std::invalid_argument("solve: one value per network output is needed");
  }
  if (start == nullptr) return;
  if (start->truth.size() != model.num_atoms) {
    throw std::invalid_argument("solve: the start has another number of atoms than the model");
  }
  if (!start->multipliers.empty() && start->multipliers.size() != model.num_terms()) {
    throw std::invalid_argument("solve: the start has another number of terms than the model");
  }
}

SolverResult run(const Problem& problem,
                 ProblemStructure& structure,
                 PrimalDual start,
                 const SolveOptions& options,
                 ThreadPool& pool,
                 std::string& ran,
                 const std::function<bool()>& is_contradictory = {}) {
  ran = name_of(options.solver);
  switch (options.solver) {
    case Solver::kAuto:
      return solve_auto(problem, structure, std::move(start), options, pool, ran, is_contradictory);
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
  throw std::invalid_argument("solve: no such solver");
}

bool is_certified(const Solution& solution, const SolveOptions& options) {
  constexpr double kRounding = 1e-9;
  return std::abs(solution.relative_gap) <= 1.01 * options.gap + kRounding &&
         solution.max_violation <= 1.01 * options.violation + kRounding;
}

// Which hard ground rules contradict each other.
void add_conflict(std::optional<Conflict> conflict, Solution& solution) {
  if (conflict) {
    solution.conflict = std::move(conflict->terms);
    solution.conflict_is_irreducible = conflict->irreducible;
  }
  if (solution.message.empty()) {
    solution.message = solution.conflict.empty() ? "no state keeps all hard rules"
                                                 : std::to_string(solution.conflict.size()) +
                                                       " hard ground rules cannot hold together";
  }
}

}  // namespace

void Engine::prepare(const Parameters& wanted) {
  if (!presolved_) {
    constexpr std::size_t kManyTerms = 100'000;
    // The indexes of grounding, above all, left their pages behind.
    if (model_.num_terms() > kManyTerms) ::malloc_trim(0);
    presolved_ = presolve(model_, wanted, pool_);
    structure_.emplace(presolved_->problem);
    if (once_) presolved_->fold = {};
  } else if (wanted.outputs != parameters_.outputs) {
    window_centre_.clear();
    set_outputs(*presolved_, model_, wanted, pool_);
    set_weights(*presolved_, model_, wanted, pool_);
  } else if (wanted.weights != parameters_.weights || presolved_->rule_weights.empty()) {
    set_weights(*presolved_, model_, wanted, pool_);
  }
  parameters_ = wanted;
}

void Engine::prepare_near(const Parameters& wanted) {
  const std::size_t num_variables = presolved_->problem.num_variables;
  if (!presolved_->window) {
    if (window_centre_.empty()) {
      window_centre_.assign(memory_.begin(),
                            memory_.begin() + static_cast<std::ptrdiff_t>(num_variables));
    }
    for (std::size_t i = 0; i < num_variables; ++i) {
      double& centre = window_centre_[i];
      if (centre == kNoWindow) continue;
      centre = std::clamp(centre, presolved_->problem.lower[i], presolved_->problem.upper[i]);
    }
    presolved_->window = window_around(presolved_->fold, window_centre_);
  }
  set_weights_near(*presolved_, model_, wanted, pool_);
  parameters_ = wanted;
}

// What restore() was given: where a solve ended, then perhaps the centre of the window.
void Engine::accept_restored() {
  if (!restored_) return;
  const Problem& problem = presolved_->problem;
  const std::size_t size = memory_size(problem);
  std::vector<double> given = std::move(*restored_);
  restored_.reset();
  memory_.clear();
  window_centre_.clear();
  presolved_->window.reset();
  if (given.empty()) return;
  check_memory(problem, given);
  memory_.assign(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(size));
  window_centre_.assign(given.begin() + static_cast<std::ptrdiff_t>(size), given.end());
}

std::vector<double> Engine::memory() const {
  if (restored_) return *restored_;
  std::vector<double> all = memory_;
  if (!all.empty()) all.insert(all.end(), window_centre_.begin(), window_centre_.end());
  return all;
}

SolverResult Engine::solve_problem(const Parameters& wanted,
                                   const SolveOptions& options,
                                   From from,
                                   const Solution* start,
                                   std::string& ran) {
  prepare(wanted);
  accept_restored();
  structure_->expect_other_numbers(from == From::kMemory);
  const Problem& problem = presolved_->problem;
  PrimalDual point;
  if (from == From::kSolution) {
    point = start_from(model_, *presolved_, *structure_, start->truth, start->multipliers);
  } else if (from == From::kMemory && !memory_.empty()) {
    point = recall(problem, *structure_, memory_);
  } else {
    point = cold_start(problem);
  }
  return run(problem, *structure_, std::move(point), options, pool_, ran, [&] {
    constexpr double kProbeSeconds = 10.0;
    if (options.explain_conflict) {
      conflict_ = find_conflict(model_, wanted, kProbeSeconds, options.stop);
    }
    return conflict_.has_value();
  });
}

SolverResult Engine::solve_near(const Parameters& wanted,
                                const SolveOptions& options,
                                std::string& ran) {
  constexpr int kAttempts = 5;
  constexpr std::uint64_t kPatience = 100;  // iterations: what takes more is not near
  SolveOptions near = options;
  near.max_iterations =
      std::min(options.max_iterations > 0 ? options.max_iterations : kPatience, kPatience);
  prepare_near(wanted);
  structure_->expect_other_numbers(true);
  const Problem& problem = presolved_->problem;
  PrimalDual point = recall(problem, *structure_, memory_);
  std::uint64_t iterations = 0;
  for (int attempt = 1;; ++attempt) {
    const bool has_window = presolved_->window.has_value();
    std::string solver;
    SolverResult result =
        run(problem, *structure_, std::move(point), has_window ? near : options, pool_, solver);
    if (attempt == 1 || result.iterations > 0) ran = solver;  // else it only looked at the start
    iterations = result.iterations += iterations;
    if (!has_window) return result;
    const bool is_inside = is_within(*presolved_->window, result.point.x);
    if (is_inside && result.status != SolveStatus::kIterationLimit) return result;
    point = std::move(result.point);
    const std::size_t num_open =
        open_windows(presolved_->fold, point.x, window_centre_, *presolved_->window);
    if (!is_inside && attempt < kAttempts && num_open <= problem.num_variables / 4) {
      prepare_near(wanted);
    } else {
      presolved_->window.reset();
      window_centre_.clear();
      prepare(wanted);
    }
  }
}

// Whether a window serves: it knows no new outputs, and nothing of single terms.
bool Engine::may_solve_near(const SolveOptions& options, From from) {
  if (from != From::kMemory || options.multipliers || model_.num_outputs > 0) return false;
  if (presolved_) accept_restored();
  return presolved_ && !memory_.empty();
}

// Truth, multipliers and bounds of the model.
void Engine::set_certified(const Parameters& wanted, PrimalDual point, Solution& solution) {
  ModelPoint whole = postsolve(model_, wanted, *presolved_, std::move(point), pool_, !once_);
  solution.truth = std::move(whole.truth);
  solution.multipliers = std::move(whole.multipliers);
  const Certificate certificate =
      certify(model_, wanted, solution.truth, solution.multipliers, pool_);
  solution.objective = certificate.objective;
  solution.lower_bound = certificate.lower_bound;
  solution.max_violation = certificate.max_violation;
}

// Truth of the model, bounds of the presolved problem.
void Engine::set_brief(const SolverResult& result, Solution& solution) {
  solution.truth = truth_of(presolved_->atoms, result.point.x);
  solution.objective = result.bounds.objective;
  solution.lower_bound = result.bounds.lower_bound;
  solution.max_violation = result.bounds.violation;
}

Solution Engine::solve_convex(const Parameters& wanted,
                              const SolveOptions& options,
                              From from,
                              const Solution* start) {
  Solution solution;
  if (restored_ && !presolved_) prepare(wanted);
  SolverResult result = may_solve_near(options, from)
                            ? solve_near(wanted, options, solution.solver)
                            : solve_problem(wanted, options, from, start, solution.solver);
  solution.iterations = result.iterations;
  solution.presolve = presolved_->summary;
  solution.status = presolved_->infeasible ? SolveStatus::kInfeasible : result.status;
  const bool usable = solution.status != SolveStatus::kInfeasible &&
                      std::isfinite(result.bounds.objective + result.bounds.lower_bound);
  memory_.clear();
  if (usable && !once_) memory_ = remember(presolved_->problem, result.point);
  if (usable && !options.multipliers) {
    set_brief(result, solution);
  } else {
    set_certified(wanted, std::move(result.point), solution);
  }
  solution.relative_gap = relative_gap(solution.objective, solution.lower_bound);
  if (solution.status == SolveStatus::kIterationLimit && is_certified(solution, options)) {
    solution.status = SolveStatus::kOptimal;  // what auto_solver.cc aims at may be more
  }
  if (solution.status == SolveStatus::kOptimal && !is_certified(solution, options)) {
    solution.status = SolveStatus::kNumericalError;
    solution.message = "rounding errors: the solver's gap does not hold for the model";
  }
  return solution;
}

Solution Engine::solve(const Parameters& wanted,
                       const SolveOptions& options,
                       From from,
                       const Solution* start) {
  const auto begin = std::chrono::steady_clock::now();
  conflict_.reset();
  check_sizes(model_, wanted, start);
  if (!model_trouble_) model_trouble_ = trouble_with(model_);
  std::string trouble = trouble_with(model_, wanted);
  if (trouble.empty()) trouble = *model_trouble_;
  if (!trouble.empty()) {
    Solution refused;
    refused.status = SolveStatus::kNumericalError;
    refused.message = std::move(trouble);
    refused.solver = name_of(options.solver);
    refused.truth.assign(model_.num_atoms, 0.0);
    return refused;
  }
  Solution solution = options.solver == Solver::kInteger || !options.integer.empty()
                          ? solve_integer(model_, wanted, options, pool_)
                          : solve_convex(wanted, options, from, start);
  if (solution.status == SolveStatus::kInfeasible && options.explain_conflict) {
    if (!conflict_) conflict_ = find_conflict(model_, wanted, kSearchSeconds, options.stop);
    add_conflict(std::move(conflict_), solution);
  }
  solution.seconds = seconds_since(begin);
  return solution;
}

}  // namespace sorites
