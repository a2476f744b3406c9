// Integer atoms without a search: for when there is no time left for one.
#pragma once

#include <span>

#include "hinge/integer/mixed_program.h"

namespace sorites {

// Rounds the integer atoms of a part, then flips single ones as long as that violates hard rows
// less, or as much with a smaller objective.
void round_greedily(const MixedProgram& program,
                    const ProgramParts& parts,
                    std::uint32_t part,
                    std::span<double> truth);

}  // namespace sorites
