#include "lang/mln/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "lang/escapes.h"
#include "lang/mln/join_lines.h"

namespace sorites::markov {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_word(char c) {
  return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z') || c == '_' || c == '$';
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

TextRange range(std::size_t begin, std::size_t end) {
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
}

constexpr std::string_view kIncludeWord = "#include";

// The first that fits is taken, so longer ones stand before their beginnings.
constexpr std::array<std::pair<std::string_view, TokenKind>, 29> kOperators{{
    {"<=>", TokenKind::kIff},
    {"<->", TokenKind::kIff},
    {"...", TokenKind::kDots},
    {"=>", TokenKind::kImplies},
    {"->", TokenKind::kImplies},
    {"!=", TokenKind::kDiffers},
    {"~=", TokenKind::kDiffers},
    {"==", TokenKind::kEqual},
    {"||", TokenKind::kOr},
    {"&&", TokenKind::kAnd},
    {"(", TokenKind::kLeftParenthesis},
    {")", TokenKind::kRightParenthesis},
    {"[", TokenKind::kLeftBracket},
    {"]", TokenKind::kRightBracket},
    {"{", TokenKind::kLeftBrace},
    {"}", TokenKind::kRightBrace},
    {",", TokenKind::kComma},
    {".", TokenKind::kPeriod},
    {"|", TokenKind::kOr},
    {"^", TokenKind::kAnd},
    {"&", TokenKind::kAnd},
    {"!", TokenKind::kNot},
    {"~", TokenKind::kNot},
    {"=", TokenKind::kEqual},
    {"+", TokenKind::kPlus},
    {"-", TokenKind::kMinus},
    {"*", TokenKind::kStar},
    // What logic books print.
    {"\u2228", TokenKind::kOr},
    {"\u2227", TokenKind::kAnd},
}};

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
    }
    add(TokenKind::kEnd, text_.size());
    return std::move(tokens_);
  }

 private:
  std::string_view rest() const { return text_.substr(pos_); }
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  bool begins_line() const { return tokens_.empty() || tokens_.back().kind == TokenKind::kLine; }

  // The token from pos_ to `end`; moves on to `end`.
  Token& add(TokenKind kind, std::size_t end) {
    Token& token = tokens_.emplace_back();
    token.kind = kind;
    token.range = range(pos_, end);
    pos_ = end;
    return token;
  }

  Diagnostic& report(DiagnosticCode code, std::size_t end, std::string message) {
    return sink_.error(code, source_, range(pos_, end), std::move(message));
  }

  void skip_blanks_and_comments() {
    for (;;) {
      if (pos_ < text_.size() && is_blank(text_[pos_])) {
        ++pos_;
      } else if (rest().starts_with("/*")) {
        skip_block_comment();
      } else if (rest().starts_with("//") ||
                 (rest().starts_with('#') && begins_line() && !rest().starts_with(kIncludeWord))) {
        pos_ = std::min(text_.find('\n', pos_), text_.size());
        is_comment_line_ = begins_line();
      } else {
        return;
      }
    }
  }

  void skip_block_comment() {
    const std::size_t end = text_.find("*/", pos_ + 2);
    if (end != std::string_view::npos) {
      pos_ = end + 2;
      return;
    }
    report(DiagnosticCode::kUnterminatedComment, pos_ + 2, "this comment is never closed")
        .notes.push_back({"close it with `*/`", {}});
    add(TokenKind::kError, text_.size());
  }

  void next_token() {
    const char c = text_[pos_];
    if (c == '\n') {
      // A comment between two lines of a formula is no blank line.
      if (std::exchange(is_comment_line_, false)) {
        ++pos_;
      } else {
        add(TokenKind::kLine, pos_ + 1);
      }
      return;
    }
    if (rest().starts_with(kIncludeWord) && begins_line()) {
      add(TokenKind::kInclude, pos_ + kIncludeWord.size());
      return;
    }
    if (c == '"' || c == '\'') return string();
    if (is_digit(c)) return number_or_word();
    if (is_word(c)) return word();
    if (c == '.' && is_digit(at(pos_ + 1)) && may_begin_number()) return number_or_word();
    for (const auto& [spelling, kind] : kOperators) {
      if (rest().starts_with(spelling)) {
        add(kind, pos_ + spelling.size());
        return;
      }
    }
    unknown();
  }

  // `.5` is a number as a weight; anywhere else the period ends a hard formula.
  bool may_begin_number() const {
    if (begins_line()) return true;
    switch (tokens_.back().kind) {
      case TokenKind::kPlus:
      case TokenKind::kMinus:
      case TokenKind::kLeftBracket:
      case TokenKind::kComma:
        return true;
      default:
        return false;
    }
  }

  void word() {
    std::size_t end = pos_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view written = text_.substr(pos_, end - pos_);
    add(TokenKind::kWord, end).text = written;
  }

  std::size_t skip_digits(std::size_t i) const {
    while (is_digit(at(i))) ++i;
    return i;
  }

  // digits [. digits] [e [+-] digits], unless more letters follow: `3rd` is a word.
  void number_or_word() {
    std::size_t end = skip_digits(pos_);
    if (at(end) == '.' && is_digit(at(end + 1))) end = skip_digits(end + 1);
    if (at(end) == 'e' || at(end) == 'E') {
      const bool sign = at(end + 1) == '-' || at(end + 1) == '+';
      const std::size_t digits = end + (sign ? 2 : 1);
      if (is_digit(at(digits))) end = skip_digits(digits);
    }
    if (end < text_.size() && is_word(text_[end])) {
      if (text_[pos_] != '.') return word();
    }
    const std::string_view written = text_.substr(pos_, end - pos_);
    double value = 0.0;
    const auto read = std::from_chars(written.data(), written.data() + written.size(), value);
    if (read.ec != std::errc()) {
      report(DiagnosticCode::kBadNumber, end, "this number is too large or too small for a double")
          .notes.push_back({"numbers reach from about 1e-307 to 1e308", {}});
      value = 1.0;
    }
    Token& token = add(TokenKind::kNumber, end);
    token.number = value;
    token.text = written;
  }

  void string() {
    std::string value;
    const std::size_t end = read_string(source_, pos_, value, sink_);
    if (end == 0) {
      add(TokenKind::kError, std::min(text_.find('\n', pos_), text_.size()));
    } else {
      add(TokenKind::kString, end).text = std::move(value);
    }
  }

  void unknown() {
    std::size_t end = pos_ + 1;
    while (end < text_.size() && !is_ascii(text_[end - 1]) && !is_ascii(text_[end])) ++end;
    const std::string_view written = text_.substr(pos_, end - pos_);
    const char c = written[0];
    const bool printable = c > ' ' && c != '\x7f';
    Diagnostic& added =
        report(DiagnosticCode::kUnexpectedCharacter,
               end,
               printable || !is_ascii(c)
                   ? fmt::format("`{}` means nothing here", written)
                   : fmt::format("a control character (0x{:02x})", static_cast<unsigned>(c)));
    if (c == '#') {
      added.notes.push_back(
          {"a comment behind a statement begins with `//`; `#include` begins a line", {}});
    } else if (c == '<' || c == '>' || c == '%') {
      added.notes.push_back(
          {"constants have no order here: only `=` and `!=` compare them; give the pairs that are "
           "in order as facts of a closed predicate",
           {}});
    } else if (!is_ascii(c)) {
      added.notes.push_back(
          {"names are made of the letters A-Z and a-z, digits, `_` and `$`; "
           "any text may stand in a quoted constant",
           {}});
    }
    add(TokenKind::kError, end);
  }

  const Source& source_;
  Diagnostics& sink_;
  std::string_view text_;
  std::size_t pos_ = 0;
  std::vector<Token> tokens_;
  bool is_comment_line_ = false;  // the line has a comment and nothing else so far
};

}  // namespace

