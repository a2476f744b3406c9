// What was set, by whom and where: the options of a model file, of --set and of flags, laid over
// each other.
#pragma once

#include <cstddef>
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
  // How many layers lie below. Of several names of one option, those of the last layer count.
  std::size_t layer = 0;
};

// Names count in any case.
class Settings {
 public:
  // What is set from here on lies over all that was set before, under whatever name.
  void begin_layer() { ++layer_; }

  // Over what was set before by this name. An empty value unsets it.
  void set(Setting setting);

  // Under all that is set: only if it is not.
  void set_below(Setting setting);

  // Null if it is not set.
  const Setting* find(std::string_view name) const;
  // The first of the names that is set.
  const Setting* find_any(std::initializer_list<std::string_view> names) const;

  const std::map<std::string, Setting>& all() const { return by_name_; }  // by name in lower case

 private:
  std::map<std::string, Setting> by_name_;
  std::size_t layer_ = 0;
};

// Whether the same options have the same values, over and under the same others.
bool says_the_same(const Settings& one, const Settings& other);

// Settings whose places are not known any more.
Settings settings_from(const std::map<std::string, std::string>& options);

}  // namespace sorites
