// How operators and punctuation are written.
#pragma once

#include <string_view>

#include "lang/psl/token.h"

namespace sorites::lang {

struct Spelling {
  std::string_view text;
  TokenKind kind;
};

// Longer spellings first, so that the first match is the longest.
inline constexpr Spelling kOperators[] = {
    {"<->", TokenKind::kIff},
    {"<=>", TokenKind::kIff},
    {">>", TokenKind::kImplies},
    {"->", TokenKind::kImplies},
    {"<<", TokenKind::kImpliedBy},
    {"<-", TokenKind::kImpliedBy},
    {"<=", TokenKind::kLessEqual},
    {">=", TokenKind::kGreaterEqual},
    {"==", TokenKind::kSameAs},
    {"!=", TokenKind::kDiffersFrom},
    {"~=", TokenKind::kDiffersFrom},
    {"=>", TokenKind::kFatArrow},
    {":-", TokenKind::kTurnstile},
    {"||", TokenKind::kOr},
    {"&&", TokenKind::kAnd},
    {"|", TokenKind::kBar},
    {"&", TokenKind::kAnd},
    {"!", TokenKind::kNot},
    {"~", TokenKind::kNot},
    {"=", TokenKind::kEqual},
    {"<", TokenKind::kLess},
    {">", TokenKind::kGreater},
    {"%", TokenKind::kPercent},
    {"^", TokenKind::kCaret},
    {"+", TokenKind::kPlus},
    {"-", TokenKind::kMinus},
    {"*", TokenKind::kStar},
    {"/", TokenKind::kSlash},
    {"(", TokenKind::kLeftParenthesis},
    {")", TokenKind::kRightParenthesis},
    {"[", TokenKind::kLeftBracket},
    {"]", TokenKind::kRightBracket},
    {"{", TokenKind::kLeftBrace},
    {"}", TokenKind::kRightBrace},
    {",", TokenKind::kComma},
    {":", TokenKind::kColon},
    {".", TokenKind::kPeriod},
};

// Signs that text processors and textbooks use for ours.
struct Lookalike {
  std::string_view text;
  TokenKind kind;
  std::string_view instead;
};
inline constexpr Lookalike kLookalikes[] = {
    {"\u2227", TokenKind::kAnd, "&"},
    {"\u2228", TokenKind::kOr, "|"},
    {"\u00AC", TokenKind::kNot, "!"},
    {"\u2192", TokenKind::kImplies, "->"},
    {"\u21D2", TokenKind::kImplies, "->"},
    {"\u2190", TokenKind::kImpliedBy, "<-"},
    {"\u21D0", TokenKind::kImpliedBy, "<-"},
    {"\u2194", TokenKind::kIff, "<->"},
    {"\u21D4", TokenKind::kIff, "<->"},
    {"\u2264", TokenKind::kLessEqual, "<="},
    {"\u2265", TokenKind::kGreaterEqual, ">="},
    {"\u2260", TokenKind::kDiffersFrom, "!="},
    {"\u2212", TokenKind::kMinus, "-"},
    {"\u2013", TokenKind::kMinus, "-"},
    {"\u00D7", TokenKind::kStar, "*"},
    {"\u00B7", TokenKind::kStar, "*"},
};
inline constexpr std::string_view kCurlyQuotes[] = {"\u2018", "\u2019", "\u201C", "\u201D"};

}  // namespace sorites::lang
