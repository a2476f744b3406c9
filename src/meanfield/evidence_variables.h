// Which variables of a rule closed atoms under its quantifiers hang on.
#pragma once

#include <vector>

#include "meanfield/model.h"

namespace sorites::meanfield {

// Per variable of a rule with so many: whether it stands in a closed atom or a comparison that is
// in the scope of a quantifier. With constants for those of them that no quantifier binds, facts
// decide these atoms: of `S(A) -> exists B: F(A, B) & S(B)` only the B remain that A has an F with.
std::vector<bool> evidence_variables(const Formula& formula,
                                     const MeanFieldModel& model,
                                     std::size_t num_variables);

}  // namespace sorites::meanfield
