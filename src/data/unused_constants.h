// Constants that no row has any more. Quantifiers, open worlds and weights per constant look at all
// constants of a domain, so those of rows that were removed must go as well.
#pragma once

#include <span>
#include <vector>

#include "sorites/database.h"

namespace sorites {

// Whether rows that the changes remove are the last of some constant, which is not listed. All
// changes can be applied, and their constants are in the dictionaries.
bool leave_unused_constants(const Database& database, std::span<const RowChange> changes);

// Per domain and old code: the code now, kNoCode of a constant that is gone.
using NewCodes = std::vector<std::vector<Code>>;

// Takes away the constants that neither a row has nor a domain lists; the others stay in their
// order. Nothing if there are none.
NewCodes remove_unused_constants(Database& database);

// The number of constants per domain, and a way back to it: takes away the constants that came
// later, which no row has.
std::vector<std::size_t> num_constants(const Database& database);
void forget_later_constants(Database& database, std::span<const std::size_t> num_constants);

}  // namespace sorites
