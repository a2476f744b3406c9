// Inference in one model again and again: it presolves the structure once, and goes on from where
// it was.
#pragma once

#include <memory>

#include "hinge/problem/inference_memory.h"
#include "sorites/solve.h"

namespace sorites {

// Solves one model many times. The model must outlive it and keep its structure.
class Inference {
 public:
  // Goes on from where another Inference of the same model was, bit for bit. Throws
  // std::invalid_argument if the memory does not fit the model.
  explicit Inference(const Model& model, unsigned threads = 0, const InferenceMemory& memory = {});
  ~Inference();
  Inference(Inference&&) noexcept;
  Inference& operator=(Inference&&) noexcept;

  // As solve(); starts from `start` if there is one.
  Solution solve(const Parameters& parameters,
                 const SolveOptions& options = {},
                 const Solution* start = nullptr);

  // As solve(), from where the last call ended: costs least where little has changed. The first
  // call starts from nothing.
  Solution resolve(const Parameters& parameters, const SolveOptions& options = {});

  // Of calls without regularization.
  InferenceMemory memory() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sorites
