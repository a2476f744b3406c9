// Ground rules as text.
#pragma once

#include <iosfwd>

#include "sorites/ground.h"

namespace sorites {

// Writes the ground rules that become terms, one per line, in PSL's format: weight (divided by the
// largest, or `.`), whether it is squared, and the rule with its constants. In the order of the
// rules; by one thread.
void write_ground_rules(const Program& program,
                        const Database& database,
                        const GroundOptions& options,
                        std::ostream& out);

}  // namespace sorites
