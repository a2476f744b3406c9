// From what a user asks for to the atom that is meant.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

#include "sorites/database.h"

namespace sorites {

// Of an atom that is no target: there is no row of it.
inline constexpr std::uint32_t kNoTarget = std::numeric_limits<std::uint32_t>::max();

// An atom that is inferred: a row of the targets of its predicate, or none of them.
struct TargetRow {
  PredicateId predicate = 0;
  std::uint32_t row = kNoTarget;
  std::vector<Code> arguments = {};  // where there is no row
};

// The targets that a text like "Knows('ann', 'bob')" names; constants may stand without quotes. Of
// a predicate with classes, an atom without its class means all of them. `infers_all` says of which
// predicates all atoms that are not observed are inferred, targets or not. Throws InputError if it
// is no atom, observed, or not in the data.
std::vector<TargetRow> find_targets(const Database& database,
                                    std::string_view text,
                                    const std::function<bool(PredicateId)>& infers_all = {});

}  // namespace sorites
