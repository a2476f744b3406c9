// What all pages ask of the command line's description.
#include "app_pages.h"

#include <fmt/format.h>

#include "session/option_catalog.h"

namespace sorites {

std::vector<const CLI::App*> visible_commands(const CLI::App& app) {
  std::vector<const CLI::App*> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) commands.push_back(command);
  }
  return commands;
}

std::vector<const CLI::Option*> flags_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return !option->get_positional(); });
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// CLI11 shows the choices of an option behind the name of its type: WHEN:{auto,always,never}.
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  std::vector<std::string> choices =
      CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
  return choices;
}

std::vector<std::string> completions_of(const CLI::Option& option) {
  if (!option.check_lname("set")) return choices_of(option);
  std::vector<std::string> names;
  for (const OptionInfo& info : option_catalog().options()) {
    names.push_back(fmt::format("{}=", info.name));
  }
  return names;
}

}  // namespace sorites
