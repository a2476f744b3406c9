// Deep predicates of Markov logic: what their networks say are unary potentials, and the formulas
// are a layer above them (`"layer": "logicmp"`).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "perception/model_networks.h"
#include "session/markov_model.h"
#include "sorites/learn.h"
#include "sorites/meanfield_energy.h"

namespace sorites {

struct MarkovNetworks {
  ModelNetworks networks;           // empty: the model has none
  std::vector<MarkovAtom> outputs;  // per network output: of which atom (and class)
};

// As make_model_networks().
MarkovNetworks make_markov_networks(const LoadedMarkovModel& loaded,
                                    Phase phase,
                                    std::uint64_t seed,
                                    bool warn_of_untrained,
                                    std::vector<Diagnostic>& warnings,
                                    const MakeNetworks& make = make_networks);

// From now on the networks look at other data, of the same model file.
void use_data_of(const LoadedMarkovModel& loaded, Phase phase, MarkovNetworks& networks);

// Adds what the networks say to the unary potentials of the model.
void add_network_unaries(const ModelFile& file, const MarkovNetworks& networks, MarkovModel& model);

// Trains networks and weights on the truth of the queries, through all iterations of the layer, and
// leaves both as they are best. Losses are means over labelled targets. Hard formulas stay. Throws
// LearnError.
LearnResult learn_markov_networks(LoadedMarkovModel& loaded,
                                  MarkovNetworks& networks,
                                  const MeanFieldOptions& inference,
                                  LearnOptions options,
                                  const std::function<void(const LearnEpoch&)>& on_epoch = {});

}  // namespace sorites
