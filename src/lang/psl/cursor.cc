#include "lang/psl/cursor.h"

#include <fmt/format.h>

#include <algorithm>

namespace sorites::lang {
namespace {

// What was probably meant by a token that follows an operand.
std::string_view hint_for(TokenKind kind) {
  switch (kind) {
    case TokenKind::kComma:
      return "atoms are joined with `&`";
    case TokenKind::kColon:
      return "a weight is one plain number at the start of its rule, such as `0.5:`";
    case TokenKind::kPercent:
    case TokenKind::kCaret:
    case TokenKind::kDiffersFrom:
      return "this operator compares variables and constants, not atoms";
    case TokenKind::kRightParenthesis:
    case TokenKind::kRightBracket:
    case TokenKind::kRightBrace:
      return "no such bracket is open here";
    default:
      return {};
  }
}

bool leaves_rule_open(TokenKind kind) {
  switch (kind) {
    case TokenKind::kIdentifier:
    case TokenKind::kNumber:
    case TokenKind::kString:
    case TokenKind::kError:
    case TokenKind::kExponent:
    case TokenKind::kRightParenthesis:
    case TokenKind::kRightBracket:
    case TokenKind::kRightBrace:
    case TokenKind::kPeriod:
    case TokenKind::kBar:
      return false;
    default:
      return true;  // an operator, a comma, an opening bracket
  }
}

}  // namespace

const Token& Cursor::peek(std::size_t ahead) const {
  return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

const Token& Cursor::take() {
  const Token& token = peek();
  if (position_ + 1 < tokens_.size()) ++position_;
  return token;
}

bool Cursor::take_if(TokenKind kind) {
  if (!sees(kind)) return false;
  take();
  return true;
}

bool Cursor::sees_weight(std::size_t ahead) const {
  const std::size_t number = sees(TokenKind::kMinus, ahead) ? ahead + 1 : ahead;
  return sees(TokenKind::kNumber, number) && sees(TokenKind::kColon, number + 1);
}

bool Cursor::sees_atom(std::size_t ahead) const {
  return sees(TokenKind::kIdentifier, ahead) && sees(TokenKind::kLeftParenthesis, ahead + 1);
}

bool Cursor::sees_comparison_operator(std::size_t ahead) const {
  switch (peek(ahead).kind) {
    case TokenKind::kSameAs:
    case TokenKind::kDiffersFrom:
    case TokenKind::kMinus:
    case TokenKind::kPercent:
    case TokenKind::kCaret:
      return true;
    default:
      return false;
  }
}

bool Cursor::sees_relation(std::size_t ahead) const {
  switch (peek(ahead).kind) {
    case TokenKind::kEqual:
    case TokenKind::kLessEqual:
    case TokenKind::kGreaterEqual:
    case TokenKind::kLess:
    case TokenKind::kGreater:
      return true;
    default:
      return false;
  }
}

bool Cursor::signed_relation_follows() const {
  for (std::size_t ahead = 1; !sees_weight(ahead); ++ahead) {
    if (sees_relation(ahead)) return true;
    if (sees(TokenKind::kMinus, ahead) && peek(ahead).begins_line) return false;
    switch (peek(ahead).kind) {
      case TokenKind::kEnd:
      case TokenKind::kPeriod:
      case TokenKind::kExponent:
      case TokenKind::kLeftBrace:
        return false;
      default:
        break;
    }
  }
  return false;
}

bool Cursor::sees_start_of_rule() const {
  switch (peek().kind) {
    case TokenKind::kIdentifier:
    case TokenKind::kString:
    case TokenKind::kNumber:
    case TokenKind::kFunction:
    case TokenKind::kLeftParenthesis:
    case TokenKind::kNot:
    case TokenKind::kBar:
    case TokenKind::kMinus:
      return true;
    default:
      return false;
  }
}

bool Cursor::sees_boundary() const {
  switch (peek().kind) {
    case TokenKind::kEnd:
    case TokenKind::kPeriod:
    case TokenKind::kExponent:
    case TokenKind::kLeftBrace:
      return true;
    default:
      break;
  }
  if (sees_weight()) return true;
  if (!peek().begins_line || leaves_rule_open(previous().kind)) return false;
  const bool cardinality = position_ >= 3 && tokens_[position_ - 3].kind == TokenKind::kBar;
  if (previous().kind == TokenKind::kBar && !cardinality) return false;  // it is `or`
  const bool term = sees(TokenKind::kIdentifier) || sees(TokenKind::kString);
  return sees_atom() || (term && sees_comparison_operator(1)) || sees(TokenKind::kNumber) ||
         sees(TokenKind::kFunction) || sees(TokenKind::kLeftParenthesis) || sees(TokenKind::kNot);
}

std::string Cursor::text_since(std::size_t first) const {
  std::string text;
  for (std::size_t i = first; i < position_; ++i) {
    if (i > first && tokens_[i].range.begin > tokens_[i - 1].range.end()) text += ' ';
    text += slice(tokens_[i].range);
  }
  return text;
}

TextRange Cursor::range_since(std::size_t first) const {
  return position_ > first ? join(tokens_[first].range, previous().range) : peek().range;
}

Diagnostic& Cursor::error(DiagnosticCode code, TextRange at, std::string message) {
  ++num_errors_;
  return sink_.error(code, source_, at, std::move(message));
}

void Cursor::error(DiagnosticCode code, TextRange at, std::string message, std::string hint) {
  Diagnostic& added = error(code, at, std::move(message));
  if (!hint.empty()) added.notes.push_back({std::move(hint), {}});
}

void Cursor::unexpected_after_operand(std::string_view expected) {
  unexpected(expected, hint_for(peek().kind));
}

void Cursor::unexpected(std::string_view expected, std::string_view hint) {
  const Token& found = peek();
  if (found.kind == TokenKind::kError) {
    ++num_errors_;
    return;
  }
  // Something is missing at the end of a line: the next line has nothing to do with it.
  if ((found.begins_line || found.kind == TokenKind::kEnd) && position_ > 0) {
    error(DiagnosticCode::kSyntax,
          previous().range,
          fmt::format("expected {} after {}", expected, describe(previous())));
    return;
  }
  error(DiagnosticCode::kSyntax,
        found.range,
        fmt::format("unexpected {}: expected {}", describe(found), expected),
        std::string(hint));
}

bool Cursor::close(TokenKind closing, std::string_view text, TextRange opening) {
  if (take_if(closing)) return true;
  if (!sees_boundary()) {
    unexpected_after_operand(fmt::format("an operator or `{}`", text));
    return false;
  }
  Diagnostic& added = error(DiagnosticCode::kUnclosedBracket,
                            opening,
                            fmt::format("this `{}` is never closed", slice(opening)));
  if (!at_end()) {
    added.notes.push_back({fmt::format("expected `{}` before this", text), locate(peek().range)});
  }
  return false;
}

std::string Cursor::describe(const Token& token) const {
  switch (token.kind) {
    case TokenKind::kEnd:
      return "end of the text";
    case TokenKind::kString:
      return fmt::format("constant {}", slice(token.range));
    case TokenKind::kNumber:
      return fmt::format("number `{}`", slice(token.range));
    default:
      return fmt::format("`{}`", slice(token.range));
  }
}

}  // namespace sorites::lang
