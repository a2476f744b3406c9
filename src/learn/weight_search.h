// Learning by trying weights (search.h) on the samples.
#pragma once

#include <vector>

#include "learn/learning.h"
#include "learn/progress.h"
#include "learn/weight_space.h"

namespace sorites {

// Every point is an epoch of the log. What is wrong with weights is the training metric, or the
// loss if there is none.
LearnStop search_weights(const LearnSet& training,
                         std::vector<double> weights,
                         const WeightSpace& space,
                         const LearnOptions& options,
                         LearnProgress& progress);

}  // namespace sorites
