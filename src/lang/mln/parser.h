// The statements of Markov logic, one per line; a line that ends with a connective, or whose
// brackets the next one goes on with, is not the end (join_lines.h).
//
//   include      `#include` "file"
//   type         name `=` `{` constant { `,` constant } `}`    also {1, ..., 20}, and {A, B, ...}
//   predicate    [`*`] name `(` [ type { `,` type } [`!`] ] `)` [ classes ]
//   classes      `in` `{` class { `,` class } `}`
//   formula      weight [ forall ] expression  |  [ forall ] expression `.`
//   weight       [`-`] number  |  `[` number { `,` number } `]`  |  `inf`  |  `hard`
//   forall       `FORALL` variable { `,` variable }
//
// and expressions from loose to tight:
//
//   iff          implication [ (`<=>` | `<->`) implication ]
//   implication  disjunction [ (`=>` | `->`) disjunction ]
//   disjunction  conjunction { (`v` | `|` | `or`) conjunction }
//   conjunction  negation { (`^` | `&` | `,` | `and`) negation }
//   negation     { `!` | `~` | `not` } operand
//   operand      `(` iff `)`  |  [`*`] atom [ test ]  |  term (`=` | `!=`) term  |  quantified
//   quantified   (`EXISTS` | `FORALL`) variable { `,` variable } iff
//   atom         name `(` [ term { `,` term } ] `)`      term: v, +v, Constant, 7, "constant"
//   test         `in` `{` class { `,` class } `}`  |  (`=` | `!=`) (class | v | +v)
#pragma once

#include <functional>
#include <string>

#include "lang/mln/cursor.h"
#include "lang/mln/syntax.h"

namespace sorites::markov {

enum class StatementKinds : std::uint8_t { kDeclarations, kFormulas, kBoth };

// Called where a statement includes a file: by which source, its name, and where that stands.
using Include = std::function<void(const Source&, const std::string&, TextRange)>;

// Appends what it understands and reports the rest; a mistake costs its line only. The source must
// outlive the statements. Without `include`, including files is a mistake.
void parse_statements(const Source& source,
                      StatementKinds kinds,
                      Statements& statements,
                      Diagnostics& sink,
                      const Include& include = {});

// For the parser of statements: each reads what its name says at the cursor and returns false after
// it has reported a mistake.
bool parse_expression(Cursor& cursor, Expression& expression);
bool parse_formula(Cursor& cursor, FormulaSyntax& formula);

}  // namespace sorites::markov
