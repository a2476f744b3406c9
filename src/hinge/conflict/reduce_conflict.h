// From contradictory hard rows to an irreducible contradictory subset.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "hinge/conflict/hard_rows.h"

namespace sorites {

struct ReducedConflict {
  std::vector<std::uint32_t> rows;  // ascending
  bool irreducible = false;
};

// `rows` contradict each other (by propagation or by linear programming); `seconds` bounds the
// time. Fast if rows that depend on each other are neighbours, as in
// Propagation::explain_contradiction.
ReducedConflict reduce_conflict(std::span<const HardRow> all_rows,
                                std::span<const std::uint32_t> rows,
                                double seconds,
                                const std::stop_token& stop);

}  // namespace sorites
