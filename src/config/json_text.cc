#include "config/json_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/constant.h"

namespace sorites {
namespace {

std::string bracketed(char open, const std::vector<std::string>& parts, char close, int indent) {
  if (parts.empty()) return {open, close};
  const bool lines = indent >= 0;
  const std::string before =
      lines ? "\n" + std::string(static_cast<std::size_t>(indent) + 2, ' ') : "";
  std::string text(1, open);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += lines ? "," : ", ";
    text += before;
    text += parts[i];
  }
  if (lines) text += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
  return text + close;
}

}  // namespace

std::string json_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string json_number(double number) { return std::isfinite(number) ? to_text(number) : "null"; }

std::string json_object(const JsonMembers& members, int indent) {
  std::vector<std::string> parts;
  parts.reserve(members.size());
  for (const auto& [key, value] : members) parts.push_back(json_quoted(key) + ": " + value);
  return bracketed('{', parts, '}', indent);
}

std::string json_list(const std::vector<std::string>& elements, int indent) {
  return bracketed('[', elements, ']', indent);
}

}  // namespace sorites
