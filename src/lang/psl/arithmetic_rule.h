// Checks and builds arithmetic rules: both sides become sums of coefficient * atom.
#pragma once

#include <optional>

#include "lang/psl/resolver.h"
#include "lang/psl/syntax.h"
#include "sorites/program.h"

namespace sorites::lang {

// The expression is a relation of sums (see classify.h); it and all filters are declared with the
// resolver. Reports mistakes; the result counts only if there were none.
ArithmeticRule check_arithmetic_rule(const RuleSyntax& syntax,
                                     Resolver& resolver,
                                     Reporter& reporter);

}  // namespace sorites::lang
