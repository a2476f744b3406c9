// What is wrong with data that was ground.
#pragma once

#include <span>

#include "sorites/ground.h"

namespace sorites {

// Throws InputError, with all rules of the program that divide by zero or, unless something else is
// to be done with them, need atoms that are neither observed nor targets. `counts`: per rule.
void require_no_mistakes(const Program& program,
                         std::span<const GroundCounts> counts,
                         OnMissingTarget on_missing_target);

}  // namespace sorites
