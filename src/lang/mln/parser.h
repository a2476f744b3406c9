// The statements of Markov logic, one per line.
//
//   type         name `=` `{` constant { `,` constant } `}`      also { 1, ..., 20 }
//   predicate    [`*`] name `(` [ type [`!`] { `,` type [`!`] } ] `)` [ `in` `{` class { `,` class
//   } `}` ] formula      weight [ quantifier ] expression  |  [ quantifier ] expression `.` weight
//   [`-`] number  |  `[` number { `,` number } `]`  |  `inf`  |  `hard` quantifier   `FORALL`
//   variable { `,` variable }
//
// and expressions from loose to tight:
//
//   iff          implication [ (`<=>` | `<->`) implication ]
//   implication  disjunction [ (`=>` | `->`) disjunction ]
//   disjunction  conjunction { (`v` | `|` | `or`) conjunction }
//   conjunction  negation { (`^` | `&` | `,` | `and`) negation }
//   negation     { `!` | `~` | `not` } operand
//   operand      `(` iff `)`  |  atom [ test ]  |  term (`=` | `!=`) term
//   atom         name `(` [ term { `,` term } ] `)`              term: v, +v, Constant, 7,
//   "constant" test         `in` `{` class { `,` class } `}`  |  (`=` | `!=`) (class | v | +v)
#pragma once

#include "lang/mln/cursor.h"
#include "lang/mln/syntax.h"

namespace sorites::markov {

enum class StatementKinds : std::uint8_t { kDeclarations, kFormulas, kBoth };

// Appends what it understands and reports the rest; a mistake costs its line only. The source must
// outlive the statements.
void parse_statements(const Source& source,
                      StatementKinds kinds,
                      Statements& statements,
                      Diagnostics& sink);

// For the parser of statements: each reads what its name says at the cursor and returns false after
// it has reported a mistake.
bool parse_expression(Cursor& cursor, Expression& expression);
bool parse_formula(Cursor& cursor, FormulaSyntax& formula);

}  // namespace sorites::markov
