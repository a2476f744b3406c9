// From what a user asks for to the atom that is meant.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sorites/database.h"

namespace sorites {

// A target: a row of the targets of its predicate.
struct TargetRow {
  PredicateId predicate = 0;
  std::uint32_t row = 0;
};

// The target that a text like "Knows('ann', 'bob')" names; constants may stand without quotes. Of a
// predicate with classes, an atom without its class means all of them. Throws InputError if it is
// no atom, observed, or not in the data.
std::vector<TargetRow> find_targets(const Database& database, std::string_view text);

}  // namespace sorites
