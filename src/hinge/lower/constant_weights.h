// Weights per constant, `+v` in Markov logic.
#pragma once

#include "base/diagnostics.h"
#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

// Each combination is a rule that is planned and ground on its own, and a weight to be learned.
inline constexpr double kMostCombinations = 10'000;

void check_constant_weights(const Rule& rule,
                            const Program& program,
                            const Database& database,
                            Diagnostics& sink);

// Puts a rule per combination of constants in the place of every rule with weighted variables.
void give_combinations_rules(Program& program, const Database& database);

}  // namespace sorites
