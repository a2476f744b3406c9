// The networks of a model: from its options and data to outputs.
//
//   ModelNetworks networks = make_model_networks(file, loaded, Phase::kInfer, seed, warnings);
//   parameters.outputs = predict(networks, networks.inputs);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "perception/network_settings.h"
#include "sorites/model.h"
#include "sorites/model_file.h"
#include "sorites/network.h"

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

// Makes the networks, with the parameters of their files if there are some. Empty if the model has
// no deep predicates. Warns of networks without trained parameters if `warn_of_untrained`. Throws
// InputError with all that is wrong.
ModelNetworks make_model_networks(const ModelFile& file,
                                  const LoadedModel& loaded,
                                  Phase phase,
                                  std::uint64_t seed,
                                  bool warn_of_untrained,
                                  std::vector<Diagnostic>& warnings,
                                  const MakeNetworks& make = make_networks);

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

// What there is to tell of a network.
struct NetworkSummary {
  std::string name;
  std::string_view kind;
  std::size_t parameters = 0, entities = 0, classes = 0, labelled = 0;
  bool loaded = false;  // its parameters are from a file
};
std::vector<NetworkSummary> summarise(const ModelNetworks& networks,
                                      std::span<const NetworkInputs> inputs);

// The values of all targets, those of networks behind those of atoms.
struct TargetValues {
  std::vector<AtomRange> ranges;
  std::vector<double> values;
};
TargetValues with_outputs(const Model& model,
                          std::span<const double> truth,
                          std::span<const double> outputs);

}  // namespace sorites
