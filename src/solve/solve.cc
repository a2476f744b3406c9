#include "sorites/solve.h"

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/thread_pool.h"
#include "solve/admm.h"
#include "solve/auto_solver.h"
#include "solve/certificate.h"
#include "solve/conflict.h"
#include "solve/coordinate_descent.h"
#include "solve/dual_bcd.h"
#include "solve/gradient.h"
#include "solve/integer.h"
#include "solve/interior_point.h"
#include "solve/pdhg.h"
#include "solve/postsolve.h"
#include "solve/presolve.h"
#include "solve/solver.h"
#include "solve/stochastic_gradient.h"
#include "solve/structure.h"
#include "solve/warm_start.h"

namespace sorites {
namespace {

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
                 std::string& ran) {
  ran = name_of(options.solver);
  switch (options.solver) {
    case Solver::kAuto:
      return solve_auto(problem, structure, std::move(start), options, pool, ran);
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
void add_conflict(const Model& model,
                  const Parameters& parameters,
                  const SolveOptions& options,
                  ThreadPool& pool,
                  Solution& solution) {
  if (auto conflict = find_conflict(model, parameters, options.stop, pool)) {
    solution.conflict = std::move(conflict->terms);
    solution.conflict_is_irreducible = conflict->irreducible;
  }
  if (solution.message.empty()) {
    solution.message = solution.conflict.empty() ? "no state keeps all hard rules"
                                                 : std::to_string(solution.conflict.size()) +
                                                       " hard ground rules cannot hold together";
  }
}

// Where a solve starts.
enum class From { kNothing, kSolution, kMemory };

// Solves one model; keeps what presolve found.
struct Engine {
  const Model& model;
  ThreadPool pool;
  std::optional<std::string> model_trouble;  // once it has been looked for
  std::optional<Presolved> presolved;
  std::optional<ProblemStructure> structure;  // of the presolved problem
  Parameters parameters;                      // that are in `presolved`
  std::vector<double> memory;                 // where the last solve ended (warm_start.h)

  bool once = false;  // nothing need be kept for other parameters

  Engine(const Model& model_, unsigned threads) : model(model_), pool(threads) {}

  void prepare(const Parameters& wanted) {
    if (!presolved) {
      ::malloc_trim(0);  // the indexes of grounding, above all, which left their pages behind
      presolved = presolve(model, wanted, pool);
      structure.emplace(presolved->problem);
      if (once) presolved->fold = {};
    } else if (wanted.outputs != parameters.outputs) {
      set_outputs(*presolved, model, wanted, pool);
      set_weights(*presolved, model, wanted, pool);
    } else if (wanted.weights != parameters.weights) {
      set_weights(*presolved, model, wanted, pool);
    }
    parameters = wanted;
  }

  PrimalDual start_point(From from, const Solution* start) {
    if (from == From::kSolution) {
      return start_from(model, *presolved, *structure, start->truth, start->multipliers);
    }
    if (from == From::kMemory && !memory.empty()) {
      return recall(presolved->problem, memory, *structure);
    }
    return cold_start(presolved->problem);
  }

  // Truth, multipliers and bounds of the model.
  void set_certified(const Parameters& wanted, PrimalDual point, Solution& solution) {
    ModelPoint whole = postsolve(model, wanted, *presolved, std::move(point), pool, !once);
    solution.truth = std::move(whole.truth);
    solution.multipliers = std::move(whole.multipliers);
    const Certificate certificate =
        certify(model, wanted, solution.truth, solution.multipliers, pool);
    solution.objective = certificate.objective;
    solution.lower_bound = certificate.lower_bound;
    solution.max_violation = certificate.max_violation;
  }

  // Truth of the model, bounds of the presolved problem.
  void set_brief(const SolverResult& result, Solution& solution) {
    solution.truth = truth_of(presolved->atoms, result.point.x);
    solution.objective = result.bounds.objective;
    solution.lower_bound = result.bounds.lower_bound;
    solution.max_violation = result.bounds.violation;
  }

  Solution solve_convex(const Parameters& wanted,
                        const SolveOptions& options,
                        From from,
                        const Solution* start) {
    prepare(wanted);
    Solution solution;
    SolverResult result = run(
        presolved->problem, *structure, start_point(from, start), options, pool, solution.solver);
    solution.iterations = result.iterations;
    solution.presolve = presolved->summary;
    solution.status = presolved->infeasible ? SolveStatus::kInfeasible : result.status;
    const bool usable = solution.status != SolveStatus::kInfeasible &&
                        std::isfinite(result.bounds.objective + result.bounds.lower_bound);
    memory.clear();
    if (usable && !once) memory = remember(presolved->problem, result.point);
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

  Solution solve(const Parameters& wanted,
                 const SolveOptions& options,
                 From from,
                 const Solution* start = nullptr) {
    const auto begin = std::chrono::steady_clock::now();
    check_sizes(model, wanted, start);
    if (!model_trouble) model_trouble = trouble_with(model);
    std::string trouble = trouble_with(model, wanted);
    if (trouble.empty()) trouble = *model_trouble;
    if (!trouble.empty()) {
      Solution refused;
      refused.status = SolveStatus::kNumericalError;
      refused.message = std::move(trouble);
      refused.solver = name_of(options.solver);
      refused.truth.assign(model.num_atoms, 0.0);
      return refused;
    }
    Solution solution = options.solver == Solver::kInteger || !options.integer.empty()
                            ? solve_integer(model, wanted, options, pool)
                            : solve_convex(wanted, options, from, start);
    if (solution.status == SolveStatus::kInfeasible && options.explain_conflict) {
      add_conflict(model, wanted, options, pool, solution);
    }
    solution.seconds = seconds_since(begin);
    return solution;
  }
};

}  // namespace

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

std::optional<Solver> solver_named(std::string_view name) {
  for (const Solver solver : kSolvers) {
    if (name_of(solver) == name) return solver;
  }
  return std::nullopt;
}

std::string_view name_of(SolveStatus status) {
  switch (status) {
    case SolveStatus::kOptimal:
      return "optimal";
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

double relative_gap(double objective, double lower_bound) {
  return (objective - lower_bound) / std::max({std::abs(objective), std::abs(lower_bound), 0.01});
}

struct Inference::State : Engine {
  using Engine::Engine;
};

Inference::Inference(const Model& model, unsigned threads)
    : state_(std::make_unique<State>(model, threads)) {}
Inference::~Inference() = default;
Inference::Inference(Inference&&) noexcept = default;
Inference& Inference::operator=(Inference&&) noexcept = default;

Solution Inference::solve(const Parameters& parameters,
                          const SolveOptions& options,
                          const Solution* start) {
  return state_->solve(
      parameters, options, start != nullptr ? From::kSolution : From::kNothing, start);
}

Solution Inference::resolve(const Parameters& parameters, const SolveOptions& options) {
  return state_->solve(parameters, options, From::kMemory);
}

std::vector<double> Inference::memory() const { return state_->memory; }
void Inference::restore(std::vector<double> memory) { state_->memory = std::move(memory); }

Solution solve(const Model& model,
               const Parameters& parameters,
               const SolveOptions& options,
               const Solution* start) {
  Engine engine(model, options.threads);
  engine.once = true;
  return engine.solve(
      parameters, options, start != nullptr ? From::kSolution : From::kNothing, start);
}

}  // namespace sorites
