#include "sorites/solve.h"

#include "hinge/solve/engine.h"
#include "hinge/solve/inference.h"

namespace sorites {

struct Inference::State {
  State(const Model& model, unsigned threads, const InferenceMemory& memory)
      : pool(threads), engine(model, pool, Engine::Use::kAgain, memory) {}

  ThreadPool pool;
  Engine engine;
};

Inference::Inference(const Model& model, unsigned threads, const InferenceMemory& memory)
    : state_(std::make_unique<State>(model, threads, memory)) {}
Inference::~Inference() = default;
Inference::Inference(Inference&&) noexcept = default;
Inference& Inference::operator=(Inference&&) noexcept = default;

Solution Inference::solve(const Parameters& parameters,
                          const SolveOptions& options,
                          const Solution* start) {
  return state_->engine.solve(parameters, options, start);
}

Solution Inference::resolve(const Parameters& parameters, const SolveOptions& options) {
  return state_->engine.resolve(parameters, options);
}

InferenceMemory Inference::memory() const { return state_->engine.memory(); }

Solution solve(const Model& model,
               const Parameters& parameters,
               const SolveOptions& options,
               const Solution* start) {
  ThreadPool pool(options.threads);
  return Engine(model, pool, Engine::Use::kOnce).solve(parameters, options, start);
}

}  // namespace sorites
