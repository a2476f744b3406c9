// Losses of the minimiser of an energy.
#pragma once

#include <span>
#include <vector>

#include "sorites/learn.h"

namespace sorites {

struct StateLoss {
  double value = 0.0;
  std::vector<double> in_state;  // its slope
};

// The minimiser-based part of a mix: squared error and cross-entropy over the labelled targets. The
// cross-entropy sees y moved a little into (0, 1), so that it is finite and its slope never ends.
StateLoss state_loss(const LossMix& mix,
                     std::span<const double> state,
                     std::span<const double> labels);

}  // namespace sorites
