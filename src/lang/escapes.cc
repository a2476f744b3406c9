#include "lang/escapes.h"

#include <fmt/format.h>

#include <cstdint>

namespace sorites {
namespace {

constexpr std::string_view kEscapes = "\\'\"tnr", kMeanings = "\\'\"\t\n\r";

}  // namespace

std::size_t read_escape(const Source& source,
                        std::size_t begin,
                        std::string& value,
                        Diagnostics& sink) {
  const std::string_view text = source.text();
  std::size_t end = begin + 1;
  if (end == text.size() || text[end] == '\n' || text[end] == '\r') return end;
  const std::size_t known = kEscapes.find(text[end++]);
  if (known != std::string_view::npos) {
    value += kMeanings[known];
    return end;
  }
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  sink.error(DiagnosticCode::kBadEscape,
             source,
             {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)},
             fmt::format("`{}` is no escape", text.substr(begin, end - begin)))
      .notes.push_back({R"(the escapes are \\ \' \" \t \n \r; write \\ for a backslash)", {}});
  return end;
}

std::string in_quotes(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    const bool other_quote = (c == '\'' || c == '"') && c != quote;
    const std::size_t special = other_quote ? std::string_view::npos : kMeanings.find(c);
    if (special == std::string_view::npos) {
      result += c;
    } else {
      result += '\\';
      result += kEscapes[special];
    }
  }
  return result + quote;
}

}  // namespace sorites
