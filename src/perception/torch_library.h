// The border between the program and libsorites_torch, the library that is linked to torch.
//
// Torch brings hundreds of shared libraries, which take a second to load: only models that have
// networks shall pay for that. So the library is opened when the first networks are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "perception/networks.h"

namespace sorites {

// What both sides must agree on; a library of another version or compiler does not.
inline constexpr std::size_t kNeuralInterface[] = {
    3, sizeof(NetworkOptions), sizeof(NetworkInputs), sizeof(NetworkTraining), sizeof(Networks)};

// What a feature module sees: raw features, or, if there are none, the numbers of entities.
struct FeatureModuleInput {
  const FeatureArray* raw = nullptr;
  std::span<const std::int64_t> numbers;

  std::size_t num_rows() const { return raw == nullptr ? numbers.size() : raw->num_rows(); }
};

// The symbols of the library.
inline constexpr const char* kInterfaceSymbol = "sorites_torch_interface";
inline constexpr const char* kMakeSymbol = "sorites_torch_make_networks";
inline constexpr const char* kFeatureModuleSymbol = "sorites_torch_run_feature_module";
using InterfaceFunction = const std::size_t* (*)();
// Takes what it needs out of `options`. The caller owns the result.
using MakeFunction = Networks* (*)(std::vector<NetworkOptions>& options, std::uint64_t seed);
using FeatureModuleFunction = FeatureArray* (*)(const std::string& path,
                                                const FeatureModuleInput& input);

}  // namespace sorites
