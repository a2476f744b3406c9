// The networks of a model: from its options and data to outputs.
//
//   const Phase phase = Phase::kInfer;
//   const auto networks = make_model_networks(file, loaded, phase, seed, true, warnings);
//   parameters.outputs = bind_networks(file, networks, networks.inputs)->predict(0);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "modelfile/model_file.h"
#include "perception/network_settings.h"
#include "perception/networks.h"
#include "sorites/model.h"

namespace sorites {

bool has_networks(const ModelFile& file);  // whether it has deep predicates

// One network per deep predicate, in the order of the predicates.
struct ModelNetworks {
  std::vector<PredicateId> predicates;
  std::vector<NetworkOptions> options;
  std::vector<NetworkInputs> inputs;   // of the data set that they were made for
  std::unique_ptr<Networks> networks;  // null: the model has none

  explicit operator bool() const { return networks != nullptr; }
  std::size_t num_outputs() const;
};

using MakeNetworks =
    std::function<std::unique_ptr<Networks>(std::vector<NetworkOptions>, std::uint64_t)>;

// What the networks are to be, and their inputs; empty if the model has no deep predicates. Warns
// of networks without trained parameters if `warn_of_untrained`. Throws InputError with all that is
// wrong.
ModelNetworks describe_networks(const ModelFile& file,
                                const LoadedModel& loaded,
                                Phase phase,
                                bool warn_of_untrained,
                                std::vector<Diagnostic>& warnings);

// Whether they can be made, and the files of their modules are there and whole, without loading
// torch. Throws InputError.
void check_networks(const ModelFile& file, Phase phase, const ModelNetworks& networks);

// Makes those that are described, with the parameters of their files if there are some. Throws
// InputError.
void make_described(const ModelFile& file,
                    std::uint64_t seed,
                    ModelNetworks& networks,
                    const MakeNetworks& make = make_networks);

// Both.
ModelNetworks make_model_networks(const ModelFile& file,
                                  const LoadedModel& loaded,
                                  Phase phase,
                                  std::uint64_t seed,
                                  bool warn_of_untrained,
                                  std::vector<Diagnostic>& warnings);

// They go on from what those of an earlier call have learned. Throws InputError.
void go_on_from(const ModelFile& file, const ModelNetworks& learned, ModelNetworks& networks);

// The inputs of another data set for these networks.
std::vector<NetworkInputs> read_inputs(const ModelFile& file,
                                       const LoadedModel& loaded,
                                       Phase phase,
                                       const ModelNetworks& networks);

// Throws InputError if inputs do not fit.
std::unique_ptr<OutputSource> bind_networks(
    const ModelFile& file,
    const ModelNetworks& networks,
    std::vector<NetworkInputs> inputs,
    std::vector<std::vector<std::uint32_t>> outputs_of_sample = {});

std::vector<NetworkSummary> summarise(const ModelNetworks& networks,
                                      std::span<const NetworkInputs> inputs);

}  // namespace sorites
