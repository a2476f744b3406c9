// Atoms and comparisons: the leaves of expressions.
#pragma once

#include <optional>

#include "lang/psl/cursor.h"
#include "lang/psl/syntax.h"

namespace sorites::lang {

// At a name with arguments. None if it had to be given up; the mistake is reported then.
std::optional<Expression> parse_atom(Cursor& cursor);

// At any other name, or a constant: a comparison, or a term that stands alone.
std::optional<Expression> parse_comparison(Cursor& cursor);

}  // namespace sorites::lang
