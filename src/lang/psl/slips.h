// What people type when they come from another language.
#pragma once

#include <optional>
#include <string_view>

#include "lang/psl/cursor.h"
#include "lang/psl/syntax.h"

namespace sorites::lang {

// `and`, `or`, `not`, `implies`, `then`, `iff`, in any case, as the operators they are meant for.
std::optional<TokenKind> operator_for_word(std::string_view word);

// The operator at the cursor, seen through slips: a word on the line of what stands before it, `=>`
// and `:-`.
TokenKind operator_at(const Cursor& cursor);

// Takes the operator at the cursor; reports it if it is a slip.
void take_operator(Cursor& cursor);

// `not A(X)` and `not (...)`; but `Not(A)` may be an atom.
bool sees_not_word(const Cursor& cursor);

// `forall X` and `exists X`, in any case; but `Exists(A)` is an atom, and `exists == A` a
// comparison.
std::optional<ExpressionKind> quantifier_at(const Cursor& cursor, std::size_t ahead = 0);

// Reports `<` and `>`, which are no relations, and `==`, which is none between sums.
void report_slip_of_relation(Cursor& cursor, const Token& relation);

}  // namespace sorites::lang
