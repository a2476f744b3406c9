// Networks of your own, as C++ modules of libtorch.
//
//   register_network("two-towers", [](const NetworkOptions& options) {
//     return torch::nn::AnyModule(TwoTowers(options.num_classes));
//   });
//
// A model's network of kind "registered" whose `module` is that name is then made by the factory.
// This header needs libtorch; programs that use it link sorites::torch (docs/networks.md).
#pragma once

#include <torch/nn/modules/container/any.h>
#include <torch/types.h>

#include <functional>
#include <string>

#include "sorites/network.h"

namespace sorites {

// Makes a module whose forward() takes one tensor of features, [entities, shape...] or, for
// entities of several parts, [entities, parts, shape...], to numbers [entities, classes]: those
// that enter the softmax or sigmoid. Its parameters must be single-precision. torch's random
// numbers are those of the network's seed while it runs.
using NetworkFactory = std::function<torch::nn::AnyModule(const NetworkOptions&)>;

// Another factory of the same name is replaced. Networks are made by make_networks().
void register_network(std::string name, NetworkFactory factory);

}  // namespace sorites
