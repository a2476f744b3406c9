// Formulas in conjunctive normal form.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sorites/program.h"

namespace sorites {

template <class T>
struct Literal {
  T what;
  bool negated = false;

  bool operator==(const Literal&) const = default;
};

// A disjunction. Syntactically equal literals stand once.
struct Clause {
  std::vector<Literal<Atom>> atoms;
  std::vector<Literal<Comparison>> comparisons;

  bool operator==(const Clause&) const = default;
};

// The formula as a conjunction of clauses, in the order of the text; each becomes a potential or
// constraint of its own, with the weight of the rule. Clauses that are true by form (A | !A) are
// left out. `implies` gives one clause for a conjunctive body and a disjunctive head, as in PSL.
// Never throws for the formula of a compiled rule; throws std::invalid_argument for one of more
// than 64 clauses, at the end or on the way.
std::vector<Clause> to_clauses(const Formula& formula);

namespace lang {

// More clauses than any readable rule has, and few enough that distribution stays cheap.
inline constexpr std::size_t kMaxClauses = 64;

// As to_clauses, but none if there are more than kMaxClauses, at the end or on the way.
std::optional<std::vector<Clause>> try_to_clauses(const Formula& formula);

}  // namespace lang
}  // namespace sorites
