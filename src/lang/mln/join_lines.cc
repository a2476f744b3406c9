#include "lang/mln/join_lines.h"

#include <utility>

#include "lang/mln/cursor.h"

namespace sorites::markov {
namespace {

bool connects(const Token& token) {
  return token.kind == TokenKind::kIff || token.kind == TokenKind::kImplies || means_or(token) ||
         means_and(token);
}

bool compares(const Token& token) {
  return token.kind == TokenKind::kEqual || token.kind == TokenKind::kDiffers ||
         (token.kind == TokenKind::kWord && token.text == "in");
}

bool opens(const Token& token) {
  return token.kind == TokenKind::kLeftParenthesis || token.kind == TokenKind::kLeftBracket ||
         token.kind == TokenKind::kLeftBrace;
}

bool closes(const Token& token) {
  return token.kind == TokenKind::kRightParenthesis || token.kind == TokenKind::kRightBracket ||
         token.kind == TokenKind::kRightBrace;
}

// What cannot stand behind a connective: the weight of a next formula, or nothing.
bool begins_statement(const Token& token) {
  switch (token.kind) {
    case TokenKind::kEnd:
    case TokenKind::kLine:
    case TokenKind::kNumber:
    case TokenKind::kMinus:
    case TokenKind::kPlus:
    case TokenKind::kLeftBracket:
    case TokenKind::kInclude:
      return true;
    default:
      return means_hard(token);
  }
}

// Whether the last tokens are `EXISTS x, y`.
bool ends_in_quantifier(const std::vector<Token>& tokens) {
  for (std::size_t i = tokens.size(); i-- > 0;) {
    if (means_forall(tokens[i]) || means_exists(tokens[i])) return i + 1 < tokens.size();
    if (tokens[i].kind != TokenKind::kWord && tokens[i].kind != TokenKind::kComma) return false;
  }
  return false;
}

bool goes_on(const std::vector<Token>& before, int depth, const Token& next) {
  if (before.empty() || before.back().kind == TokenKind::kLine) return false;
  const Token& last = before.back();
  if (depth == 0) return connects(last) && !begins_statement(next);
  if (connects(next) || closes(next) || compares(next)) return true;
  const bool unfinished = connects(last) || compares(last) || opens(last) || means_not(last) ||
                          ends_in_quantifier(before);
  // Numbers are constants inside of brackets.
  return unfinished && (!begins_statement(next) || next.kind == TokenKind::kNumber);
}

}  // namespace

void join_lines(std::vector<Token>& tokens) {
  std::vector<Token> kept;
  kept.reserve(tokens.size());
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    Token& token = tokens[i];
    if (token.kind == TokenKind::kLine) {
      if (goes_on(kept, depth, tokens[i + 1])) continue;
      depth = 0;
    }
    if (opens(token)) ++depth;
    if (closes(token) && depth > 0) --depth;
    kept.push_back(std::move(token));
  }
  tokens = std::move(kept);
}

}  // namespace sorites::markov
