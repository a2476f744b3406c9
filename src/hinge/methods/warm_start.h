// Where a solve ended, as a start for other weights.
//
// Multipliers are kept per unit of weight: the multiplier of a potential is its weight times a
// slope that depends on x alone, so that at the old x the new weight gives the new multiplier.
#pragma once

#include <span>
#include <vector>

#include "hinge/problem/structure.h"

namespace sorites {

// All in one list: x per variable, then rows, then groups.
std::vector<double> remember(const Problem& problem, const PrimalDual& point);
std::size_t memory_size(const Problem& problem);

// Throws std::invalid_argument if this is not such a list, with or without another x at its end.
void check_memory(const Problem& problem, std::span<const double> memory);

// Solvers leave variables that are in no row and no group where they start, so these are put where
// they are best.
PrimalDual recall(const Problem& problem,
                  ProblemStructure& structure,
                  std::span<const double> memory);

}  // namespace sorites
