#include "lang/psl/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "lang/escapes.h"
#include "lang/psl/spellings.h"

namespace sorites::lang {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool continues_name(char c) { return begins_name(c) || is_digit(c); }
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

class Lexer {
 public:
  Lexer(const Source& source, Diagnostics& sink)
      : source_(source), sink_(sink), text_(source.text()) {}

  std::vector<Token> run() {
    if (text_.starts_with("\uFEFF")) pos_ = 3;  // a byte order mark
    for (;;) {
      skip_blanks_and_comments();
      if (pos_ == text_.size()) break;
      next_token();
      new_line_ = false;
    }
    add(TokenKind::kEnd, text_.size());
    return std::move(tokens_);
  }

 private:
  std::string_view rest() const { return text_.substr(pos_); }
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  std::size_t skip_digits(std::size_t i) const {
    while (is_digit(at(i))) ++i;
    return i;
  }
  static TextRange range(std::size_t begin, std::size_t end) {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
  }

  // The token from pos_ to `end`; moves on to `end`.
  Token& add(TokenKind kind, std::size_t end) {
    Token& token = tokens_.emplace_back();
    token.kind = kind;
    token.range = range(pos_, end);
    token.begins_line = new_line_;
    pos_ = end;
    return token;
  }

  void report(DiagnosticCode code, TextRange where, std::string message, std::string hint) {
    Diagnostic& added = sink_.error(code, source_, where, std::move(message));
    if (!hint.empty()) added.notes.push_back({std::move(hint), {}});
  }

  void skip_blanks_and_comments() {
    for (;;) {
      if (pos_ < text_.size() && is_blank(text_[pos_])) {
        new_line_ = new_line_ || text_[pos_] == '\n';
        ++pos_;
      } else if (rest().starts_with("/*")) {
        skip_block_comment();
      } else if (rest().starts_with("//") || rest().starts_with('#')) {
        pos_ = std::min(text_.find('\n', pos_), text_.size());
      } else {
        return;
      }
    }
  }

  void skip_block_comment() {
    const std::size_t end = text_.find("*/", pos_ + 2);
    if (end == std::string_view::npos) {
      report(DiagnosticCode::kUnterminatedComment,
             range(pos_, pos_ + 2),
             "this comment is never closed",
             "close it with `*/`");
      add(TokenKind::kError, text_.size());
      return;
    }
    const std::string_view comment = text_.substr(pos_, end - pos_);
    new_line_ = new_line_ || comment.find('\n') != std::string_view::npos;
    pos_ = end + 2;
  }

  void next_token() {
    const char c = text_[pos_];
    if (begins_name(c)) return name(TokenKind::kIdentifier, pos_);
    if (c == '@' && begins_name(at(pos_ + 1))) return name(TokenKind::kFunction, pos_ + 1);
    if (is_digit(c)) return number();
    if (c == '.' && is_digit(at(pos_ + 1)) && !ends_a_rule()) return number_without_zero();
    if (c == '^' && is_digit(at(pos_ + 1))) return exponent();
    if (c == '\'' || c == '"') return string(c);
    for (const auto& [spelling, kind] : kOperators) {
      if (kind == TokenKind::kTurnstile && !after_atom()) continue;  // the weight of `1:-X(A) = 0`
      if (rest().starts_with(spelling)) {
        add(kind, pos_ + spelling.size());
        return;
      }
    }
    unknown();
  }

  bool after_atom() const {
    return !tokens_.empty() && tokens_.back().kind == TokenKind::kRightParenthesis;
  }

  void name(TokenKind kind, std::size_t begin) {
    std::size_t end = begin;
    while (continues_name(at(end))) ++end;
    // A name with letters beyond ASCII is one mistake, not one per letter.
    if (end < text_.size() && !is_ascii(text_[end]) && !lookalike(end)) return foreign_name();
    add(kind, end).text = text_.substr(begin, end - begin);
  }

  const Lookalike* lookalike(std::size_t i) const {
    const auto* found = std::find_if(
        std::begin(kLookalikes), std::end(kLookalikes), [&](const Lookalike& candidate) {
          return text_.substr(i).starts_with(candidate.text);
        });
    return found == std::end(kLookalikes) ? nullptr : found;
  }

  void foreign_name() {
    std::size_t end = pos_ + 1;  // it may begin with `@`
    while (end < text_.size() && (continues_name(text_[end]) || !is_ascii(text_[end]))) ++end;
    report(DiagnosticCode::kUnexpectedCharacter,
           range(pos_, end),
           fmt::format("`{}` is no name", text_.substr(pos_, end - pos_)),
           "names are made of the letters A-Z and a-z, digits, `_` and `$`; "
           "any text may stand in a quoted constant");
    add(TokenKind::kError, end);
  }

  // digits [. digits] [e [-] digits]; a period without a digit after it ends a hard rule.
  std::size_t end_of_number(std::size_t begin) const {
    std::size_t end = skip_digits(begin);
    if (at(end) == '.' && is_digit(at(end + 1))) end = skip_digits(end + 1);
    if (at(end) == 'e' || at(end) == 'E') {
      const std::size_t digits = at(end + 1) == '-' ? end + 2 : end + 1;
      if (is_digit(at(digits))) end = skip_digits(digits);
    }
    return end;
  }

