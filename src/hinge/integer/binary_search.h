// Depth-first branch and bound over a binary part: propagation (binary_domains.h), a dual bound
// that follows every fixed variable (binary_bound.h), variables that the bound fixes by their
// reduced costs, and branching where the state that all variables prefer breaks a hard row.
#pragma once

#include <span>

#include "hinge/integer/binary_part.h"
#include "hinge/integer/binary_result.h"
#include "hinge/problem/deadline.h"

namespace sorites {

// `start` is a state to begin with, or empty; if it keeps the hard rows, nothing worse is looked
// at.
BinaryResult search_binary(const BinaryPart& part,
                           std::span<const char> start,
                           const BinaryLimits& limits,
                           const Deadline& deadline);

}  // namespace sorites
