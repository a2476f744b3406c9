// What single ground rules do at a solution.
#pragma once

#include <vector>

#include "hinge/explain/explain.h"
#include "hinge/model/residual.h"

namespace sorites {

// Throws std::invalid_argument if solution or parameters do not fit the model.
void check_fit(const Explained& what);

// A ground rule with its place in the model.
struct TermEffect : GroundRuleEffect {
  TermId term;
};

// `number` is that of the term among all; `coefficient` that of the atom of interest.
TermEffect effect_of(const Explained& what, TermId term, std::size_t number, double coefficient);

// The same with the ground rules as text, which takes one pass over the rules for all of them.
std::vector<GroundRuleEffect> with_texts(const Explained& what,
                                         const GroundOptions& options,
                                         std::vector<TermEffect> effects);

}  // namespace sorites
