// Values of options as text: what each type of a field takes, and how it is written.
//
// OptionValue<T> has
//   kKind                          what documentation and flags call it
//   takes(range)                   "a positive number": behind "takes" in messages
//   choices()                      of enumerations: all names
//   read(text, range, value)       empty if it could, or how the message goes on behind the name
//   write(value)                   text that reads back as the same; empty: no value
// A type that is none of those here gets a specialisation beside its struct.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "options/number_range.h"

namespace sorites {

enum class OptionKind : std::uint8_t {
  kBool,
  kInteger,
  kReal,
  kChoice,
  kText,
  kPath,       // seen from the folder of the model file
  kList,       // elements with colons between
  kArguments,  // numbers of a predicate's arguments; whoever knows it knows which there are
};

std::string lower_case(std::string_view text);
bool same_but_case(std::string_view a, std::string_view b);

// " takes a positive number, not `-1`"
std::string takes_not(std::string_view takes, std::string_view text);
// "`a`, `b` or `c`"
std::string any_of_text(const std::vector<std::string_view>& names);
// The number of the name that the text is, in any case; PSL takes full class names too, whose last
// part counts.
std::optional<std::size_t> index_of_name(std::string_view text,
                                         const std::vector<std::string_view>& names);

std::optional<bool> parse_bool(std::string_view text);           // in any case
std::optional<double> parse_real_or_inf(std::string_view text);  // `inf` and `Infinity` too
// Elements of a list.
std::vector<std::string_view> split_list(std::string_view text, std::string_view separators = ":,");

// An integer that is in the range and fits between `least` and `most`.
std::optional<std::int64_t> parse_integer_in(std::string_view text,
                                             const NumberRange& range,
                                             double least,
                                             double most);

template <class T>
struct OptionValue;

// What most types have in common.
struct SimpleValue {
  static std::vector<std::string_view> choices() { return {}; }
};

template <>
struct OptionValue<bool> : SimpleValue {
  static constexpr OptionKind kKind = OptionKind::kBool;
  static std::string takes(const NumberRange&) { return "true or false"; }
  static std::string read(std::string_view text, const NumberRange& range, bool& value);
  static std::string write(bool value) { return value ? "true" : "false"; }
};

template <std::integral T>
struct OptionValue<T> : SimpleValue {
  static constexpr OptionKind kKind = OptionKind::kInteger;
  static std::string takes(const NumberRange& range) { return describe_integers(range); }
  static std::string read(std::string_view text, const NumberRange& range, T& value) {
    using Limits = std::numeric_limits<T>;
    const auto number = parse_integer_in(
        text, range, static_cast<double>(Limits::min()), static_cast<double>(Limits::max()));
    if (!number) return takes_not(takes(range), text);
    value = static_cast<T>(*number);
    return {};
  }
  static std::string write(T value) { return std::to_string(value); }
};

template <>
struct OptionValue<double> : SimpleValue {
  static constexpr OptionKind kKind = OptionKind::kReal;
  static std::string takes(const NumberRange& range) { return describe_reals(range); }
  static std::string read(std::string_view text, const NumberRange& range, double& value);
  static std::string write(double value);
};

template <>
struct OptionValue<std::string> : SimpleValue {
  static constexpr OptionKind kKind = OptionKind::kText;
  static std::string takes(const NumberRange&) { return "any text"; }
  static std::string read(std::string_view text, const NumberRange&, std::string& value) {
    value = text;
    return {};
  }
  static std::string write(const std::string& value) { return value; }
};

// Enumerations count from 0, and name_of() tells the names; that of no value is empty.
template <class T>
requires std::is_enum_v<T>
struct OptionValue<T> {
  static constexpr OptionKind kKind = OptionKind::kChoice;
  static std::vector<std::string_view> choices() {
    std::vector<std::string_view> names;
    while (!name_of(static_cast<T>(names.size())).empty()) {
      names.push_back(name_of(static_cast<T>(names.size())));
    }
    return names;
  }
  static std::string takes(const NumberRange&) { return any_of_text(choices()); }
  static std::string read(std::string_view text, const NumberRange& range, T& value) {
    const auto index = index_of_name(text, choices());
    if (!index) return takes_not(takes(range), text);
    value = static_cast<T>(*index);
    return {};
  }
  static std::string write(T value) { return std::string(name_of(value)); }
};

template <class T>
struct OptionValue<std::optional<T>> {
  static constexpr OptionKind kKind = OptionValue<T>::kKind;
  static std::vector<std::string_view> choices() { return OptionValue<T>::choices(); }
  static std::string takes(const NumberRange& range) { return OptionValue<T>::takes(range); }
  static std::string read(std::string_view text,
                          const NumberRange& range,
                          std::optional<T>& value) {
    T read{};
    std::string wrong = OptionValue<T>::read(text, range, read);
    if (wrong.empty()) value = std::move(read);
    return wrong;
  }
  static std::string write(const std::optional<T>& value) {
    return value ? OptionValue<T>::write(*value) : std::string();
  }
};

// Numbers, each in the range.
template <class T>
requires std::is_arithmetic_v<T>
struct OptionValue<std::vector<T>> : SimpleValue {
  static constexpr OptionKind kKind = OptionKind::kList;
  static std::string takes(const NumberRange& range) {
    return OptionValue<T>::takes(range) + ", or several, separated by colons";
  }
  static std::string read(std::string_view text, const NumberRange& range, std::vector<T>& value) {
    std::vector<T> numbers;
    for (const std::string_view part : split_list(text)) {
      if (!OptionValue<T>::read(part, range, numbers.emplace_back()).empty()) {
        return takes_not(takes(range), text);
      }
    }
    value = std::move(numbers);
    return {};
  }
  static std::string write(const std::vector<T>& value) {
    std::string text;
    for (const T number : value) {
      text += (text.empty() ? "" : ":") + OptionValue<T>::write(number);
    }
    return text;
  }
};

// Texts; commas may be part of one.
template <>
struct OptionValue<std::vector<std::string>> : SimpleValue {
  static constexpr OptionKind kKind = OptionKind::kList;
  static std::string takes(const NumberRange&) { return "a list of texts"; }
  static std::string read(std::string_view text,
                          const NumberRange&,
                          std::vector<std::string>& value);
  static std::string write(const std::vector<std::string>& value);
};

}  // namespace sorites
