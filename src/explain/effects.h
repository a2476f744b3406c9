// What single ground rules do at a solution.
#pragma once

#include <initializer_list>

#include "hinge/model/residual.h"
#include "sorites/explain.h"

namespace sorites {

// Throws std::invalid_argument if solution or parameters do not fit the model.
void check_fit(const Explained& what);

// `number` is that of the term among all; `coefficient` that of the atom of interest.
GroundRuleEffect effect_of(const Explained& what,
                           TermId term,
                           std::size_t number,
                           double coefficient);

// Puts in the ground rules as text, for all lists at once.
void add_texts(const Explained& what,
               const GroundOptions& options,
               std::initializer_list<std::vector<GroundRuleEffect>*> lists);

}  // namespace sorites
