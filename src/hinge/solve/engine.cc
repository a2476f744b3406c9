#include "hinge/solve/engine.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "hinge/conflict/conflict.h"
#include "hinge/integer/integer.h"
#include "hinge/methods/warm_start.h"
#include "hinge/model/residual.h"
#include "hinge/model/rule_numbers.h"
#include "hinge/presolve/postsolve.h"
#include "hinge/problem/certificate.h"
#include "hinge/problem/weight_range.h"
#include "hinge/solve/run_solver.h"

namespace sorites {
namespace {

// For a conflict, where hard rules are known to have one.
double search_time(const Deadline& deadline) {
  constexpr double kSearchSeconds = 60.0;  // what a user waits for the reason
  return std::clamp(deadline.seconds_left(), kMomentSeconds, kSearchSeconds);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Limits count from the beginning of the whole.
SolveOptions with_time_left(SolveOptions options, const Deadline& deadline) {
  options.time_limit_seconds = std::min(options.time_limit_seconds, deadline.seconds_left());
  return options;
}

// What is wrong with the numbers of the model; empty if it can be solved.
std::string trouble_with(const Model& model) {
  for (const TermBlock& block : model.blocks) {
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::all_of(block.coefficients.begin(), block.coefficients.end(), finite) ||
        !std::all_of(block.offsets.begin(), block.offsets.end(), finite) ||
        !std::all_of(block.output_coefficients.begin(), block.output_coefficients.end(), finite) ||
        !std::isfinite(block.offset)) {
      return "a ground rule of rule " + std::to_string(rule_numbers(model.rules)[block.rule]) +
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
      return "the weight of rule " + std::to_string(rule_numbers(model.rules)[r]) + " is " +
             std::to_string(weight) + ": weights must be finite and not negative";
    }
  }
  for (std::size_t j = 0; j < parameters.outputs.size(); ++j) {
    if (!std::isfinite(parameters.outputs[j])) {
      return "network output " + std::to_string(j) + " is not a finite number";
    }
  }
  return {};
}

// What to divide the weights by: 1, unless they are all far from it. Methods have numbers that suit
// weights around 1 (kHardUnit of row_scale.h).
double unit_of(const Model& model, const Parameters& parameters) {
  constexpr double kFar = 1000.0;
  const double largest = weight_range(model, parameters).largest;
  if (largest == 0.0 || (largest <= kFar && largest * kFar >= 1.0)) return 1.0;
  return std::exp2(std::ceil(std::log2(largest)));
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

bool is_certified(const Solution& solution, const SolveOptions& options) {
  // Sums over the terms of the model and over the rows of the problem round differently.
  constexpr double kMargin = 1.01;
  return std::abs(solution.relative_gap) <= kMargin * options.gap + kResidualRounding &&
         solution.max_violation <= kMargin * options.violation + kResidualRounding;
}

// The gap that is claimed, the larger of that of the whole and the worst of a component, and what
// it means for the status.
void set_status(const Refinement& refinement,
                const WeightRange& weights,
                double weight_scale,
                const SolveOptions& options,
                Solution& solution) {
  solution.relative_gap =
      relative_gap(solution.objective, solution.lower_bound, smallest_objective(weights));
  if (refinement.worst_gap > std::abs(solution.relative_gap)) {
    solution.relative_gap = refinement.worst_gap;
  }
  if (solution.status == SolveStatus::kIterationLimit && is_certified(solution, options)) {
    solution.status = SolveStatus::kOptimal;  // what auto_solver.cc aims at may be more
  }
  const bool has_ended =
      solution.status == SolveStatus::kOptimal || solution.status == SolveStatus::kIterationLimit;
  if (!has_ended || is_certified(solution, options)) return;
  if (refinement.missed) {
    solution.status = *refinement.missed;
    solution.message = refinement.message;
  } else if (solution.status == SolveStatus::kOptimal) {
    solution.status = SolveStatus::kNumericalError;
    solution.message = blame_weights(weights, weight_scale);
    if (solution.message.empty()) {
      solution.message = "rounding errors: the solver's gap does not hold for the model";
    }
  }
}

// Whether the whole is as good as was asked for.
bool is_within(const Problem& problem, const SolveOptions& options, const SolverResult& result) {
  return std::abs(relative_gap(problem, result.bounds)) <= options.gap &&
         result.bounds.violation <= options.violation;
}

// Whether components may be better solved on their own: if the whole is solved, and where it is not
// because weights are so different that no unit suits all, or because there are many of them.
bool is_worth_refining(const Problem& problem,
                       const WeightRange& weights,
                       const SolveOptions& options,
                       const SolverResult& result) {
  if (result.status == SolveStatus::kOptimal) return true;
  if (result.status != SolveStatus::kIterationLimit || options.max_iterations > 0) return false;
  return is_within(problem, options, result) || result.is_given_back ||
         (options.solver != Solver::kStochasticGradient &&
          weights.largest > kFarApart * weights.smallest);
}

// The centres of windows, where variables may be.
std::vector<double> within_bounds(const Problem& problem, std::vector<double> centre) {
  for (std::size_t i = 0; i < centre.size(); ++i) {
    if (centre[i] == kNoWindow) continue;
    centre[i] = std::clamp(centre[i], problem.lower[i], problem.upper[i]);
  }
  return centre;
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

Engine::Engine(const Model& model, ThreadPool& pool, Use use, const InferenceMemory& memory)
    : model_(model), use_(use), pool_(pool) {
  if (memory.empty()) return;
  if (!trouble_with(model).empty()) {
    throw std::invalid_argument("solve: the memory is of another model");
  }
  // Nothing of the structure depends on these numbers.
  const Parameters any{std::vector<double>(model.rules.size(), 1.0),
                       std::vector<double>(model.num_outputs, 0.0)};
  make_presolved(any, Deadline(Deadline::kYear, {}));
  Presolved& presolved = *presolved_;
  check_memory(presolved.problem, memory);
  memory_ = memory;
  if (!memory.window_centres.empty()) {
    presolved.window = window_around(
        presolved.fold, within_bounds(presolved.problem, std::move(memory_.window_centres)));
    memory_.window_centres.clear();
  }
}

InferenceMemory Engine::memory() const {
  InferenceMemory all = memory_;
  if (!all.empty() && presolved_->window) all.window_centres = presolved_->window->centre;
  return all;
}

bool Engine::make_presolved(const Parameters& parameters, const Deadline& deadline) {
  if (presolved_) return true;
  presolved_ = presolve_in_time(model_, parameters, deadline, pool_);
  if (!presolved_) return false;
  structure_.emplace(presolved_->problem);
  if (use_ == Use::kOnce) presolved_->fold = {};
  return true;
}

Presolved& Engine::presolved_with(const Parameters& parameters, Extent extent) {
  set_parameters(*presolved_, model_, parameters, extent, pool_);
  return *presolved_;
}

Solution Engine::out_of_time(const Request& request) const {
  Solution solution;
  solution.status =
      request.deadline.interrupted() ? SolveStatus::kInterrupted : SolveStatus::kTimeLimit;
  solution.solver = "presolve";
  solution.truth.assign(model_.num_atoms, 0.0);
  solution.multipliers.assign(model_.num_terms(), 0.0);
  const Certificate certificate =
      certify(model_, request.parameters, solution.truth, solution.multipliers, pool_);
  solution.objective = certificate.objective;
  solution.lower_bound = certificate.lower_bound;
  solution.max_violation = certificate.max_violation;
  solution.relative_gap =
      relative_gap(solution.objective,
                   solution.lower_bound,
                   smallest_objective(weight_range(model_, request.parameters)));
  return solution;
}

Engine::Outcome Engine::solve_problem(const Request& request) {
  const Presolved& presolved = presolved_with(request.parameters, Extent::kEverywhere);
  const Problem& problem = presolved.problem;
  PrimalDual point;
  if (request.from == From::kSolution) {
    point = start_from(
        model_, presolved, *structure_, request.start->truth, request.start->multipliers);
  } else if (request.from == From::kMemory && !memory_.empty()) {
    point = recall(problem, *structure_, memory_);
  } else {
    point = cold_start(problem);
  }
  Outcome outcome;
  const SolveOptions options = with_time_left(request.options, request.deadline);
  const auto is_contradictory = [&] {
    constexpr double kProbeSeconds = 10.0;  // where hard rules may have a conflict or not
    if (options.explain_conflict) {
      const double seconds = std::min(kProbeSeconds, request.deadline.seconds_left());
      outcome.conflict = find_conflict(model_, request.parameters, seconds, options.stop);
    }
    return outcome.conflict.has_value();
  };
  outcome.result = run_solver(*structure_,
                              std::move(point),
                              options,
                              pool_,
                              {.solves_again = request.from == From::kMemory,
                               .may_give_back = true,
                               .is_contradictory = is_contradictory});
  if (outcome.result.is_given_back) {
    outcome.refinement = refine(request, outcome.result);
    const Bounds& bounds = outcome.result.bounds;
    const bool is_broken = bounds.violation > options.violation && !request.deadline.passed();
    if (outcome.refinement->infeasible || (is_broken && is_contradictory())) {
      outcome.result.status = SolveStatus::kInfeasible;
    }
  }
  return outcome;
}

SolverResult Engine::solve_near(const Request& request) {
  // A second window mostly does; more than a quarter open, and whole functions cost less. Two or
  // ten attempts, 50 or 200 iterations: the same within 5 % (learn_benchmark, seven models).
  constexpr int kAttempts = 5;
  constexpr std::size_t kMostOpen = 4;      // one in so many
  constexpr std::uint64_t kPatience = 100;  // iterations: what takes more is not near
  const SolveOptions options = with_time_left(request.options, request.deadline);
  SolveOptions near = options;
  near.max_iterations =
      std::min(options.max_iterations > 0 ? options.max_iterations : kPatience, kPatience);
  Presolved& presolved = *presolved_;
  const Problem& problem = presolved.problem;
  if (!presolved.window) {
    presolved.window = window_around(presolved.fold, within_bounds(problem, memory_.variables));
  }
  presolved_with(request.parameters, Extent::kWindow);
  PrimalDual point = recall(problem, *structure_, memory_);
  std::uint64_t iterations = 0;
  std::string ran;
  for (int attempt = 1;; ++attempt) {
    const bool has_window = presolved.window.has_value();
    SolverResult result = run_solver(
        *structure_, std::move(point), has_window ? near : options, pool_, {.solves_again = true});
    if (attempt == 1 || result.iterations > 0) ran = result.solver;  // else it only looked
    result.solver = ran;
    iterations = result.iterations += iterations;
    if (!has_window) return result;
    const bool is_inside = is_within(*presolved.window, result.point.x);
    if (is_inside && result.status != SolveStatus::kIterationLimit) return result;
    point = std::move(result.point);
    const std::size_t num_open = open_windows(presolved.fold, point.x, *presolved.window);
    const bool goes_on =
        !is_inside && attempt < kAttempts && num_open <= problem.num_variables / kMostOpen;
    if (!goes_on) presolved.window.reset();
    presolved_with(request.parameters, Extent::kWindow);
  }
}

// Whether a window serves: it knows no new outputs, and nothing of single terms.
bool Engine::may_solve_near(const Request& request) const {
  return request.from == From::kMemory && !request.options.multipliers && model_.num_outputs == 0 &&
         presolved_ && !memory_.empty();
}

// Truth, multipliers and bounds of the model.
void Engine::set_certified(const Parameters& parameters, PrimalDual point, Solution& solution) {
  ModelPoint whole =
      postsolve(model_, parameters, *presolved_, std::move(point), pool_, use_ == Use::kAgain);
  solution.truth = std::move(whole.truth);
  solution.multipliers = std::move(whole.multipliers);
  const Certificate certificate =
      certify(model_, parameters, solution.truth, solution.multipliers, pool_);
  solution.objective = certificate.objective;
  solution.lower_bound = certificate.lower_bound;
  solution.max_violation = certificate.max_violation;
}

// Truth of the model, bounds of the presolved problem.
void Engine::set_brief(const SolverResult& result, Solution& solution) const {
  solution.truth = truth_of(presolved_->atoms, result.point.x);
  solution.objective = result.bounds.objective;
  solution.lower_bound = result.bounds.lower_bound;
  solution.max_violation = result.bounds.violation;
}

Refinement Engine::refine(const Request& request, SolverResult& result) {
  const SolveOptions& options = request.options;
  const Problem& problem = presolved_->problem;
  const WeightRange weights = weight_range(model_, request.parameters);
  if (!is_worth_refining(problem, weights, options, result)) return {};
  const bool within = is_within(problem, options, result);
  if (within && is_fine_everywhere(problem, result, weights, options.gap)) return {};
  if (!component_rules_) {
    component_rules_.emplace(model_, presolved_->atoms, structure_->component());
  }
  const RefinedModel refined{
      model_, request.parameters, *presolved_, *structure_, *component_rules_};
  if (within && is_fine_where_light(refined, result, options.gap)) return {};
  if (!presolved_->centre.empty()) {  // functions are right near the point only
    const double worst = worst_component_gap(refined, result.point, pool_);
    if (worst <= options.gap) return {.worst_gap = worst};
    presolved_->window.reset();
    presolved_with(request.parameters, Extent::kEverywhere);
  }
  SolveOptions left = options;
  if (options.max_iterations > 0) {
    if (result.iterations >= options.max_iterations) left.max_iterations = 1;
    if (result.iterations < options.max_iterations) left.max_iterations -= result.iterations;
  }
  Refinement refinement = refine_components(refined, left, request.deadline, result.point, pool_);
  result.iterations += refinement.iterations;
  if (refinement.iterations > 0) {
    std::vector<double> gradient;
    result.bounds = evaluate(problem, result.point, gradient, pool_);
  }
  return refinement;
}

Solution Engine::solve_convex(const Request& request, std::optional<Conflict>& conflict) {
  if (!make_presolved(request.parameters, request.deadline)) return out_of_time(request);
  const SolveOptions& options = request.options;
  Outcome outcome =
      may_solve_near(request) ? Outcome{solve_near(request), {}} : solve_problem(request);
  conflict = std::move(outcome.conflict);
  SolverResult& result = outcome.result;
  Solution solution;
  solution.solver = result.solver.empty() ? name_of(options.solver) : result.solver;
  solution.presolve = presolved_->summary;
  solution.status = presolved_->infeasible ? SolveStatus::kInfeasible : result.status;
  const bool usable = solution.status != SolveStatus::kInfeasible &&
                      std::isfinite(result.bounds.objective + result.bounds.lower_bound);
  Refinement refinement;
  if (outcome.refinement) {
    refinement = std::move(*outcome.refinement);
  } else if (usable) {
    refinement = refine(request, result);
  }
  if (refinement.iterations > 0) solution.solver += ", component by component";
  solution.iterations = result.iterations;
  memory_ = {};
  if (usable && use_ == Use::kAgain) memory_ = remember(presolved_->problem, result.point);
  if (usable && !options.multipliers) {
    set_brief(result, solution);
  } else {
    set_certified(request.parameters, std::move(result.point), solution);
  }
  const Parameters& parameters = request.parameters;
  set_status(
      refinement, weight_range(model_, parameters), parameters.weight_scale, options, solution);
  return solution;
}

// From the last state: what is worse is not looked at.
Solution Engine::solve_integer(const Request& request) {
  const SolveOptions options = with_time_left(request.options, request.deadline);
  std::span<const double> start;
  if (request.from == From::kSolution) start = request.start->truth;
  if (request.from == From::kMemory) start = integer_state_;
  Solution solution = sorites::solve_integer(model_, request.parameters, options, pool_, start);
  if (use_ == Use::kAgain) integer_state_ = solution.truth;
  return solution;
}

Solution Engine::run(const Request& request) {
  const auto begin = std::chrono::steady_clock::now();
  const Parameters& parameters = request.parameters;
  const SolveOptions& options = request.options;
  check_sizes(model_, parameters, request.start);
  if (!model_trouble_) model_trouble_ = trouble_with(model_);
  std::string trouble = trouble_with(model_, parameters);
  if (trouble.empty()) trouble = *model_trouble_;
  if (!trouble.empty()) {
    Solution refused;
    refused.status = SolveStatus::kNumericalError;
    refused.message = std::move(trouble);
    refused.solver = name_of(options.solver);
    refused.truth.assign(model_.num_atoms, 0.0);
    return refused;
  }
  if (const double unit = unit_of(model_, parameters); unit != 1.0) {
    return run_in_unit(request, unit);
  }
  std::optional<Conflict> conflict;
  const bool is_integer = options.solver == Solver::kInteger || !options.integer.empty();
  Solution solution = is_integer ? solve_integer(request) : solve_convex(request, conflict);
  if (solution.status == SolveStatus::kInfeasible && options.explain_conflict) {
    if (!conflict && solution.conflict.empty()) {
      conflict = find_conflict(model_, parameters, search_time(request.deadline), options.stop);
    }
    add_conflict(std::move(conflict), solution);
  }
  for (double& value : solution.truth) value += 0.0;  // no -0
  solution.seconds = seconds_since(begin);
  return solution;
}

// The same problem with all weights divided by `unit`, a power of two: nothing is rounded.
Solution Engine::run_in_unit(const Request& request, double unit) {
  Parameters parameters = request.parameters;
  for (double& weight : parameters.weights) weight /= unit;
  parameters.weight_scale *= unit;
  Solution start;
  if (request.start != nullptr) {
    start.truth = request.start->truth;
    start.multipliers = request.start->multipliers;
    for (double& multiplier : start.multipliers) multiplier /= unit;
  }
  const Solution* const from = request.start != nullptr ? &start : nullptr;
  Solution solution = run({parameters, request.options, request.deadline, request.from, from});
  solution.objective *= unit;
  solution.lower_bound *= unit;
  for (double& multiplier : solution.multipliers) multiplier *= unit;
  return solution;
}

Solution Engine::solve(const Parameters& parameters,
                       const SolveOptions& options,
                       const Solution* start) {
  return run({parameters,
              options,
              Deadline(options.time_limit_seconds, options.stop),
              start != nullptr ? From::kSolution : From::kNothing,
              start});
}

Solution Engine::resolve(const Parameters& parameters, const SolveOptions& options) {
  return run(
      {parameters, options, Deadline(options.time_limit_seconds, options.stop), From::kMemory});
}

}  // namespace sorites
