#include "lang/mln/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sorites::markov {
namespace {

template <std::size_t kSize>
bool is_word_of(const std::array<std::string_view, kSize>& words, const Token& token) {
  return token.kind == TokenKind::kWord &&
         std::find(words.begin(), words.end(), token.text) != words.end();
}

constexpr std::array<std::string_view, 3> kOrWords{"v", "or", "OR"};
constexpr std::array<std::string_view, 2> kAndWords{"and", "AND"};
constexpr std::array<std::string_view, 2> kNotWords{"not", "NOT"};
constexpr std::array<std::string_view, 3> kForallWords{"FORALL", "Forall", "forall"};
constexpr std::array<std::string_view, 6> kExistsWords{
    "EXIST", "Exist", "exist", "EXISTS", "Exists", "exists"};
constexpr std::array<std::string_view, 4> kHardWords{"inf", "infinity", "hard", "HARD"};

}  // namespace

bool means_or(const Token& token) {
  return token.kind == TokenKind::kOr || is_word_of(kOrWords, token);
}
bool means_and(const Token& token) {
  return token.kind == TokenKind::kAnd || token.kind == TokenKind::kComma ||
         is_word_of(kAndWords, token);
}
bool means_not(const Token& token) {
  return token.kind == TokenKind::kNot || is_word_of(kNotWords, token);
}
bool means_forall(const Token& token) { return is_word_of(kForallWords, token); }
bool means_exists(const Token& token) { return is_word_of(kExistsWords, token); }
bool means_hard(const Token& token) { return is_word_of(kHardWords, token); }

bool is_keyword(std::string_view word) {
  const Token token{TokenKind::kWord, {}, 0.0, std::string(word)};
  return means_or(token) || means_and(token) || means_not(token) || means_forall(token) ||
         means_exists(token) || means_hard(token) || word == "in";
}

const Token& Cursor::peek(std::size_t ahead) const {
  return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

bool Cursor::peek_is_word(std::string_view word, std::size_t ahead) const {
  return peek_is(TokenKind::kWord, ahead) && peek(ahead).text == word;
}

const Token& Cursor::take() {
  const Token& token = peek();
  if (position_ + 1 < tokens_.size()) ++position_;
  return token;
}

bool Cursor::take_if(TokenKind kind) {
  if (!peek_is(kind)) return false;
  take();
  return true;
}

bool Cursor::at_line_end() const { return peek_is(TokenKind::kLine) || peek_is(TokenKind::kEnd); }

void Cursor::skip_line() {
  while (!at_line_end()) take();
  take_if(TokenKind::kLine);
}

bool Cursor::fail(DiagnosticCode code, TextRange at, std::string message, std::string hint) {
  Diagnostic& added = sink_.error(code, source_, at, std::move(message));
  if (!hint.empty()) added.notes.push_back({std::move(hint), {}});
  return false;
}

bool Cursor::fail_expected(std::string_view what, std::string hint) {
  const Token& found = peek();
  if (found.kind == TokenKind::kError) return false;
  TextRange at = found.range;
  if (at_line_end() && position_ > 0) at = {last_range().end(), 0};  // where it should have stood
  return fail(DiagnosticCode::kSyntax,
              at,
              fmt::format("expected {}, found {}", what, describe(found)),
              std::move(hint));
}

bool Cursor::expect(TokenKind kind, std::string_view what, std::string hint) {
  if (take_if(kind)) return true;
  return fail_expected(what, std::move(hint));
}

bool Cursor::expect_closing(TokenKind kind, std::string_view what, TextRange opening) {
  if (take_if(kind)) return true;
  if (peek_is(TokenKind::kError)) return false;
  if (at_line_end()) {
    return fail(DiagnosticCode::kUnclosedBracket,
                opening,
                "this bracket is never closed",
                "a statement ends with its line");
  }
  return fail_expected(what);
}

std::string Cursor::describe(const Token& token) const {
  switch (token.kind) {
    case TokenKind::kEnd:
      return "the end of the text";
    case TokenKind::kLine:
      return "the end of the line";
    case TokenKind::kString:
      return fmt::format("constant {}",
                         source_.text().substr(token.range.begin, token.range.length));
    case TokenKind::kNumber:
      return fmt::format("number `{}`", token.text);
    default:
      return fmt::format("`{}`", source_.text().substr(token.range.begin, token.range.length));
  }
}

bool parse_term(Cursor& cursor, std::string_view what, TermSyntax& term) {
  const Token& token = cursor.peek();
  if (token.kind != TokenKind::kWord && token.kind != TokenKind::kNumber &&
      token.kind != TokenKind::kString) {
    return cursor.fail_expected(what);
  }
  term.text = token.text;
  term.range = token.range;
  const char first = token.text.empty() ? '\0' : token.text[0];
  term.is_variable = token.kind == TokenKind::kWord &&
                     ((first >= 'a' && first <= 'z') || first == '_' || first == '$');
  cursor.take();
  return true;
}

bool parse_name(Cursor& cursor, std::string_view what, TermSyntax& name) {
  if (!cursor.peek_is(TokenKind::kWord)) return cursor.fail_expected(what);
  return parse_term(cursor, what, name);
}

bool parse_variables(Cursor& cursor, std::vector<TermSyntax>& variables) {
  do {
    TermSyntax& variable = variables.emplace_back();
    if (!parse_name(cursor, "a variable", variable)) return false;
    if (!variable.is_variable || (is_keyword(variable.text) && variable.text != "v")) {
      return cursor.fail(DiagnosticCode::kSyntax,
                         variable.range,
                         fmt::format("`{}` is no variable", variable.text),
                         "variables begin with a small letter");
    }
  } while (cursor.take_if(TokenKind::kComma));
  return true;
}

bool parse_names(Cursor& cursor, std::string_view what, std::vector<TermSyntax>& names) {
  const TextRange opening = cursor.peek().range;
  if (!cursor.expect(TokenKind::kLeftBrace, "`{`")) return false;
  do {
    if (!parse_term(cursor, what, names.emplace_back())) return false;
  } while (cursor.take_if(TokenKind::kComma));
  return cursor.expect_closing(TokenKind::kRightBrace, "`,` or `}`", opening);
}

}  // namespace sorites::markov
