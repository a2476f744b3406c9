// Where a solve ended, as a start for other weights.
//
// Multipliers are kept per unit of weight: the multiplier of a potential is its weight times a
// slope that depends on x alone, so that at the old x the new weight gives the new multiplier.
#pragma once

#include "hinge/problem/inference_memory.h"
#include "hinge/problem/structure.h"
#include "sorites/solve.h"

namespace sorites {

// The point, without window centres.
InferenceMemory remember(const Problem& problem, const PrimalDual& point);

// Throws std::invalid_argument if the memory is not one of this problem.
void check_memory(const Problem& problem, const InferenceMemory& memory);

// Solvers leave variables that are in no row and no group where they start, so these are put where
// they are best.
PrimalDual recall(const Problem& problem,
                  ProblemStructure& structure,
                  const InferenceMemory& memory);

}  // namespace sorites
