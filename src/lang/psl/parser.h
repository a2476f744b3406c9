// Tokens -> syntax trees of rules.
#pragma once

#include <span>
#include <vector>

#include "lang/psl/syntax.h"
#include "lang/psl/token.h"

namespace sorites::lang {

// Parses all rules. After a mistake it goes on at what looks like the next rule, so that every
// mistake of the text comes out at once. Rules that could not be parsed are left out.
//
//   rule     [ number `:` ] expression [ exponent ] [ `.` ] { filter }
//   filter   `{` V `:` expression `}`
std::vector<RuleSyntax> parse_rules(std::span<const Token> tokens,
                                    const Source& source,
                                    Diagnostics& sink);

}  // namespace sorites::lang
