// The expression grammar, from loose to tight:
//
//   iff          implication [ (`<->` | `<=>`) implication ]
//   implication  disjunction [ (`>>` | `->` | `<<` | `<-`) disjunction ]
//   disjunction  conjunction { (`|` | `||`) conjunction }
//   conjunction  negation { (`&` | `&&`) negation }
//   negation     { `!` | `~` } (relation  |  quantified)
//   quantified   (`forall` | `exists`) V { `,` V } `:` iff        as far to the right as it can
//   relation     sum [ (`=` | `<=` | `>=`) sum ]
//   sum          product { (`+` | `-`) product }
//   product      sign { (`*` | `/`) sign }      a number may touch the atom it multiplies: 2 P(A)
//   sign         { `-` } operand
//   operand      `(` iff `)`  |  atom  |  comparison  |  number  |  `|` V `|`
//                |  (`@Max` | `@Min`) `[` sum `,` sum `]`
//   atom         name `(` [ argument { `,` argument } ] `)`        argument: V, +V, 'constant'
//   comparison   term (`==` | `!=` | `~=` | `-` | `%` | `^`) term
#pragma once

#include <optional>

#include "lang/psl/cursor.h"
#include "lang/psl/syntax.h"

namespace sorites::lang {

// Parses one expression at the cursor. None if it had to be given up; the mistake is reported then.
// Slips whose meaning is plain (`=>`, `and`) are reported too, but parsing goes on.
std::optional<Expression> parse_expression(Cursor& cursor);

}  // namespace sorites::lang
