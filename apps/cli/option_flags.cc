#include "option_flags.h"

#include <fmt/format.h>

namespace sorites {
namespace {

// The page of options says which flag is the same; the flag need not.
std::string_view without_flag(std::string_view help) {
  const std::size_t end = help.rfind("; --");
  return help.ends_with(" is the same") ? help.substr(0, end) : help;
}

// CLI11 does not break lines.
std::string in_lines(std::string text) {
  constexpr std::size_t kWidth = 90;  // with the 28 columns of flags (app.cc) not quite 120
  for (std::size_t begin = 0; text.size() - begin > kWidth; ++begin) {
    const std::size_t blank = text.rfind(' ', begin + kWidth);
    if (blank == std::string::npos || blank <= begin) break;
    text[blank] = '\n';
    begin = blank;
  }
  return text;
}

std::string help_of(const OptionInfo& option) {
  std::string help(without_flag(option.help));
  // Some say in words what the default depends on; without a limit there is nothing to say.
  const bool told = help.find("default: ") != std::string::npos;
  if (!told && !option.default_value.empty() && option.default_value != "inf") {
    help += "; default " + option.default_value;
  }
  return in_lines(help);
}

// CLI11 shows what stands in braces behind the type, and completion reads it there.
std::string choices_text(const OptionInfo& option) {
  return option.choices.empty() ? std::string()
                                : fmt::format("{{{}}}", fmt::join(option.choices, ","));
}

}  // namespace

void add_option_flags(CLI::App& command,
                      const OptionCatalog& catalog,
                      std::span<const OptionFlag> flags,
                      OptionFlagValues& values) {
  for (const OptionFlag& flag : flags) {
    const OptionInfo& option = *catalog.find(flag.option);
    const auto why_bad = [&option](const std::string& text) {
      std::string wrong = option.why_bad(text);
      return wrong.erase(0, wrong.find_first_not_of(": "));  // behind the flag, not the option
    };
    command.add_option(flag.flag, values[flag.option], help_of(option))
        ->type_name(flag.type)
        ->check(CLI::Validator(why_bad, choices_text(option)));
  }
}

std::vector<OptionSetting> settings_of_flags(const OptionFlagValues& values) {
  std::vector<OptionSetting> settings;
  for (const auto& [name, value] : values) {
    if (!value.empty()) settings.push_back({name, value, {}});
  }
  return settings;
}

}  // namespace sorites
