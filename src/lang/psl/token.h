// The tokens of the rule language.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace sorites::lang {

enum class TokenKind : std::uint8_t {
  kEnd,         // of the text
  kError,       // something the lexer has reported; the parser does not report it again
  kIdentifier,  // a predicate or a variable
  kNumber,
  kString,    // a quoted constant
  kFunction,  // @Max, @Min
  kExponent,  // ^1, ^2: a caret that touches a number
  kLeftParenthesis,
  kRightParenthesis,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kComma,
  kColon,
  kPeriod,
  kIff,        // <-> <=>
  kImplies,    // >> ->
  kImpliedBy,  // << <-
  kBar,        // | is `or`, and encloses a cardinality
  kOr,         // ||
  kAnd,        // & &&
  kNot,        // ! ~
  kEqual,      // =
  kLessEqual,
  kGreaterEqual,
  kSameAs,       // ==
  kDiffersFrom,  // != ~=
  kPercent,
  kCaret,
  kPlus,
  kMinus,
  kStar,
  kSlash,
  // No operators of the language, but typed often enough for a hint of their own.
  kLess,
  kGreater,
  kFatArrow,   // =>
  kTurnstile,  // :-
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  TextRange range;
  bool begins_line = false;  // nothing but blanks and comments before it on its line
  bool mended = false;       // the lexer has reported it and guesses what was meant
  double number = 0.0;       // of kNumber and kExponent
  std::string text;          // of kString: without quotes and escapes; of names: the name
};

}  // namespace sorites::lang
