// Predicates of which exactly one atom holds (`"exactly-one": [1]`): for each choice of the other
// arguments, over all values of these. The declaration becomes the hard rule
//
//   P(A1, +A2) = 1 .
//
// which inference and learning know like any other, and tells evaluators which arguments are the
// category.
#pragma once

#include <cstddef>

#include "base/diagnostics.h"
#include "modelfile/model_file.h"

namespace sorites {

// The rules stand behind all others of Section::kAll that the model has so far.
void add_exactly_one_rules(ModelFile& model, Diagnostics& diagnostics);

std::size_t num_exactly_one_rules(const ModelFile& model);

}  // namespace sorites
