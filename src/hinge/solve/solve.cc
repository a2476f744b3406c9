#include "sorites/solve.h"

#include <optional>

#include "hinge/problem/regularize.h"
#include "hinge/solve/engine.h"
#include "hinge/solve/inference.h"

namespace sorites {

namespace {

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
  if (options.regularization == 0.0) return state_->plain.solve(parameters, options, start);
  return solve_regularized(
      state_->model, parameters, options, start, [&](const Parameters& p, const Solution* from) {
        return state_->regular_engine().solve(p, options, from);
      });
}

Solution Inference::resolve(const Parameters& parameters, const SolveOptions& options) {
  if (options.regularization == 0.0) return state_->plain.resolve(parameters, options);
  return solve_regularized(
      state_->model, parameters, options, nullptr, [&](const Parameters& p, const Solution*) {
        return state_->regular_engine().resolve(p, options);
      });
}

InferenceMemory Inference::memory() const { return state_->plain.memory(); }

Solution solve(const Model& model,
               const Parameters& parameters,
               const SolveOptions& options,
               const Solution* start) {
  ThreadPool pool(options.threads);
  if (options.regularization == 0.0) {
    return Engine(model, pool, Engine::Use::kOnce).solve(parameters, options, start);
  }
  const Model regular = regularized(model);
  return solve_regularized(
      model, parameters, options, start, [&](const Parameters& p, const Solution* from) {
        return Engine(regular, pool, Engine::Use::kOnce).solve(p, options, from);
      });
}

}  // namespace sorites
