// How reports name rules.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sorites/model.h"

namespace sorites {

std::string line_of(const GroundRule& rule);  // "18", or "" if it has none
std::string place_of(const Span& place);      // "model.json:18"
// "rule 3 (model.json:18)", by the number of the rule in the program
std::vector<std::string> rule_titles(std::span<const GroundRule> rules);

}  // namespace sorites
