// Explanations as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "output.h"
#include "sorites/explain.h"

namespace sorites {

std::string explanation_text(const AtomExplanation& atom, const Model& model, bool color);
std::string explanation_text(const RuleExplanation& rule, const Model& model, bool color);

Json to_json(const AtomExplanation& atom, const Model& model);
Json to_json(const RuleExplanation& rule, const Model& model);

}  // namespace sorites
