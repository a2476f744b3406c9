// Weights of a reasoner, which stand one after the other, and weights of a program.
#pragma once

#include <span>
#include <vector>

#include "semantics/reasoner.h"

namespace sorites {

// Puts weights of the reasoner into the rules that they are of.
void set_weights(const Reasoner& reasoner, std::span<const double> weights, Program& program);

// The weights that the rules of a program have, in the order of the reasoner's; rules that it does
// not have keep theirs.
std::vector<double> weights_in(const Reasoner& reasoner, const Program& program);

// Gives rules that stand in both programs the weights they have in `from`.
void copy_weights(const Program& from, Program& to);

}  // namespace sorites
