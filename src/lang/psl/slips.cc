#include "lang/psl/slips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace sorites::lang {
namespace {

struct Word {
  std::string_view word;
  TokenKind kind;
  std::string_view spelling;
};
constexpr Word kWords[] = {
    {"and", TokenKind::kAnd, "&"},
    {"or", TokenKind::kOr, "|"},
    {"not", TokenKind::kNot, "!"},
    {"implies", TokenKind::kImplies, "->"},
    {"then", TokenKind::kImplies, "->"},
    {"iff", TokenKind::kIff, "<->"},
};

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

const Word* find_word(std::string_view text) {
  const auto* found = std::find_if(std::begin(kWords), std::end(kWords), [&](const Word& w) {
    return same_but_for_case(w.word, text);
  });
  return found == std::end(kWords) ? nullptr : found;
}

}  // namespace

std::optional<TokenKind> operator_for_word(std::string_view word) {
  const Word* found = find_word(word);
  return found == nullptr ? std::nullopt : std::optional(found->kind);
}

TokenKind operator_at(const Cursor& cursor) {
  const Token& token = cursor.peek();
  switch (token.kind) {
    case TokenKind::kIdentifier:
      if (token.begins_line) return token.kind;  // a predicate may be called `Or`
      return operator_for_word(token.text).value_or(token.kind);
    case TokenKind::kFatArrow:
      return TokenKind::kImplies;
    case TokenKind::kTurnstile:
      return TokenKind::kImpliedBy;
    default:
      return token.kind;
  }
}

void take_operator(Cursor& cursor) {
  const Token& token = cursor.take();
  std::string_view instead;
  if (token.kind == TokenKind::kIdentifier) instead = find_word(token.text)->spelling;
  if (token.kind == TokenKind::kFatArrow) instead = "->";
  if (token.kind == TokenKind::kTurnstile) instead = "<-";
  if (instead.empty()) return;
  cursor.error(DiagnosticCode::kSyntax,
               token.range,
               fmt::format("`{}` is no operator", cursor.slice(token.range)),
               fmt::format("write `{}`", instead));
}

bool sees_not_word(const Cursor& cursor) {
  if (!cursor.sees(TokenKind::kIdentifier)) return false;
  if (operator_for_word(cursor.peek().text) != TokenKind::kNot) return false;
  if (!cursor.sees(TokenKind::kLeftParenthesis, 1)) return cursor.sees(TokenKind::kIdentifier, 1);
  return cursor.sees_atom(2) || cursor.sees(TokenKind::kNot, 2) ||
         cursor.sees(TokenKind::kLeftParenthesis, 2);
}

std::optional<ExpressionKind> quantifier_at(const Cursor& cursor, std::size_t ahead) {
  if (!cursor.sees(TokenKind::kIdentifier, ahead) ||
      !cursor.sees(TokenKind::kIdentifier, ahead + 1)) {
    return std::nullopt;
  }
  const std::string& word = cursor.peek(ahead).text;
  if (same_but_for_case(word, "forall")) return ExpressionKind::kForall;
  if (same_but_for_case(word, "exists")) return ExpressionKind::kExists;
  return std::nullopt;
}

void report_slip_of_relation(Cursor& cursor, const Token& relation) {
  if (relation.kind == TokenKind::kLess || relation.kind == TokenKind::kGreater) {
    const std::string_view text = cursor.slice(relation.range);
    cursor.error(DiagnosticCode::kSyntax,
                 relation.range,
                 fmt::format("`{}` is no relation: only `=`, `<=` and `>=` are", text),
                 fmt::format("write `{}=`", text));
  }
  if (relation.kind == TokenKind::kSameAs) {
    cursor.error(DiagnosticCode::kSyntax,
                 relation.range,
                 "`==` compares variables and constants only",
                 "the relation of an arithmetic rule is `=`; constants are quoted");
  }
}

}  // namespace sorites::lang
