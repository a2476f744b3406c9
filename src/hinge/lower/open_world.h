// Open-world predicates: what is not observed is unknown.
#pragma once

#include <stop_token>

#include "base/diagnostics.h"
#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

// More unknown atoms than this are refused: a row of two arguments takes about 16 bytes, these a
// gibibyte.
inline constexpr double kMostOpenWorldAtoms = 1U << 26U;

void check_open_world(const Program& program, const Database& database, Diagnostics& sink);
// Throws Interrupted; called again it goes on.
void add_open_world_targets(const Program& program,
                            Database& database,
                            const std::stop_token& stop = {});

}  // namespace sorites
