#include "options/option_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constant.h"

namespace sorites {

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

bool same_but_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && lower_case(a) == lower_case(b);
}

std::string takes_not(std::string_view takes, std::string_view text) {
  return fmt::format(" takes {}, not `{}`", takes, text);
}

std::string any_of_text(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
    text += fmt::format("`{}`", names[i]);
  }
  return text;
}

std::optional<std::size_t> index_of_name(std::string_view text,
                                         const std::vector<std::string_view>& names) {
  const std::string_view last = text.substr(text.rfind('.') + 1);
  const auto found = std::find_if(
      names.begin(), names.end(), [&](std::string_view name) { return same_but_case(last, name); });
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::optional<bool> parse_bool(std::string_view text) {
  if (same_but_case(text, "true")) return true;
  if (same_but_case(text, "false")) return false;
  return std::nullopt;
}

std::optional<double> parse_real_or_inf(std::string_view text) {
  if (same_but_case(text, "inf") || same_but_case(text, "infinity")) {
    return std::numeric_limits<double>::infinity();
  }
  return parse_real(text);
}

std::vector<std::string_view> split_list(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string OptionValue<bool>::read(std::string_view text, const NumberRange& range, bool& value) {
  const auto read = parse_bool(text);
  if (!read) return takes_not(takes(range), text);
  value = *read;
  return {};
}

std::string OptionValue<double>::read(std::string_view text,
                                      const NumberRange& range,
                                      double& value) {
  const auto read = parse_real_or_inf(text);
  if (!read || !range.holds(*read)) return takes_not(takes(range), text);
  value = *read;
  return {};
}

std::string OptionValue<double>::write(double value) {
  return std::isinf(value) ? "inf" : to_text(value);
}

std::string OptionValue<std::vector<std::string>>::read(std::string_view text,
                                                        const NumberRange&,
                                                        std::vector<std::string>& value) {
  const auto parts = split_list(text, ":");
  value.assign(parts.begin(), parts.end());
  return {};
}

std::string OptionValue<std::vector<std::string>>::write(const std::vector<std::string>& value) {
  return fmt::format("{}", fmt::join(value, ":"));
}

std::optional<std::int64_t> parse_integer_in(std::string_view text,
                                             const NumberRange& range,
                                             double least,
                                             double most) {
  const auto number = parse_integer(text);
  if (!number) return std::nullopt;
  const auto value = static_cast<double>(*number);
  if (!range.holds(value) || value < least || value > most) return std::nullopt;
  return number;
}

}  // namespace sorites
