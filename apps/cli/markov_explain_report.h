// Explanations of atoms of Markov logic as text and as JSON.
#pragma once

#include <string>

#include "output.h"
#include "sorites/markov_explain.h"

namespace sorites {

// `limit`: most formulas to show.
std::string explanation_text(const MarkovModel& model,
                             const MarkovAtom& atom,
                             const MarkovExplanation& found,
                             std::size_t limit,
                             bool color);

std::string explanation_text(const MarkovModel& model,
                             const MarkovFormulaExplanation& found,
                             bool color);

Json to_json(const MarkovModel& model, const MarkovAtom& atom, const MarkovExplanation& found);
Json to_json(const MarkovModel& model, const MarkovFormulaExplanation& found);

}  // namespace sorites
