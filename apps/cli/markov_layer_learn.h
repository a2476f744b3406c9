// sorites learn on a model of Markov logic with deep predicates: networks and weights together,
// through the formulas.
#pragma once

#include "commands.h"
#include "learn_phase.h"

namespace sorites {

// Whether the model is one. Throws InputError if it cannot be read.
bool has_logic_layer(const LearnFlags& flags);

int learn_logic_layer(const LearnFlags& flags, const RunContext& context);

}  // namespace sorites
