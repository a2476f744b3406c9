// How reports name rules.
#pragma once

#include <string>

#include "sorites/model.h"

namespace sorites {

std::string line_of(const GroundRule& rule);                         // "18", or "" if it has none
std::string place_of(const Span& place);                             // "model.json:18"
std::string rule_title(const GroundRule& rule, std::size_t number);  // "rule 3 (model.json:18)"

}  // namespace sorites
