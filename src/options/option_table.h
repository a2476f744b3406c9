// The one list of all options of model files and of `--set`. Checking, the help and docs/options.md
// are read from it.
//
// The names are those of PSL 3, so that its models run unchanged; names with an underscore are
// Sorites' own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sorites {

enum class OptionKind : std::uint8_t { kBool, kInteger, kReal, kText, kChoice };

// Whether Sorites does something with it.
enum class OptionEffect : std::uint8_t { kEffective, kIgnored };

struct OptionInfo {
  std::string_view name;
  OptionKind kind;
  std::string_view choices;        // of kChoice: separated by spaces
  std::string_view default_value;  // as text; empty if there is none
  OptionEffect effect;
  std::string_view help;
};

// By name, ascending.
std::span<const OptionInfo> option_table();

// Null if there is no such option. Names are case-sensitive.
const OptionInfo* find_option(std::string_view name);

// Why `value` is none that the option can take ("takes true or false"); none if it can.
std::optional<std::string> why_bad(const OptionInfo& option, std::string_view value);

// "true or false", "an integer", "`A`, `B` or `C`" ...: what the option takes.
std::string describe_values(const OptionInfo& option);

}  // namespace sorites
