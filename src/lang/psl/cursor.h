// A place in the tokens, and how the parser reports what it finds there.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "lang/psl/token.h"

namespace sorites::lang {

class Cursor {
 public:
  // `tokens` ends with kEnd, and outlives the cursor as `source` and `sink` do.
  Cursor(std::span<const Token> tokens, const Source& source, Diagnostics& sink)
      : tokens_(tokens), source_(source), sink_(sink) {}

  std::size_t position() const { return position_; }
  const Token& peek(std::size_t ahead = 0) const;
  const Token& previous() const { return tokens_[position_ == 0 ? 0 : position_ - 1]; }
  bool sees(TokenKind kind, std::size_t ahead = 0) const { return peek(ahead).kind == kind; }
  bool at_end() const { return sees(TokenKind::kEnd); }
  const Token& take();
  bool take_if(TokenKind kind);

  // `[-] number :`
  bool sees_weight(std::size_t ahead = 0) const;
  // An identifier with arguments.
  bool sees_atom(std::size_t ahead = 0) const;
  // `==` and its kin between terms.
  bool sees_comparison_operator(std::size_t ahead = 0) const;
  // `=`, `<=`, `>=`, and `<`, `>`, which are none.
  bool sees_relation(std::size_t ahead = 0) const;
  // At a `-` that begins a line: a relation follows before the rule ends, and before any other line
  // that begins with `-`.
  bool signed_relation_follows() const;
  // A token that a rule can begin with.
  bool sees_start_of_rule() const;
  // A place where, to a reader, the rule before it has ended.
  bool sees_boundary() const;

  std::string_view slice(TextRange range) const {
    return source_.text().substr(range.begin, range.length);
  }
  // The source from the token at `first` to the one before the cursor, blanks and comments folded.
  std::string text_since(std::size_t first) const;
  TextRange range_since(std::size_t first) const;
  const Token& token(std::size_t position) const { return tokens_[position]; }

  Diagnostic& error(DiagnosticCode code, TextRange at, std::string message);
  void error(DiagnosticCode code, TextRange at, std::string message, std::string hint);
  // Something else was expected at the cursor. Silent if the lexer has reported it already.
  void unexpected(std::string_view expected, std::string_view hint = {});
  // The same after an operand, where more can be said about some tokens.
  void unexpected_after_operand(std::string_view expected);
  // Takes the closing bracket, or reports what stands there instead of it.
  bool close(TokenKind closing, std::string_view text, TextRange opening);
  std::size_t num_errors() const { return num_errors_; }
  Span locate(TextRange range) const { return source_.locate(range); }

 private:
  std::string describe(const Token& token) const;

  std::span<const Token> tokens_;
  const Source& source_;
  Diagnostics& sink_;
  std::size_t position_ = 0;
  std::size_t num_errors_ = 0;  // those that it has reported
};

}  // namespace sorites::lang
