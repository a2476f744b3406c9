// The parameters of a network in a file, with what must agree to read them.
#pragma once

#include <string>

#include "torch/network.h"

namespace sorites {

// Both throw NetworkError; a network that cannot be read stays as it is.
void save_network(const Network& network, const std::string& path);
void load_network(Network& network, const std::string& path);

}  // namespace sorites
