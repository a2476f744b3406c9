#include "base/tag_spans.h"

namespace sorites {
namespace {

constexpr std::size_t kPrefix = 2;  // `B-`

char letter_of(std::string_view tag) { return tag.front(); }
std::string_view kind_of(std::string_view tag) { return tag.substr(kPrefix); }

bool begins_span(std::string_view before, std::string_view tag) {
  const char letter = letter_of(tag), last = letter_of(before);
  return letter == 'B' || letter == 'S' || last == 'O' || last == 'E' || last == 'S' ||
         kind_of(before) != kind_of(tag);
}

}  // namespace

bool is_tag(std::string_view text) {
  constexpr std::string_view kLetters = "BIES";
  if (text == "O") return true;
  return text.size() > kPrefix && text[1] == '-' &&
         kLetters.find(text[0]) != std::string_view::npos;
}

std::vector<TagSpan> tag_spans(std::span<const std::string_view> tags) {
  std::vector<TagSpan> spans;
  std::string_view before = "O";
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const std::string_view tag = is_tag(tags[i]) ? tags[i] : "O";
    if (tag != "O") {
      if (begins_span(before, tag)) spans.push_back({i, i, kind_of(tag)});
      spans.back().end = i + 1;
    }
    before = tag;
  }
  return spans;
}

std::vector<std::string> tags_of(std::span<const TagSpan> spans, std::size_t length, bool bioes) {
  std::vector<std::string> tags(length, "O");
  for (const TagSpan& span : spans) {
    for (std::size_t i = span.begin; i < span.end; ++i) {
      const bool first = i == span.begin, last = i + 1 == span.end;
      const char letter = bioes && first && last ? 'S' : first ? 'B' : bioes && last ? 'E' : 'I';
      tags[i] = std::string(1, letter) + "-" + std::string(span.kind);
    }
  }
  return tags;
}

}  // namespace sorites
