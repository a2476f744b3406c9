#include "options/option.h"

#include <algorithm>

namespace sorites::internal {

std::vector<std::string_view> split_names(std::string_view names) {
  std::vector<std::string_view> result;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    if (end > 0) result.push_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return result;
}

const Setting* chosen_setting(std::string_view name,
                              std::string_view other_names,
                              const Settings& settings) {
  if (const Setting* setting = settings.find(name)) return setting;
  for (const std::string_view other : split_names(other_names)) {
    if (const Setting* setting = settings.find(other)) return setting;
  }
  return nullptr;
}

}  // namespace sorites::internal
