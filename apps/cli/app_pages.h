// Pages made from the command line's own description.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace sorites {

std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

std::string man_page(const CLI::App& app);
std::string options_page();          // docs/options.md
std::string network_options_page();  // docs/network-options.md
std::string diagnostics_page();      // docs/diagnostics.md

// The subcommands that are shown.
std::vector<const CLI::App*> visible_commands(const CLI::App& app);
// The flags of a command (not its positional arguments), help included.
std::vector<const CLI::Option*> flags_of(const CLI::App& command);
// "-D --set"
std::vector<std::string> names_of(const CLI::Option& option);
// The values that an option can take, if it is a choice.
std::vector<std::string> choices_of(const CLI::Option& option);
// What a shell offers for it: its choices, or for --set the options that there are, up to the `=`.
std::vector<std::string> completions_of(const CLI::Option& option);

}  // namespace sorites
