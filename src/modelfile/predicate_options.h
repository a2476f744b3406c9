// The `options` of one predicate.
#pragma once

#include "config/config_report.h"
#include "sorites/model_file.h"

namespace sorites {

// Checks them and puts them into the declaration, whose arity and class are settled. Where the
// network is a Python class, unknown options are taken to be for it.
void read_predicate_options(const ConfigNode& node,
                            const ConfigReport& report,
                            PredicateDeclaration& declaration);

}  // namespace sorites
