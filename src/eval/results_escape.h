// Text arguments in result files: \\ \' \t \n \r stand for what would not survive as it is.
#pragma once

#include <string>
#include <string_view>

namespace sorites {

inline bool needs_escape(char c) {
  return c == '\\' || c == '\'' || c == '\t' || c == '\n' || c == '\r';
}

inline void append_escaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (needs_escape(c)) out += '\\';
    out += c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : c;
  }
}

// A backslash before anything else stands for itself.
inline std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
    const char meant = next == '\\' || next == '\'' ? next
                       : next == 't'                ? '\t'
                       : next == 'n'                ? '\n'
                       : next == 'r'                ? '\r'
                                                    : '\0';
    if (meant != '\0') ++i;
    plain += meant != '\0' ? meant : text[i];
  }
  return plain;
}

}  // namespace sorites
