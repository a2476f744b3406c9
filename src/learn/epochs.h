// Learning by steps, epoch after epoch: gradient descent and the bilevel algorithm.
#pragma once

#include <vector>

#include "learn/learning.h"
#include "learn/progress.h"
#include "learn/weight_space.h"

namespace sorites {

// Moves weights and the networks of the set until there is a reason to stop. The outputs of the
// samples, which are those of the networks at first, become those of their last steps. A resumed
// run goes on from the state of `progress`.
LearnStop learn_by_steps(LearnSet& training,
                         const std::vector<double>& weights,
                         WeightSpace& space,
                         const LearnOptions& options,
                         LearnProgress& progress,
                         bool resumed);

}  // namespace sorites
