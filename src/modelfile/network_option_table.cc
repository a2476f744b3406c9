#include "modelfile/network_option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/constant.h"
#include "modelfile/network_option_list.h"

namespace sorites {
namespace {

using enum NetworkOptionKind;
using network_option_list::kOptions;

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

bool is_count(std::string_view text, Bound bound) {
  const auto number = parse_integer(text);
  return number && *number <= std::numeric_limits<std::int32_t>::max() &&
         is_within(static_cast<double>(*number), bound);
}

bool are_counts(std::string_view text) {
  const auto parts = list_elements(text);
  if (parts.size() == 1 && parts.front() == "0") return true;  // none
  return std::all_of(
      parts.begin(), parts.end(), [](auto part) { return is_count(part, Bound::kPositive); });
}

bool is_real(std::string_view text, Bound bound) {
  const bool infinite = text == "inf" || text == "Infinity";
  const auto number =
      infinite ? std::numeric_limits<double>::infinity() : parse_real(text).value_or(-1.0);
  return is_within(number, bound);
}

bool is_choice(std::string_view text, std::string_view choices) {
  const auto all = split(choices, " ");
  return std::find(all.begin(), all.end(), text) != all.end();
}

std::string choices_text(std::string_view choices) {
  const auto all = split(choices, " ");
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    text += i == 0 ? "" : i + 1 == all.size() ? " or " : ", ";
    text += fmt::format("`{}`", all[i]);
  }
  return text;
}

}  // namespace

std::span<const NetworkOptionInfo> network_option_table() { return kOptions; }

const NetworkOptionInfo* find_network_option(std::string_view name) {
  const auto* found = std::find_if(
      std::begin(kOptions), std::end(kOptions), [&](const auto& one) { return one.name == name; });
  return found == std::end(kOptions) ? nullptr : found;
}

std::vector<std::string_view> list_elements(std::string_view text) { return split(text, ":"); }

std::optional<std::vector<std::size_t>> argument_numbers(std::string_view text, std::size_t arity) {
  const auto limit = static_cast<std::int64_t>(arity);
  std::vector<std::size_t> numbers;
  for (const std::string_view part : split(text, ":,")) {
    const auto index = parse_integer(part);
    if (!index || *index < -limit || *index >= limit) return std::nullopt;
    numbers.push_back(static_cast<std::size_t>(*index < 0 ? *index + limit : *index));
  }
  return numbers;
}

std::string_view without_phase(std::string_view name) {
  for (const std::string_view prefix : {"learning::", "validation::", "inference::"}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

std::string describe_values(const NetworkOptionInfo& option, std::size_t arity) {
  switch (option.kind) {
    case kCount:
      return option.bound == Bound::kNotNegative ? "an integer that is not negative"
                                                 : "a positive integer";
    case kCounts:
      return "a list of positive integers, or 0";
    case kReal:
      return std::string(describe(option.bound));
    case kChoice:
      return choices_text(option.choices);
    case kText:
      return "a name";
    case kPath:
      return "a path";
    case kArgument:
      return arity == 0 ? "an argument number, or `none`"
                        : fmt::format("an argument number from 0 to {}, or `none`", arity - 1);
    case kArguments:
      return arity == 0
                 ? "argument numbers, separated by colons"
                 : fmt::format("argument numbers from 0 to {}, separated by colons", arity - 1);
    case kConstants:
      return "a list of constants";
  }
  return {};  // not reached: the switch is complete
}

bool can_take(const NetworkOptionInfo& option, std::string_view value, std::size_t arity) {
  switch (option.kind) {
    case kCount:
      return is_count(value, option.bound);
    case kCounts:
      return are_counts(value);
    case kReal:
      return is_real(value, option.bound);
    case kChoice:
      return is_choice(value, option.choices);
    case kText:
    case kPath:
    case kConstants:
      return !value.empty();
    case kArgument: {
      const auto numbers = argument_numbers(value, arity);
      return value == "none" || (numbers && numbers->size() == 1);
    }
    case kArguments:
      return argument_numbers(value, arity).has_value();
  }
  return false;  // not reached: the switch is complete
}

}  // namespace sorites
