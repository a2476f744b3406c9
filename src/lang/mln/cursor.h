// A place in the tokens of a statement, and how the parsers report what they did not expect.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "lang/mln/syntax.h"
#include "lang/mln/token.h"

namespace sorites::markov {

// The words that are no names, since they could be taken for something else.
bool is_keyword(std::string_view word);
bool means_or(const Token& token);
bool means_and(const Token& token);
bool means_not(const Token& token);
bool means_forall(const Token& token);
bool means_exists(const Token& token);
bool means_hard(const Token& token);

class Cursor {
 public:
  Cursor(const Source& source, std::vector<Token> tokens, Diagnostics& sink)
      : source_(source), tokens_(std::move(tokens)), sink_(sink) {}

  const Source& source() const { return source_; }
  const Token& peek(std::size_t ahead = 0) const;
  bool peek_is(TokenKind kind, std::size_t ahead = 0) const { return peek(ahead).kind == kind; }
  bool peek_is_word(std::string_view word, std::size_t ahead = 0) const;
  const Token& take();
  bool take_if(TokenKind kind);
  bool at_line_end() const;
  void skip_line();  // on to the next one
  TextRange last_range() const { return tokens_[position_ == 0 ? 0 : position_ - 1].range; }

  // All of these return false, for `return cursor.fail(...)`.
  bool fail(DiagnosticCode code, TextRange at, std::string message, std::string hint = {});
  // "expected `what`, found ...". Says nothing about what the lexer has reported.
  bool fail_expected(std::string_view what, std::string hint = {});

  bool expect(TokenKind kind, std::string_view what, std::string hint = {});
  // A closing bracket; says where the open one stands.
  bool expect_closing(TokenKind kind, std::string_view what, TextRange opening);

 private:
  std::string describe(const Token& token) const;

  const Source& source_;
  std::vector<Token> tokens_;
  Diagnostics& sink_;
  std::size_t position_ = 0;
};

// A word, number or string. False if there is none, which is reported as `what`.
bool parse_term(Cursor& cursor, std::string_view what, TermSyntax& term);

// A word.
bool parse_name(Cursor& cursor, std::string_view what, TermSyntax& name);

// `x, y` behind a quantifier.
bool parse_variables(Cursor& cursor, std::vector<TermSyntax>& variables);

// `{A, B, C}`, which must not be empty.
bool parse_names(Cursor& cursor, std::string_view what, std::vector<TermSyntax>& names);

}  // namespace sorites::markov
