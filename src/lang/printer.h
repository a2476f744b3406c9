// Rules as text, in the spelling of docs/language.md with the fewest parentheses.
#pragma once

#include <string>

#include "lang/clauses.h"
#include "sorites/program.h"

namespace sorites::lang {

// A clause of a rule as a disjunction.
std::string to_text(const Clause& clause, const Rule& rule, const Program& program);

// A constant in quotes, with escapes.
std::string quoted(std::string_view constant);

}  // namespace sorites::lang