std::vector<Token> tokenize(const Source& source, Diagnostics& sink) {
  std::vector<Token> tokens = Lexer(source, sink).run();
  join_lines(tokens);
  return tokens;
}

std::size_t read_string(const Source& source,
                        std::size_t begin,
                        std::string& value,
                        Diagnostics& sink) {
  const std::string_view text = source.text();
  const char quote = text[begin];
  std::size_t i = begin + 1;
  while (i < text.size() && text[i] != quote && text[i] != '\n') {
    if (text[i] == '\\') {
      i = read_escape(source, i, value, sink);
    } else {
      value += text[i++];
    }
  }
  if (i < text.size() && text[i] == quote) return i + 1;
  sink.error(DiagnosticCode::kUnterminatedString,
             source,
             range(begin, i),
             "this constant is not closed on its line")
      .notes.push_back({fmt::format("close it with {}", quote), {}});
  return 0;
}

std::string quoted(std::string_view text) { return in_quotes(text, '"'); }

std::string constant_text(std::string_view constant) {
  const bool bare = !constant.empty() && (is_upper(constant[0]) || is_digit(constant[0])) &&
                    std::all_of(constant.begin(), constant.end(), is_word);
  return bare ? std::string(constant) : quoted(constant);
}

}  // namespace sorites::markov
