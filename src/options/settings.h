// What was set, by whom and where: the options of a model file, of --set and of flags, laid over
// each other.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "sorites/diagnostic.h"

namespace sorites {

struct Setting {
  std::string name;  // as written
  std::string value;
  Span at;        // empty for settings of the command line
  Span value_at;  // of the value
};

// Names count in any case.
class Settings {
 public:
  // Over what was set before. An empty value unsets it.
  void set(Setting setting);

  // Null if it is not set.
  const Setting* find(std::string_view name) const;
  // The first of the names that is set.
  const Setting* find_any(std::initializer_list<std::string_view> names) const;

  const std::map<std::string, Setting>& all() const { return by_name_; }  // by name in lower case

 private:
  std::map<std::string, Setting> by_name_;
};

// Settings whose places are not known any more.
Settings settings_from(const std::map<std::string, std::string>& options);

}  // namespace sorites
