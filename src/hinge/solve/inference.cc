#include "hinge/solve/inference.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "hinge/problem/regularize.h"
#include "hinge/solve/engine.h"
#include "sorites/solve.h"

namespace sorites {

namespace {

// Solves to the gap that is asked for. The relative gap that an absolute one is follows from the
// objective, which a rough solve tells.
Solution solve_to_gap(const SolveOptions& options,
                      double weight_scale,
                      const Solution* start,
                      const auto& solve_once) {
  if (options.absolute_gap == 0.0) return solve_once(options, start);
  // Iterations of twelve models to absolute gaps of 1e-2 and 1e-4 of their objectives, beside
  // these: 1.29 if the first solve is to 0.01, 0.91 to 0.3; 1.10 with a margin of a half, 0.97 with
  // none, which would leave nothing for an objective that comes out larger than the rough one; as
  // many with 3 and 10 solves at most.
  constexpr double kRough = 0.1;  // relative
  constexpr double kMargin = 0.9;
  constexpr int kMaxSolves = 5;
  const double allowed = options.absolute_gap / weight_scale;
  SolveOptions next = options;
  next.gap = std::max(options.gap, kRough);
  Solution solution = solve_once(next, start);
  for (int solves = 1; solves < kMaxSolves; ++solves) {
    const bool is_near = solution.objective - solution.lower_bound <= allowed;
    if (solution.status != SolveStatus::kOptimal || is_near || next.gap <= options.gap) break;
    next.gap = std::min(kRough * next.gap, kMargin * allowed / std::abs(solution.objective));
    next.gap = std::max(options.gap, next.gap);
    const Solution before = std::move(solution);
    solution = solve_once(next, &before);
    solution.iterations += before.iterations;
    solution.seconds += before.seconds;
  }
  return solution;
}

// Solves the regularised model from `start`, and gives the solution as one of the model.
Solution solve_regularized(const Model& model,
                           const Parameters& parameters,
                           const SolveOptions& options,
                           const Solution* start,
                           const auto& solve_model) {
  std::optional<Solution> regular_start;
  if (start != nullptr) regular_start = regularized(model, *start);
  Solution solution = solve_model(regularized(parameters, options.regularization),
                                  regular_start ? &*regular_start : nullptr);
  solution.multipliers = without_regularization(model, std::move(solution.multipliers));
  return solution;
}

}  // namespace

struct Inference::State {
  State(const Model& of, unsigned threads, const InferenceMemory& memory)
      : model(of), pool(threads), plain(of, pool, Engine::Use::kAgain, memory) {}

  Engine& regular_engine() {
    if (!regular) {
      regular_model = regularized(model);
      regular.emplace(*regular_model, pool, Engine::Use::kAgain);
    }
    return *regular;
  }

  const Model& model;
  ThreadPool pool;
  Engine plain;
  std::optional<Model> regular_model;  // once it is needed
  std::optional<Engine> regular;
};

Inference::Inference(const Model& model, unsigned threads, const InferenceMemory& memory)
    : state_(std::make_unique<State>(model, threads, memory)) {}
Inference::~Inference() = default;
Inference::Inference(Inference&&) noexcept = default;
Inference& Inference::operator=(Inference&&) noexcept = default;

Solution Inference::solve(const Parameters& parameters,
                          const SolveOptions& options,
                          const Solution* start) {
  const auto solve_once = [&](const SolveOptions& once, const Solution* from) {
    if (once.regularization == 0.0) return state_->plain.solve(parameters, once, from);
    return solve_regularized(state_->model,
                             parameters,
                             once,
                             from,
                             [&](const Parameters& p, const Solution* of_regular) {
                               return state_->regular_engine().solve(p, once, of_regular);
                             });
  };
  return solve_to_gap(options, parameters.weight_scale, start, solve_once);
}

Solution Inference::resolve(const Parameters& parameters, const SolveOptions& options) {
  const auto solve_once = [&](const SolveOptions& once, const Solution*) {
    if (once.regularization == 0.0) return state_->plain.resolve(parameters, once);
    return solve_regularized(
        state_->model, parameters, once, nullptr, [&](const Parameters& p, const Solution*) {
          return state_->regular_engine().resolve(p, once);
        });
  };
  return solve_to_gap(options, parameters.weight_scale, nullptr, solve_once);
}

InferenceMemory Inference::memory() const { return state_->plain.memory(); }

Solution solve(const Model& model,
               const Parameters& parameters,
               const SolveOptions& options,
               const Solution* start) {
  ThreadPool pool(options.threads);
  const bool is_regular = options.regularization > 0.0;
  const Model regular = is_regular ? regularized(model) : Model();
  const auto solve_once = [&](const SolveOptions& once, const Solution* from) {
    if (!is_regular) return Engine(model, pool, Engine::Use::kOnce).solve(parameters, once, from);
    return solve_regularized(
        model, parameters, once, from, [&](const Parameters& p, const Solution* of_regular) {
          return Engine(regular, pool, Engine::Use::kOnce).solve(p, once, of_regular);
        });
  };
  return solve_to_gap(options, parameters.weight_scale, start, solve_once);
}

}  // namespace sorites
