// Losses of the minimiser of an energy.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "learn/energy.h"
#include "sorites/learn.h"

namespace sorites {

struct StateLoss {
  double value = 0.0;
  std::vector<double> in_state;     // its slope
  std::vector<double> in_log_odds;  // the rest of it, where these are known; else empty

  StateSlopes slopes() const { return {in_state, in_log_odds}; }
};

// The minimiser-based part of a mix: squared error and cross-entropy over the labelled targets. The
// cross-entropy sees y moved a little into (0, 1), so that it is finite and its slope never ends.
StateLoss state_loss(const LossMix& mix,
                     std::span<const double> state,
                     std::span<const double> labels);

// The same of what inference found. Where it tells log-odds, the cross-entropy is the likelihood of
// the labels, and its slopes never vanish for what is wrong.
StateLoss state_loss(const LossMix& mix,
                     const EnergyValue& minimum,
                     std::span<const double> labels);

// The y in [0, 1] that minimises the same loss plus strength |y - centre|^2, where the strength is
// that of the y found: `strength_at` falls, or stays, as y comes nearer to the centre.
std::vector<double> proximal_state(
    const LossMix& mix,
    std::span<const double> labels,
    std::span<const double> centre,
    const std::function<double(std::span<const double>)>& strength_at);

}  // namespace sorites
