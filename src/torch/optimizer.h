// How parameters follow their gradients.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sorites/network.h"

namespace sorites {

class Optimizer {
 public:
  explicit Optimizer(const NetworkTraining& training) : training_(training) {}

  void step(std::span<float> values, std::span<const float> gradients, double learning_rate);

  // What it goes on from.
  struct State {
    std::uint64_t num_steps = 0;
    std::vector<float> first, second;  // per parameter: moments of the gradients
  };
  const State& state() const { return state_; }
  void set_state(State state) { state_ = std::move(state); }

 private:
  void step_adam(std::span<float> values, std::span<const float> gradients, double learning_rate);
  void step_sgd(std::span<float> values, std::span<const float> gradients, double learning_rate);
  void step_adagrad(std::span<float> values,
                    std::span<const float> gradients,
                    double learning_rate);

  NetworkTraining training_;
  State state_;
};

// The learning rate of an epoch, counted from 1.
double scheduled_rate(const NetworkTraining& training,
                      std::uint64_t epoch,
                      std::uint64_t max_epochs);

// Makes the norm of the gradients at most `max_norm`. Returns what it was.
double clip(std::span<float> gradients, double max_norm);

}  // namespace sorites
