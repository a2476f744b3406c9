// Diagnostics as text.
#include <fmt/format.h>

#include <algorithm>

#include "base/shown_text.h"
#include "base/utf8.h"
#include "sorites/diagnostic.h"

namespace sorites {
namespace {

struct Palette {
  std::string_view error, warning, place, caret, off;
};
constexpr Palette kPlain{};
// Red, yellow, bold, green, and none of them: SGR codes of ECMA-48.
constexpr Palette kColor{"\x1b[1;31m", "\x1b[1;33m", "\x1b[1m", "\x1b[32m", "\x1b[0m"};

std::string place(const Span& span) {
  std::string file = shown_text(span.file);
  if (span.line == 0) return file;
  if (span.column == 0) return fmt::format("{}:{}", file, span.line);
  return fmt::format("{}:{}:{}", file, span.line, span.column);
}

// At most 100 characters of the line, around the column, so that a long line does not flood the
// screen.
struct Window {
  std::string text;
  std::size_t caret;  // characters before the caret
  std::size_t length;
};

std::size_t byte_of_character(std::string_view text, std::size_t character) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    seen += num_characters(text.substr(i, 1));
    if (seen > character) return i;
  }
  return text.size();
}

// Of a line that is wider than ours (.clang-format) the part around the mistake, more of it before
// than behind. Lines are counted by character, so there is an end to their length.
Window window_of(const Diagnostic& d) {
  constexpr std::size_t kWidth = 100, kBefore = 60, kLongestLine = 1'000'000;
  const std::string_view line = std::string_view(d.excerpt).substr(0, kLongestLine);
  const std::size_t column = d.span.column - 1;
  Window window{std::string(line), column, std::max<std::uint32_t>(d.span.length, 1)};
  if (num_characters(line) > kWidth) {
    const std::size_t first = column > kBefore ? column - kBefore : 0;
    const std::size_t begin = byte_of_character(line, first);
    const std::size_t length = byte_of_character(line.substr(begin), kWidth);
    window.text = (first > 0 ? "..." : "") + std::string(line.substr(begin, length)) +
                  (begin + length < line.size() ? "..." : "");
    window.caret = column - first + (first > 0 ? 3 : 0);
    window.length = std::min(window.length, kWidth - (column - first));
  }
  window.text = blanked_text(window.text);  // one character for one: the caret stays right
  return window;
}

std::string excerpt_lines(const Diagnostic& d, const Palette& color) {
  if (d.excerpt.empty() || d.span.line == 0 || d.span.column == 0) return {};
  const Window window = window_of(d);
  const std::string number = std::to_string(d.span.line);
  return fmt::format(" {} | {}\n {:{}} | {:{}}{}^{:~>{}}{}\n",
                     number,
                     window.text,
                     "",
                     number.size(),
                     "",
                     window.caret,
                     color.caret,
                     "",
                     window.length - 1,
                     color.off);
}

}  // namespace

std::string render(const Diagnostic& d, bool color) {
  const Palette& palette = color ? kColor : kPlain;
  const bool error = d.severity == Severity::kError;
  std::string text;
  if (!d.span.file.empty()) {
    text += fmt::format("{}{}:{} ", palette.place, place(d.span), palette.off);
  }
  text += fmt::format("{}{}:{} {} [{}]\n",
                      error ? palette.error : palette.warning,
                      error ? "error" : "warning",
                      palette.off,
                      shown_text(d.message),
                      d.code);
  text += excerpt_lines(d, palette);
  for (const Note& note : d.notes) {
    const std::string message = shown_text(note.message);
    text += note.span.file.empty() ? fmt::format("   hint: {}\n", message)
                                   : fmt::format("   {}: {}\n", place(note.span), message);
  }
  return text;
}

namespace {

std::string render_all(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) text += render(d);
  return text;
}

}  // namespace

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(render_all(diagnostics)), diagnostics_(std::move(diagnostics)) {}

}  // namespace sorites
