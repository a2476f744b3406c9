// Logical or arithmetic: one grammar serves both, and this tells them apart.
#pragma once

#include <optional>

#include "lang/psl/predicate_index.h"
#include "lang/psl/reporter.h"
#include "lang/psl/syntax.h"

namespace sorites::lang {

enum class RuleKind : std::uint8_t { kLogical, kArithmetic };

// A relation at the top makes a rule arithmetic, anything else logical. None, and a report, if the
// rest of the expression does not fit that.
std::optional<RuleKind> classify(const Expression& expression,
                                 const PredicateIndex& predicates,
                                 Reporter& reporter);

// Whether the condition of a filter is a formula; reports it otherwise.
bool check_formula(const Expression& condition,
                   const PredicateIndex& predicates,
                   Reporter& reporter);

}  // namespace sorites::lang
