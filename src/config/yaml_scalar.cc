#include "config/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <utility>

#include "config/canonical_number.h"

namespace sorites {
namespace {

bool is_one_of(std::string_view text, std::array<std::string_view, 3> spellings) {
  return std::find(spellings.begin(), spellings.end(), text) != spellings.end();
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Walks through the raw scalar beside its decoded text.
class Aligner {
 public:
  Aligner(std::string_view file, std::uint32_t begin, std::uint32_t end)
      : file_(file), at_(begin), end_(end) {
    if (at_ >= end_) return;
    quote_ = file_[at_];
    if (quote_ == '|' || quote_ == '>') {  // a block begins on the line after its header
      at_ = std::min<std::uint32_t>(end_, line_end() + 1);
      skip_blanks();
    } else if (quote_ == '"' || quote_ == '\'') {
      ++at_;
    } else {
      quote_ = 0;
    }
  }

  std::uint32_t end() const { return std::min(at_, end_); }

  // The place of the next byte of the text, which is `byte`.
  std::uint32_t next(char byte) {
    const bool continues = (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
    if (escaped_ && continues) return last_escape_;  // of a character that was one escape
    escaped_ = false;
    skip_joined_lines();
    if (at_escape()) return escape();
    if (byte == ' ' || byte == '\n') return next_blank(byte);
    if (at_ < end_ && file_[at_] != byte) skip_blanks();  // the indent of a new line
    if (at_escape()) return escape();
    const std::uint32_t place = end();
    if (at_ < end_) at_ += quote_ == '\'' && file_[at_] == '\'' ? 2 : 1;
    return place;
  }

 private:
  std::uint32_t line_end() const {
    return static_cast<std::uint32_t>(std::min<std::size_t>(file_.find('\n', at_), end_));
  }

  void skip_blanks() {
    while (at_ < end_ && is_blank(file_[at_])) ++at_;
  }

  bool at_escape() const { return quote_ == '"' && at_ < end_ && file_[at_] == '\\'; }

  std::uint32_t escape() {
    last_escape_ = at_;
    escaped_ = true;
    const char letter = at_ + 1 < end_ ? file_[at_ + 1] : ' ';
    at_ += letter == 'x' ? 4 : letter == 'u' ? 6 : letter == 'U' ? 10 : 2;
    return last_escape_;
  }

  // A backslash before a line end joins the lines.
  void skip_joined_lines() {
    while (at_escape() &&
           (file_.substr(at_ + 1).starts_with('\n') || file_.substr(at_ + 1).starts_with("\r\n"))) {
      ++at_;
      skip_blanks();
    }
  }

  // A space of the text may be a folded line end; a line end may come after blanks.
  std::uint32_t next_blank(char byte) {
    const std::uint32_t place = end();
    if (at_ >= end_) return place;
    if (byte == ' ' && file_[at_] == ' ') {
      ++at_;
      // Blanks before a line end fold into it.
      const std::size_t next = file_.find_first_not_of(" \t\r", at_);
      if (next < end_ && file_[next] == '\n') at_ = static_cast<std::uint32_t>(next + 1);
    } else if (is_blank(file_[at_])) {
      at_ = std::min(end_, line_end() + 1);
    }
    return place;
  }

  std::string_view file_;
  std::uint32_t at_, end_;
  char quote_ = 0;
  bool escaped_ = false;  // the last byte came from an escape
  std::uint32_t last_escape_ = 0;
};

}  // namespace

void resolve_plain_scalar(std::string_view text, ConfigNode& node) {
  if (text.empty() || text == "~" || is_one_of(text, {"null", "Null", "NULL"})) {
    node.kind = ConfigKind::kNull;
    node.text.clear();
  } else if (is_one_of(text, {"true", "True", "TRUE"})) {
    node.kind = ConfigKind::kBool;
    node.text = "true";
  } else if (is_one_of(text, {"false", "False", "FALSE"})) {
    node.kind = ConfigKind::kBool;
    node.text = "false";
  } else if (auto number = canonical_number(text)) {
    node.kind = ConfigKind::kNumber;
    node.text = std::move(*number);
  } else {
    node.kind = ConfigKind::kText;
    node.text = text;
  }
}

std::vector<std::uint32_t> align_scalar(std::string_view file,
                                        std::uint32_t begin,
                                        std::uint32_t end,
                                        std::string_view text) {
  end = static_cast<std::uint32_t>(std::min<std::size_t>(end, file.size()));
  Aligner aligner(file, std::min(begin, end), end);
  std::vector<std::uint32_t> places;
  places.reserve(text.size() + 1);
  for (const char byte : text) places.push_back(aligner.next(byte));
  places.push_back(aligner.end());
  return places;
}

}  // namespace sorites
