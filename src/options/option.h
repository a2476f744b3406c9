// Options are declared once, in a table beside their struct:
//
//   inline constexpr Option<SolveOptions> kSolveOptions[] = {
//       {"inference.gap", "", field<&SolveOptions::gap>, at_least(0), "stop at this relative gap"},
//   };
//
// Reading, checking, flags, completion and docs/options.md come from it; the defaults are those of
// the struct.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "options/option_value.h"
#include "options/settings.h"

namespace sorites {

// How an option changes a struct.
template <class Struct>
struct OptionField {
  OptionKind kind;
  std::string (*read)(std::string_view text, const NumberRange& range, Struct& out);
  std::string (*write)(const Struct& in);
  std::string (*takes)(const NumberRange& range);
  std::vector<std::string_view> (*choices)();
};

// An option that says something only with some values of another one, as numbers of samples do with
// methods that draw them.
struct UsedWith {
  std::string_view option = {};  // empty: with all
  std::string_view values = {};  // separated by blanks
};

template <class Struct>
struct Option {
  std::string_view name;
  // PSL's names of it, and old ones of ours, separated by blanks. In one place the first name that
  // is set counts, ours before all others.
  std::string_view other_names;
  OptionField<Struct> field;
  NumberRange range;  // of numbers
  std::string_view help;
  // The only semantics under which it says anything; empty: as its struct.
  std::string_view semantics = {};
  UsedWith used_with = {};  // without an option: as its struct
};

inline constexpr std::string_view kHingeSemantics = "hinge";
inline constexpr std::string_view kMarkovSemantics = "markov-logic";

// The only semantics under which the options of a struct say anything; empty: all. A table that has
// one specialises it.
template <class Struct>
inline constexpr std::string_view kSemanticsOf = {};

// With what the options of a struct say anything. A table that has something specialises it.
template <class Struct>
inline constexpr UsedWith kUsedWithOf = {};

namespace internal {

template <class Struct, class Member>
Struct struct_of(Member Struct::*);

template <class Struct>
auto& member_at(Struct& in) {
  return in;
}
template <auto kFirst, auto... kRest, class Struct>
auto& member_at(Struct& in) {
  return member_at<kRest...>(in.*kFirst);
}

template <auto kFirst, auto... kRest>
struct Members {
  using Struct = decltype(struct_of(kFirst));
  using Value =
      std::remove_reference_t<decltype(member_at<kFirst, kRest...>(std::declval<Struct&>()))>;
  using Text = OptionValue<Value>;

  static std::string read(std::string_view text, const NumberRange& range, Struct& out) {
    return Text::read(text, range, member_at<kFirst, kRest...>(out));
  }
  static std::string write(const Struct& in) {
    return Text::write(member_at<kFirst, kRest...>(in));
  }
  static std::string read_negated(std::string_view text, const NumberRange& range, Struct& out) {
    bool value = false;
    std::string wrong = Text::read(text, range, value);
    if (wrong.empty()) member_at<kFirst, kRest...>(out) = !value;
    return wrong;
  }
  static std::string write_negated(const Struct& in) {
    return Text::write(!member_at<kFirst, kRest...>(in));
  }
  static std::string takes_path(const NumberRange&) { return "a path"; }
  static std::string takes_arguments(const NumberRange&) {
    return "argument numbers, separated by colons";
  }
  static std::string read_arguments(std::string_view text, const NumberRange& range, Struct& out) {
    return read(text, range, out).empty() ? "" : takes_not(takes_arguments(range), text);
  }
  static std::string takes_sizes(const NumberRange&) { return "a list of positive integers, or 0"; }
  static std::string read_sizes(std::string_view text, const NumberRange& range, Struct& out) {
    if (text == "0") {
      member_at<kFirst, kRest...>(out).clear();
      return {};
    }
    return read(text, count_from(1), out).empty() ? "" : takes_not(takes_sizes(range), text);
  }

  static constexpr OptionField<Struct> kField = {
      Text::kKind, &read, &write, &Text::takes, &Text::choices};
  static constexpr OptionField<Struct> kNegated = {
      Text::kKind, &read_negated, &write_negated, &Text::takes, &Text::choices};
  static constexpr OptionField<Struct> kPath = {
      OptionKind::kPath, &read, &write, &takes_path, &Text::choices};
  static constexpr OptionField<Struct> kArguments = {
      OptionKind::kArguments, &read_arguments, &write, &takes_arguments, &Text::choices};
  static constexpr OptionField<Struct> kSizes = {
      OptionKind::kList, &read_sizes, &write, &takes_sizes, &Text::choices};
};

std::vector<std::string_view> split_names(std::string_view names);

// The setting that counts: that of the last layer, and there by the name, or by the first of the
// others that is set.
const Setting* chosen_setting(std::string_view name,
                              std::string_view other_names,
                              const Settings& settings);

}  // namespace internal

// NOLINTBEGIN(readability-identifier-naming): tables read as if these were functions.

// A member, or a member of a member: field<&LearnOptions::bilevel, &BilevelOptions::proximity>.
template <auto... kMembers>
inline constexpr auto field = internal::Members<kMembers...>::kField;

// A bool that says the contrary of the option.
template <auto... kMembers>
inline constexpr auto negated_field = internal::Members<kMembers...>::kNegated;

// A text that is a path, seen from the folder of the model file.
template <auto... kMembers>
inline constexpr auto path_field = internal::Members<kMembers...>::kPath;

// Numbers of arguments of a predicate, in a std::vector<int>; negative ones count from the end.
template <auto... kMembers>
inline constexpr auto arguments_field = internal::Members<kMembers...>::kArguments;

// Sizes in a std::vector<std::size_t>; 0 stands for none.
template <auto... kMembers>
inline constexpr auto sizes_field = internal::Members<kMembers...>::kSizes;

// NOLINTEND(readability-identifier-naming)

// Takes what is set; what is not stays as it was. Values that an option does not take are reported
// at their place, and left out.
template <class Struct>
void read_options(std::span<const Option<Struct>> table,
                  const Settings& settings,
                  Struct& out,
                  Diagnostics& sink) {
  for (const Option<Struct>& option : table) {
    const Setting* setting = internal::chosen_setting(option.name, option.other_names, settings);
    if (setting == nullptr) continue;
    const std::string wrong = option.field.read(setting->value, option.range, out);
    if (wrong.empty()) continue;
    sink.error(DiagnosticCode::kBadOptionValue,
               setting->value_at,
               fmt::format("`{}`{}", setting->name, wrong));
  }
}

template <class Struct, std::size_t kSize>
void read_options(const Option<Struct> (&table)[kSize],
                  const Settings& settings,
                  Struct& out,
                  Diagnostics& sink) {
  read_options(std::span<const Option<Struct>>(table), settings, out, sink);
}

}  // namespace sorites
