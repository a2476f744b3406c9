#include "options/settings.h"

#include <algorithm>
#include <utility>

#include "options/option_value.h"

namespace sorites {

void Settings::set(Setting setting) {
  std::string name = lower_case(setting.name);
  setting.layer = layer_;
  if (setting.value.empty()) {
    by_name_.erase(name);
  } else {
    by_name_.insert_or_assign(std::move(name), std::move(setting));
  }
}

void Settings::set_below(Setting setting) {
  setting.layer = 0;
  by_name_.emplace(lower_case(setting.name), std::move(setting));
}

const Setting* Settings::find(std::string_view name) const {
  const auto found = by_name_.find(lower_case(name));
  return found == by_name_.end() ? nullptr : &found->second;
}

const Setting* Settings::find_any(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    if (const Setting* setting = find(name)) return setting;
  }
  return nullptr;
}

bool says_the_same(const Settings& one, const Settings& other) {
  const auto same = [](const auto& a, const auto& b) {
    return a.first == b.first && a.second.value == b.second.value &&
           a.second.layer == b.second.layer;
  };
  return std::equal(
      one.all().begin(), one.all().end(), other.all().begin(), other.all().end(), same);
}

Settings settings_from(const std::map<std::string, std::string>& options) {
  Settings settings;
  for (const auto& [name, value] : options)
    settings.set({.name = name, .value = value, .at = {}, .value_at = {}});
  return settings;
}

}  // namespace sorites
