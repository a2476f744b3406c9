#include "learn/losses.h"

#include <cmath>

namespace sorites {

StateLoss state_loss(const LossMix& mix,
                     std::span<const double> state,
                     std::span<const double> labels) {
  // Of the cross-entropy at 0 and at 1, where solvers put most atoms: a wrong one costs 4.6.
  // Smaller makes single mistakes outweigh all else, larger makes the loss a squared error.
  constexpr double kMargin = 0.01;
  StateLoss loss;
  loss.in_state.assign(state.size(), 0.0);
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (std::isnan(labels[i])) continue;
    const double t = labels[i], error = state[i] - t;
    loss.value += mix.squared_error * error * error;
    loss.in_state[i] += mix.squared_error * 2.0 * error;
    if (mix.cross_entropy == 0.0) continue;
    const double inner = 1.0 - 2.0 * kMargin, y = kMargin + inner * state[i];
    loss.value -= mix.cross_entropy * (t * std::log(y) + (1.0 - t) * std::log(1.0 - y));
    loss.in_state[i] -= mix.cross_entropy * inner * (t / y - (1.0 - t) / (1.0 - y));
  }
  return loss;
}

}  // namespace sorites
