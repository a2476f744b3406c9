#include "sorites/solve.h"

#include "hinge/solve/engine.h"

namespace sorites {

struct Inference::State : Engine {
  using Engine::Engine;
};

Inference::Inference(const Model& model, unsigned threads)
    : state_(std::make_unique<State>(model, threads, false)) {}
Inference::~Inference() = default;
Inference::Inference(Inference&&) noexcept = default;
Inference& Inference::operator=(Inference&&) noexcept = default;

Solution Inference::solve(const Parameters& parameters,
                          const SolveOptions& options,
                          const Solution* start) {
  const auto from = start != nullptr ? Engine::From::kSolution : Engine::From::kNothing;
  return state_->solve(parameters, options, from, start);
}

Solution Inference::resolve(const Parameters& parameters, const SolveOptions& options) {
  return state_->solve(parameters, options, Engine::From::kMemory);
}

std::vector<double> Inference::memory() const { return state_->memory(); }
void Inference::restore(std::vector<double> memory) { state_->restore(std::move(memory)); }

Solution solve(const Model& model,
               const Parameters& parameters,
               const SolveOptions& options,
               const Solution* start) {
  const auto from = start != nullptr ? Engine::From::kSolution : Engine::From::kNothing;
  return Engine(model, options.threads, true).solve(parameters, options, from, start);
}

}  // namespace sorites
