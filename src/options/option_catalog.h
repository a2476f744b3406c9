// All options together, whatever struct they belong to: to check names and values, and to write the
// documentation and flags. The folders above add their tables; src/session has the whole.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "options/option.h"

namespace sorites {

struct OptionInfo {
  std::string_view name;
  std::vector<std::string_view> other_names;
  OptionKind kind;
  std::string takes;                      // "a positive number"
  std::vector<std::string_view> choices;  // of kChoice
  std::string default_value;              // as text; empty: none
  std::string_view help;
  std::string_view semantics;  // the only one under which it says anything; empty: all
  UsedWith used_with;
  // Empty, or how a message goes on behind the name: " takes true or false, not `1`".
  std::function<std::string(std::string_view value)> why_bad;
};

template <class Struct>
OptionInfo describe_option(const Option<Struct>& option, const Struct& defaults) {
  const auto why_bad = [field = option.field, range = option.range](std::string_view value) {
    Struct scratch;
    return field.read(value, range, scratch);
  };
  return {option.name,
          internal::split_names(option.other_names),
          option.field.kind,
          option.field.takes(option.range),
          option.field.choices(),
          option.field.write(defaults),
          option.help,
          option.semantics.empty() ? kSemanticsOf<Struct> : option.semantics,
          option.used_with.option.empty() ? kUsedWithOf<Struct> : option.used_with,
          why_bad};
}

// Whether the option says nothing while `other` has this value.
bool is_idle(const OptionInfo& option, std::string_view other, std::string_view value);

// Options of PSL that are accepted and do nothing.
struct IgnoredOptions {
  std::string_view reason;  // why
  std::string_view names;   // separated by blanks; `em.*` stands for all that begin with `em.`
};

class OptionCatalog {
 public:
  // One of several structs may have a field for the same option, as for the seed: it counts once,
  // with the default of the first, under the semantics of all.
  template <class Struct, std::size_t kSize>
  void add(const Option<Struct> (&table)[kSize], const Struct& defaults = Struct()) {
    for (const Option<Struct>& option : table) add(describe_option(option, defaults));
  }
  void add(OptionInfo option);
  void add(std::span<const IgnoredOptions> ignored);

  // By name.
  std::span<const OptionInfo> options() const { return options_; }
  std::span<const IgnoredOptions> ignored() const { return ignored_; }

  // By any of its names, in any case. Null if there is none, or it does nothing.
  const OptionInfo* find(std::string_view name) const;
  bool is_ignored(std::string_view name) const;

  // Reports a name that there is not, or a value that it does not take.
  void check(const Setting& setting, Diagnostics& sink) const;

 private:
  std::vector<OptionInfo> options_;
  std::vector<IgnoredOptions> ignored_;
};

}  // namespace sorites
