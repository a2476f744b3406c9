// The `options` of one predicate.
#pragma once

#include "run/config_report.h"
#include "sorites/model_file.h"

namespace sorites {

// Checks them and puts them into the declaration, whose arity and class are settled. A neural
// predicate may have any option: what is unknown here is for its network.
void read_predicate_options(const ConfigNode& node,
                            const ConfigReport& report,
                            PredicateDeclaration& declaration);

}  // namespace sorites
