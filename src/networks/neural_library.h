// The border between the program and libsorites_neural, the library that is linked to torch.
//
// Torch brings hundreds of shared libraries, which take a second to load: only models that have
// networks shall pay for that. So the library is opened when the first networks are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sorites/network.h"

namespace sorites {

// What both sides must agree on; a library of another version or compiler does not.
inline constexpr std::size_t kNeuralInterface[] = {
    1, sizeof(NetworkOptions), sizeof(NetworkInputs), sizeof(NetworkTraining), sizeof(Networks)};

// The symbols of the library.
inline constexpr const char* kInterfaceSymbol = "sorites_neural_interface";
inline constexpr const char* kMakeSymbol = "sorites_neural_make_networks";
using InterfaceFunction = const std::size_t* (*)();
// Takes what it needs out of `options`. The caller owns the result.
using MakeFunction = Networks* (*)(std::vector<NetworkOptions>& options, std::uint64_t seed);

}  // namespace sorites
