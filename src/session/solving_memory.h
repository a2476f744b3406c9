// What solving a ground model takes, beside the model itself.
#pragma once

#include "semantics/reasoner.h"

namespace sorites {

// Presolve and methods keep copies and multipliers of the terms: 40 to 60 bytes for each, measured
// on the models of docs/benchmarks.md.
inline constexpr double kSolvingBytesPerTerm = 50.0;

// Throws InputError, naming the largest rule, if hinge-loss inference on the ground model would
// need more memory than there is.
void check_solving_fits(const Reasoner& reasoner);

}  // namespace sorites
