// Starts that a solver can use, and the way between a problem with groups and one with rows only.
#pragma once

#include "hinge/problem/problem.h"

namespace sorites {

// The start with the sizes of the problem, values within bounds and multipliers within their
// domain; what is missing or not finite is taken from cold_start.
PrimalDual usable_start(const Problem& problem, PrimalDual start);

// A point of the problem as one of with_groups_as_rows(problem), and back.
PrimalDual groups_to_rows(PrimalDual point);
PrimalDual rows_to_groups(PrimalDual point, std::size_t num_groups);

}  // namespace sorites
