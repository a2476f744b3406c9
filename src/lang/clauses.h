// Formulas in conjunctive normal form.
#pragma once

#include <optional>
#include <vector>

#include "sorites/program.h"

namespace sorites::lang {

// More clauses than any readable rule has, and few enough that distribution stays cheap.
inline constexpr std::size_t kMaxClauses = 64;

// As the public to_clauses, but none if there are more than kMaxClauses, at the end or on the way.
std::optional<std::vector<Clause>> try_to_clauses(const Formula& formula);

}  // namespace sorites::lang
