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
  const Setting* chosen = settings.find(name);
  for (const std::string_view other : split_names(other_names)) {
    const Setting* setting = settings.find(other);
    if (setting == nullptr) continue;
    if (chosen == nullptr || setting->layer > chosen->layer) chosen = setting;
  }
  return chosen;
}

}  // namespace sorites::internal