  void number() {
    const std::size_t end = end_of_number(pos_);
    const bool plus =
        (at(end) == 'e' || at(end) == 'E') && at(end + 1) == '+' && is_digit(at(end + 2));
    if (plus) {
      const std::size_t whole = skip_digits(end + 2);
      const std::string_view mantissa = text_.substr(pos_, end - pos_);
      report(DiagnosticCode::kBadNumber,
             range(pos_, whole),
             fmt::format("`{}` is no number: an exponent has no `+`",
                         text_.substr(pos_, whole - pos_)),
             fmt::format("write {}e{}", mantissa, text_.substr(end + 2, whole - end - 2)));
      add(TokenKind::kNumber, whole).mended = true;
      return;
    }
    const auto value = read_number(pos_, end);
    Token& token = add(TokenKind::kNumber, end);
    token.number = value.value_or(1.0);
    token.mended = !value;
  }

  std::optional<double> read_number(std::size_t begin, std::size_t end) {
    double value = 0.0;
    const auto result = std::from_chars(text_.data() + begin, text_.data() + end, value);
    if (result.ec == std::errc() && std::isfinite(value)) return value;
    report(DiagnosticCode::kBadNumber,
           range(begin, end),
           "this number is too large or too small for a double",
           "numbers reach from about 1e-307 to 1e308");
    return std::nullopt;
  }

  // `B(X).5: C(X)` is a hard rule and the weight 5; anywhere else `.5` is meant as a number.
  bool ends_a_rule() const {
    if (tokens_.empty() || tokens_.back().range.end() != pos_) return false;
    switch (tokens_.back().kind) {
      case TokenKind::kRightParenthesis:
      case TokenKind::kRightBracket:
      case TokenKind::kIdentifier:
      case TokenKind::kString:
      case TokenKind::kNumber:
      case TokenKind::kBar:
      case TokenKind::kExponent:
        return true;
      default:
        return false;
    }
  }

  void number_without_zero() {
    const std::size_t end = end_of_number(skip_digits(pos_ + 1));
    const std::string_view written = text_.substr(pos_, end - pos_);
    report(DiagnosticCode::kBadNumber,
           range(pos_, end),
           fmt::format("`{}` is no number: there is no digit before the point", written),
           fmt::format("write 0{}", written));
    add(TokenKind::kNumber, end).mended = true;
  }

  void exponent() {
    std::size_t end = skip_digits(pos_ + 1);
    if (at(end) == '.' && is_digit(at(end + 1))) end = skip_digits(end + 1);
    const std::string_view digits = text_.substr(pos_ + 1, end - pos_ - 1);
    add(TokenKind::kExponent, end).number = digits == "1" ? 1 : digits == "2" ? 2 : 0;
  }

  void string(char quote) {
    std::string value;
    const std::size_t errors = sink_.num_errors();
    std::size_t i = pos_ + 1;
    while (i < text_.size() && text_[i] != quote && text_[i] != '\n' && text_[i] != '\r') {
      if (text_[i] == '\\') {
        i = read_escape(source_, i, value, sink_);
      } else {
        value += text_[i++];
      }
    }
    if (at(i) != quote || i >= text_.size()) {
      report(DiagnosticCode::kUnterminatedString,
             range(pos_, i),
             "this constant is not closed on its line",
             fmt::format("close it with {}", quote));
      add(TokenKind::kError, i);
      return;
    }
    Token& token = add(TokenKind::kString, i + 1);
    token.text = std::move(value);
    token.mended = sink_.num_errors() > errors;
  }

  void unknown() {
    for (const std::string_view quote : kCurlyQuotes) {
      if (rest().starts_with(quote)) return wrong_quotes("a typographic quote", quote.size());
    }
    if (rest().starts_with('`')) return wrong_quotes("a backquote", 1);
    if (const Lookalike* like = lookalike(pos_)) {
      report(DiagnosticCode::kUnexpectedCharacter,
             range(pos_, pos_ + like->text.size()),
             fmt::format("`{}` is no operator of the rule language", like->text),
             fmt::format("write `{}`", like->instead));
      add(like->kind, pos_ + like->text.size()).mended = true;
      return;
    }
    const char c = text_[pos_];
    if (!is_ascii(c)) return foreign_name();
    const bool printable = c > ' ' && c != '\x7f';
    report(DiagnosticCode::kUnexpectedCharacter,
           range(pos_, pos_ + 1),
           printable ? fmt::format("`{}` means nothing here", c)
                     : fmt::format("a control character (0x{:02x})", static_cast<unsigned char>(c)),
           hint_for(c));
    add(TokenKind::kError, pos_ + 1);
  }

  static std::string hint_for(char c) {
    if (c == ';') return "rules need no separator; a hard rule ends with a period";
    if (c == '@') return "the functions are @Max[a, b] and @Min[a, b]";
    return {};
  }

  // Up to the next quote of the line, whatever kind it is: it was meant to close this one.
  void wrong_quotes(std::string message, std::size_t length) {
    std::size_t end = pos_ + length;
    std::size_t closing = 0;
    while (end < text_.size() && text_[end] != '\n' && closing == 0) {
      const std::string_view here = text_.substr(end);
      if (here[0] == '\'' || here[0] == '"' || here[0] == '`') closing = 1;
      for (const std::string_view quote : kCurlyQuotes) {
        if (here.starts_with(quote)) closing = quote.size();
      }
      if (closing == 0) ++end;
    }
    const std::string_view value = text_.substr(pos_ + length, end - pos_ - length);
    report(DiagnosticCode::kUnexpectedCharacter,
           range(pos_, pos_ + length),
           std::move(message),
           closing > 0 ? fmt::format("use straight quotes: '{}'", value)
                       : "use straight quotes: ' or \"");
    Token& token = add(closing > 0 ? TokenKind::kString : TokenKind::kError, end + closing);
    token.text = value;
    token.mended = true;
  }

  const Source& source_;
  Diagnostics& sink_;
  std::string_view text_;
  std::size_t pos_ = 0;
  bool new_line_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(const Source& source, Diagnostics& sink) {
  return Lexer(source, sink).run();
}

}  // namespace sorites::lang
