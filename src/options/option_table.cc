#include "options/option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/constant.h"
#include "options/option_list.h"

namespace sorites {
namespace {

using enum OptionKind;
using option_list::kOptions;

// PSL takes full class names too; only their last part counts.
std::string_view last_component(std::string_view name) { return name.substr(name.rfind('.') + 1); }

std::vector<std::string_view> split(std::string_view words) {
  std::vector<std::string_view> result;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    result.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return result;
}

bool same_but_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_real(std::string_view value) {
  return parse_real(value) || value == "inf" || value == "Infinity";
}

bool can_take(const OptionInfo& option, std::string_view value) {
  switch (option.kind) {
    case kBool:
      return same_but_case(value, "true") || same_but_case(value, "false");
    case kInteger:
      return parse_integer(value).has_value();
    case kReal:
      return is_real(value);
    case kText:
      return true;
    case kChoice:
      for (const std::string_view choice : split(option.choices)) {
        if (same_but_case(last_component(value), choice)) return true;
      }
      return false;
  }
  return false;  // not reached: the switch is complete
}

}  // namespace

std::span<const OptionInfo> option_table() { return kOptions; }

const OptionInfo* find_option(std::string_view name) {
  const auto* found = std::lower_bound(
      std::begin(kOptions), std::end(kOptions), name, [](const OptionInfo& option, auto wanted) {
        return option.name < wanted;
      });
  return found != std::end(kOptions) && found->name == name ? found : nullptr;
}

std::string describe_values(const OptionInfo& option) {
  switch (option.kind) {
    case kBool:
      return "true or false";
    case kInteger:
      return "an integer";
    case kReal:
      return "a number";
    case kText:
      return "any text";
    case kChoice:
      break;
  }
  const auto choices = split(option.choices);
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    text += i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ";
    text += fmt::format("`{}`", choices[i]);
  }
  return text;
}

std::optional<std::string> why_bad(const OptionInfo& option, std::string_view value) {
  if (can_take(option, value)) return std::nullopt;
  return fmt::format("`{}` takes {}, not `{}`", option.name, describe_values(option), value);
}

}  // namespace sorites
