#include "base/constant.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace sorites {
namespace {

template <class Number>
std::optional<Number> parse(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

ConstantType constant_type(ArgumentType type) {
  switch (type) {
    case ArgumentType::kUniqueStringId:
    case ArgumentType::kString:
      return ConstantType::kText;
    case ArgumentType::kUniqueIntId:
    case ArgumentType::kInteger:
    case ArgumentType::kLong:
      return ConstantType::kInteger;
    case ArgumentType::kDouble:
      return ConstantType::kReal;
  }
  return ConstantType::kText;  // not reached: the switch is complete
}

std::string_view name_of(ConstantType type) {
  switch (type) {
    case ConstantType::kText:
      return "text";
    case ConstantType::kInteger:
      return "integer";
    case ConstantType::kReal:
      return "real";
  }
  return {};  // not reached: the switch is complete
}

std::vector<Domain> builtin_domains() {
  std::vector<Domain> domains;
  for (const ConstantType type :
       {ConstantType::kText, ConstantType::kInteger, ConstantType::kReal}) {
    domains.push_back({std::string(name_of(type)), type, {}, false});
  }
  return domains;
}

DomainId builtin_domain(ArgumentType type) { return static_cast<DomainId>(constant_type(type)); }

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse<std::int64_t>(text);
}

std::optional<double> parse_real(std::string_view text) {
  const auto number = parse<double>(text);
  if (!number || !std::isfinite(*number)) return std::nullopt;  // from_chars reads "inf" and "nan"
  return number;
}

std::string to_text(double number) {
  std::string text = fmt::format("{}", number == 0.0 ? 0.0 : number);  // no "-0"
  if (const auto plus = text.find('+'); plus != std::string::npos) text.erase(plus, 1);
  return text;
}

std::optional<std::string> canonical_constant(ConstantType type, std::string_view text) {
  switch (type) {
    case ConstantType::kText:
      return std::string(text);
    case ConstantType::kInteger:
      if (const auto number = parse_integer(text)) return fmt::format("{}", *number);
      return std::nullopt;
    case ConstantType::kReal:
      if (const auto number = parse_real(text)) return to_text(*number);
      return std::nullopt;
  }
  return std::nullopt;  // not reached: the switch is complete
}

}  // namespace sorites
