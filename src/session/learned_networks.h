// Parameters of networks beside a learned model.
#pragma once

#include <string>
#include <vector>

#include "modelfile/learned_model.h"
#include "perception/model_networks.h"

namespace sorites {

// Writes learned.Digit.pt for a model `learned.json` with a network `Digit`, and for an embedding
// the list of its entities. The files are there whole or not at all. Throws IoError.
std::vector<LearnedNetwork> write_networks(const ModelNetworks& networks,
                                           const std::string& model_path);

}  // namespace sorites
