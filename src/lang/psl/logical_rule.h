// Checks and builds logical rules.
#pragma once

#include <optional>

#include "lang/psl/resolver.h"
#include "lang/psl/syntax.h"
#include "sorites/program.h"

namespace sorites::lang {

// The expression is a formula (see classify.h) and declared with the resolver. Reports mistakes;
// returns none where there is nothing to add to the program.
std::optional<LogicalRule> check_logical_rule(const RuleSyntax& syntax,
                                              const Program& program,
                                              Resolver& resolver,
                                              Reporter& reporter);

}  // namespace sorites::lang
