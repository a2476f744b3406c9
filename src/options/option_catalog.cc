#include "options/option_catalog.h"

#include <fmt/format.h>

#include <algorithm>

namespace sorites {

bool is_idle(const OptionInfo& option, std::string_view other, std::string_view value) {
  if (option.used_with.option != other) return false;
  const auto values = internal::split_names(option.used_with.values);
  return std::find(values.begin(), values.end(), value) == values.end();
}

void OptionCatalog::add(OptionInfo option) {
  const auto place = std::lower_bound(
      options_.begin(), options_.end(), option.name, [](const OptionInfo& one, auto name) {
        return one.name < name;
      });
  if (place == options_.end() || place->name != option.name) {
    options_.insert(place, std::move(option));
    return;
  }
  if (place->semantics != option.semantics) place->semantics = {};
  for (const std::string_view name : option.other_names) {
    auto& known = place->other_names;
    if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  }
}

void OptionCatalog::add(std::span<const IgnoredOptions> ignored) {
  ignored_.insert(ignored_.end(), ignored.begin(), ignored.end());
}

const OptionInfo* OptionCatalog::find(std::string_view name) const {
  const auto found = std::find_if(options_.begin(), options_.end(), [&](const OptionInfo& option) {
    return same_but_case(option.name, name) ||
           std::any_of(option.other_names.begin(), option.other_names.end(), [&](auto other) {
             return same_but_case(other, name);
           });
  });
  return found == options_.end() ? nullptr : &*found;
}

bool OptionCatalog::is_ignored(std::string_view name) const {
  const auto matches = [&](std::string_view one) {
    if (!one.ends_with('*')) return same_but_case(one, name);
    one.remove_suffix(1);
    return same_but_case(one, name.substr(0, one.size()));
  };
  return std::any_of(ignored_.begin(), ignored_.end(), [&](const IgnoredOptions& group) {
    const auto names = internal::split_names(group.names);
    return std::any_of(names.begin(), names.end(), matches);
  });
}

void OptionCatalog::check(const Setting& setting, Diagnostics& sink) const {
  if (const OptionInfo* option = find(setting.name)) {
    const std::string wrong = option->why_bad(setting.value);
    if (wrong.empty()) return;
    sink.error(DiagnosticCode::kBadOptionValue,
               setting.value_at,
               fmt::format("`{}`{}", setting.name, wrong));
    return;
  }
  if (is_ignored(setting.name)) return;
  std::vector<std::string_view> known;
  for (const OptionInfo& option : options_) {
    known.push_back(option.name);
    known.insert(known.end(), option.other_names.begin(), option.other_names.end());
  }
  for (const IgnoredOptions& group : ignored_) {
    for (const std::string_view name : internal::split_names(group.names)) {
      if (!name.ends_with('*')) known.push_back(name);
    }
  }
  suggest_name(sink.error(DiagnosticCode::kUnknownOption,
                          setting.at,
                          fmt::format("there is no option `{}`", setting.name)),
               setting.name,
               known);
}

}  // namespace sorites
