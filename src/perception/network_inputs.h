// What networks see of a data set.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "modelfile/model_file.h"
#include "perception/network_settings.h"
#include "perception/networks.h"

namespace sorites {

// The inputs of one network, and what its options take from the data.
struct DataOfNetwork {
  NetworkInputs inputs;
  std::vector<std::size_t> input_shape;
  std::vector<std::string> entities;  // by number, for messages: ('img7')
  std::vector<std::string> vocabulary;
};

// Entity, class, features and label of every target row of the predicate. All that is wrong goes to
// the sink. An embedding looks entities up in the network's vocabulary; if that is empty, it
// becomes that of the entities of the `entities` file, or else of the targets.
DataOfNetwork read_network_inputs(const ModelFile& file,
                                  const LoadedModel& loaded,
                                  PredicateId predicate,
                                  Phase phase,
                                  const NetworkSettings& settings,
                                  Diagnostics& sink);

// Gives deep predicates without targets one atom per class for every entity that their features
// name.
void add_network_targets(const ModelFile& file, Phase phase, Database& database, Diagnostics& sink);

}  // namespace sorites
