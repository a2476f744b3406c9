// Inferred atoms on standard output.
#pragma once

#include <cstddef>
#include <span>

#include "sorites/database.h"
#include "sorites/model.h"

namespace sorites {

// Prints lines like Knows('ann', 'bob') = 0.7500, in the order of the targets, with `errors` (none,
// or one per target) behind +-. Of every predicate at most `most`, and then how many more there
// are. Throws IoError.
void print_atoms(const Database& database,
                 std::span<const AtomRange> ranges,
                 std::span<const double> truth,
                 std::span<const double> errors,
                 std::size_t most);

}  // namespace sorites
