// The weights that are learned: where they live, what regularises them, how a step changes them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "learn/learning.h"

namespace sorites {

class WeightSpace {
 public:
  // `fixed`: per rule, whether its weight is not learned.
  WeightSpace(const LearnOptions& options, const std::vector<bool>& fixed);

  const std::vector<std::size_t>& learned() const { return learned_; }

  // Brings weights into the domain; fixed ones keep their ratio to the others. Throws LearnError if
  // a weight is not a number that can be learned from. They are those to start from.
  void enter(std::vector<double>& weights);

  // The first weights, and the loss of all samples with them: centre and unit of relative
  // regularisers. Later calls change nothing.
  void see_loss(double loss, std::span<const double> weights);

  // The regularisers; adds their slopes.
  double regularize(std::span<const double> weights, std::vector<double>& gradient) const;

  // Scales the gradient of the learned weights to the largest entry and norm that are allowed,
  // clears the others, and returns its norm before.
  double clip(std::vector<double>& gradient) const;

  // One step of this length against the gradient, within the domain.
  void step(std::vector<double>& weights, std::span<const double> gradient, double length);

  const WeightState& state() const { return state_; }
  // Throws std::invalid_argument if it is of other weights.
  void restore(const WeightState& state);

 private:
  void enter_simplex(std::vector<double>& weights) const;
  void mirror_step(std::vector<double>& weights, std::span<const double> slopes, double length);
  void softmax_step(std::vector<double>& weights, std::span<const double> gradient, double length);
  void optimize(std::vector<double>& slopes);
  void project_onto_simplex(std::vector<double>& weights) const;

  WeightDomain domain_;
  WeightOptimizer optimizer_;
  WeightRegularizers regularizers_;
  double max_gradient_, max_gradient_norm_;
  std::vector<std::size_t> learned_;
  std::vector<double> first_weights_;
  WeightState state_;  // shares are n w0 / sum w0
};

// The length of the step of an epoch, counted from 1.
double step_length(const LearnOptions& options, std::uint64_t epoch);

}  // namespace sorites
