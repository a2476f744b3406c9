#include "config/canonical_number.h"

namespace sorites {
namespace {}  // namespace

std::optional<std::string> canonical_number(std::string_view word) {
  std::string result;
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t first = i;
    while (i < word.size() && is_digit(word[i])) ++i;
    return word.substr(first, i - first);
  };
  if (word.starts_with('+') || word.starts_with('-')) ++i;
  if (word.starts_with('-')) result += '-';
  std::string_view whole = digits();
  if (whole.empty()) return std::nullopt;
  while (whole.size() > 1 && whole.starts_with('0')) whole.remove_prefix(1);
  result += whole;
  const std::size_t rest = i;
  if (i < word.size() && word[i] == '.') {
    ++i;
    if (digits().empty()) return std::nullopt;
  }
  if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
    ++i;
    if (i < word.size() && (word[i] == '+' || word[i] == '-')) ++i;
    if (digits().empty()) return std::nullopt;
  }
  if (i != word.size()) return std::nullopt;
  result += word.substr(rest);
  return result;
}

}  // namespace sorites
