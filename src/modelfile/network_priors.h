// Deep predicates whose outputs are priors (`"paradigm": "parameter"`): the predicate P becomes an
// ordinary open one, a hidden deep predicate P_network has its network, and the rule
//
//   prior-weight: P_network(A, ...) = P(A, ...) ^2
//
// ties the two, so that inference may overrule the network.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/diagnostics.h"
#include "modelfile/model_file.h"

namespace sorites {

// Rewrites such predicates of the model. The rules stand behind all others of Section::kAll.
void add_network_priors(ModelFile& model, Diagnostics& diagnostics);

// Whether the network of a rewritten predicate is its prior; it keeps its options `paradigm` and
// `prior-weight`.
bool has_prior(const PredicateDeclaration& predicate);
std::string prior_name(const PredicateDeclaration& predicate);  // "P_network"
std::size_t num_priors(const ModelFile& model);

}  // namespace sorites
