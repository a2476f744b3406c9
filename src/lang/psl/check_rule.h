// One rule: syntax tree -> checked rule.
#pragma once

#include <optional>

#include "lang/psl/predicate_index.h"
#include "lang/psl/reporter.h"
#include "lang/psl/syntax.h"
#include "sorites/program.h"

namespace sorites::lang {

// Reports every mistake of the rule. None if there was one, or if the rule has no effect.
std::optional<Rule> check_rule(const RuleSyntax& syntax,
                               const Program& program,
                               const PredicateIndex& predicates,
                               Reporter& reporter);

}  // namespace sorites::lang
