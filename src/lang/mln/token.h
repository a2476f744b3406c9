// The tokens of declarations and formulas of Markov logic. A statement is a line, so ends of lines
// are tokens.
#pragma once

#include <cstdint>
#include <string>

#include "base/diagnostics.h"

namespace sorites::markov {

enum class TokenKind : std::uint8_t {
  kEnd,    // of the text
  kLine,   // the end of a line
  kError,  // something the lexer has reported; the parser does not report it again
  kWord,   // a predicate, type, variable, constant or keyword
  kNumber,
  kString,  // a quoted constant
  kLeftParenthesis,
  kRightParenthesis,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kComma,
  kPeriod,
  kDots,     // ...
  kIff,      // <=> <->
  kImplies,  // => ->
  kOr,       // | || ; `v` and `or` are words
  kAnd,      // ^ & &&
  kNot,      // ! ~
  kEqual,    // = ==
  kDiffers,  // != ~=
  kPlus,
  kMinus,
  kStar,
  kInclude,  // #include at the beginning of a line
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  TextRange range;
  double number = 0.0;  // of kNumber
  std::string text;     // of kString: without quotes and escapes; of words and numbers: as written
};

}  // namespace sorites::markov
