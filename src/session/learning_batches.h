// A data set as learning takes it: energies of all of it or of batches, networks, metric.
#pragma once

#include <memory>
#include <vector>

#include "learn/learning.h"
#include "perception/model_networks.h"
#include "session/learn_settings.h"
#include "session/learning_data.h"

namespace sorites {

struct PreparedSet {
  Samples samples;
  std::unique_ptr<OutputSource> source;  // null if there are no networks
  LearnSet set;
};

// `data` and `networks` (null if there are none) must outlive it. Throws InputError if the inputs
// do not fit the networks.
std::unique_ptr<PreparedSet> prepare_set(const ModelFile& file,
                                         LearningSet& data,
                                         const LearnSettings& settings,
                                         const ModelNetworks* networks,
                                         std::vector<NetworkInputs> inputs);

}  // namespace sorites
