#include "config/json_string.h"

#include <fmt/format.h>

#include <charconv>

#include "base/utf8.h"

namespace sorites {
namespace {

void append_utf8(std::uint32_t code_point, std::string& text) {
  const auto add = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    add(code_point);
  } else if (code_point < 0x800) {
    add(0xC0U | (code_point >> 6U));
    add(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    add(0xE0U | (code_point >> 12U));
    add(0x80U | ((code_point >> 6U) & 0x3FU));
    add(0x80U | (code_point & 0x3FU));
  } else {
    add(0xF0U | (code_point >> 18U));
    add(0x80U | ((code_point >> 12U) & 0x3FU));
    add(0x80U | ((code_point >> 6U) & 0x3FU));
    add(0x80U | (code_point & 0x3FU));
  }
}

bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

class StringReader {
 public:
  StringReader(const Source& source, std::uint32_t begin, Diagnostics& diagnostics)
      : source_(source),
        text_(source.text()),
        diagnostics_(diagnostics),
        begin_(begin),
        at_(begin + 1) {}

  std::optional<JsonString> read() {
    const char quote = text_[begin_];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] == '\\') {
        if (!escaped_) begin_offsets();
        escape();
      } else {
        place();
        result_.text.push_back(text_[at_++]);
      }
    }
    if (at_ >= text_.size() || text_[at_] != quote) {
      diagnostics_
          .error(DiagnosticCode::kJsonSyntax,
                 source_,
                 {begin_, at_ - begin_},
                 "the text is not closed on its line")
          .notes.push_back({fmt::format("end it with {}, or write line ends as \\n", quote), {}});
      return std::nullopt;
    }
    place();
    result_.range = {begin_, at_ + 1 - begin_};
    return std::move(result_);
  }

 private:
  // From the first escape on, the text is no longer what stands in the file.
  void begin_offsets() {
    for (std::uint32_t i = begin_ + 1; i < at_; ++i) result_.file_offset.push_back(i);
    escaped_ = true;
  }

  void place() {
    if (escaped_) result_.file_offset.push_back(at_);
  }

  // Appends what an escape at `begin` stands for; all its bytes are placed at its backslash.
  void append(std::uint32_t begin, std::uint32_t code_point) {
    const std::size_t before = result_.text.size();
    append_utf8(code_point, result_.text);
    result_.file_offset.insert(result_.file_offset.end(), result_.text.size() - before, begin);
  }

  void escape() {
    const std::uint32_t begin = at_++;
    if (at_ >= text_.size()) return;
    const char letter = text_[at_++];
    constexpr std::string_view kLetters = "\"'\\/bfnrt", kMeanings = "\"'\\/\b\f\n\r\t";
    if (letter == 'u') return unicode_escape(begin);
    if (const auto i = kLetters.find(letter); i != std::string_view::npos) {
      return append(begin, static_cast<unsigned char>(kMeanings[i]));
    }
    --at_;  // the character itself is read again, as text
    diagnostics_
        .error(DiagnosticCode::kJsonSyntax,
               source_,
               {begin, 1},
               "this backslash begins no escape of JSON")
        .notes.push_back(
            {"the escapes are \\\" \\' \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX; write "
             "\\\\ for a backslash",
             {}});
  }

  // Four hexadecimal digits at `at_`.
  std::optional<std::uint32_t> four_digits() {
    if (text_.size() - at_ < 4) return std::nullopt;
    std::uint32_t value = 0;
    const char* first = text_.data() + at_;
    const auto [end, error] = std::from_chars(first, first + 4, value, 16);
    if (error != std::errc() || end != first + 4) return std::nullopt;
    at_ += 4;
    return value;
  }

  void unicode_escape(std::uint32_t begin) {
    auto unit = four_digits();
    if (unit && is_high_surrogate(*unit) && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      const auto low = four_digits();
      const bool pair = low && is_low_surrogate(*low);
      unit = pair ? std::optional(0x10000U + ((*unit - 0xD800U) << 10U) + (*low - 0xDC00U))
                  : std::nullopt;
    } else if (unit && (is_high_surrogate(*unit) || is_low_surrogate(*unit))) {
      unit = std::nullopt;
    }
    if (unit) return append(begin, *unit);
    diagnostics_
        .error(DiagnosticCode::kJsonSyntax, source_, {begin, at_ - begin}, "malformed \\u escape")
        .notes.push_back(
            {"\\u takes four hexadecimal digits; characters beyond U+FFFF are a pair, high "
             "surrogate first",
             {}});
  }

  const Source& source_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::uint32_t begin_, at_;
  bool escaped_ = false;
  JsonString result_;
};

}  // namespace

std::optional<JsonString> read_json_string(const Source& source,
                                           std::uint32_t begin,
                                           Diagnostics& diagnostics) {
  return StringReader(source, begin, diagnostics).read();
}

}  // namespace sorites
