// What the options of deep predicates say about their networks.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "modelfile/model_file.h"
#include "perception/read_features.h"
#include "sorites/network.h"

namespace sorites {

// Which atom of a deep predicate is which output of its network, and where the features are.
struct NetworkData {
  std::vector<std::size_t> entity_arguments;
  std::optional<std::size_t> class_argument;  // none: the network has one output per entity
  std::vector<std::string> classes;           // their constants, in the order of the outputs
  std::string features;                       // paths; empty if they are not given
  std::string entities;
  // A TorchScript file that makes what the network sees: of `features`, which then are the raw
  // ones, or of the numbers of entities if there are none.
  std::string feature_module;
  std::vector<std::size_t> input_shape;  // of an entity's features; empty: that of the file
  FeatureColumns columns;                // of an entity-data map
  std::string graph;                     // the predicate whose atoms are edges; empty: none
  std::size_t hops = 2;

  std::size_t num_classes() const { return class_argument ? classes.size() : 1; }
  bool sees_numbers() const { return !feature_module.empty() && features.empty(); }
  // The option that names `features`.
  std::string_view features_option() const {
    return feature_module.empty() ? "features" : "raw-features";
  }
};

struct NetworkSettings {
  NetworkOptions network;  // but for what the data tells: `input_shape` and `vocabulary`
  NetworkData data;
};

// Each reports what is missing or does not fit to the sink. The data alone is all that is needed to
// know the atoms.
NetworkData network_data(const ModelFile& model,
                         const PredicateDeclaration& predicate,
                         Phase phase,
                         Diagnostics& sink);
NetworkSettings network_settings(const ModelFile& model,
                                 const PredicateDeclaration& predicate,
                                 Phase phase,
                                 Diagnostics& sink);

// Where an option of a phase stands; the predicate's own place if it is not set.
Span option_place(const PredicateDeclaration& predicate, Phase phase, std::string_view name);

}  // namespace sorites
