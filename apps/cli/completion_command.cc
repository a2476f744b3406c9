// sorites completion SHELL: a script for the shell, made from the flags that there are.
#include <fmt/format.h>

#include <memory>

#include "app_pages.h"
#include "commands.h"
#include "exit_code.h"
#include "output.h"

namespace sorites {
namespace {

std::string quoted(std::string text) {
  for (std::size_t i = 0; (i = text.find('\'', i)) != std::string::npos; i += 4) {
    text.replace(i, 1, "'\\''");
  }
  return "'" + text + "'";
}

std::string words(const std::vector<const CLI::Option*>& flags) {
  std::string text;
  for (const CLI::Option* flag : flags) {
    for (const std::string& name : names_of(*flag)) text += (text.empty() ? "" : " ") + name;
  }
  return text;
}

// First line only: descriptions of commands may be longer.
std::string summary(const std::string& description) {
  return description.substr(0, description.find('\n'));
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string names, cases, values;
  for (const CLI::App* command : visible_commands(app)) {
    names += (names.empty() ? "" : " ") + command->get_name();
    cases += fmt::format("    {}) flags='{}' ;;\n", command->get_name(), words(flags_of(*command)));
    for (const CLI::Option* flag : flags_of(*command)) {
      const auto choices = completions_of(*flag);
      if (choices.empty()) continue;
      const std::string line =
          fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")){}; return ;;\n",
                      fmt::join(names_of(*flag), "|"),
                      fmt::join(choices, " "),
                      choices.front().ends_with('=') ? "; compopt -o nospace" : "");
      if (values.find(line) == std::string::npos) values += line;  // commands share flags
    }
  }
  return fmt::format(R"(# bash completion of sorites; put it into ~/.bash_completion or source it
_sorites() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} flags=
  COMPREPLY=()
  case $before in
{}  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{} {}' -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [ "${{COMP_WORDS[1]}}" = completion ]; then
    COMPREPLY=($(compgen -W 'bash zsh fish' -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _sorites sorites
)",
                     values,
                     names,
                     words(flags_of(app)),
                     cases);
}

std::string zsh_completion(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : visible_commands(app)) {
    commands += fmt::format(
        "    {}\n", quoted(command->get_name() + ":" + summary(command->get_description())));
    cases += fmt::format("    {})\n      _arguments -S", command->get_name());
    for (const CLI::Option* flag : flags_of(*command)) {
      const bool takes_value = flag->get_items_expected_max() > 0;
      std::string help = flag->get_description();
      for (const char c : {'[', ']', ':'}) std::replace(help.begin(), help.end(), c, ' ');
      for (const std::string& name : names_of(*flag)) {
        std::string spec = fmt::format("{}[{}]", name, help);
        const auto choices = completions_of(*flag);
        if (takes_value) {
          spec += choices.empty() ? ": :_files" : fmt::format(": :({})", fmt::join(choices, " "));
        }
        cases += " \\\n        " + quoted(spec);
      }
    }
    cases += command->get_name() == "completion" ? " \\\n        '1: :(bash zsh fish)'\n      ;;\n"
                                                 : " \\\n        '*: :_files'\n      ;;\n";
  }
  return fmt::format(R"(#compdef sorites
# zsh completion of sorites; put it as _sorites into a folder of $fpath
_sorites() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_sorites "$@"
)",
                     commands,
                     cases);
}

std::string fish_completion(const CLI::App& app) {
  std::string text =
      "# fish completion of sorites; put it into ~/.config/fish/completions/sorites.fish\n";
  for (const CLI::App* command : visible_commands(app)) {
    const std::string name = command->get_name();
    text += fmt::format("complete -c sorites -f -n __fish_use_subcommand -a {} -d {}\n",
                        name,
                        quoted(summary(command->get_description())));
    const std::string here = fmt::format("'__fish_seen_subcommand_from {}'", name);
    for (const CLI::Option* flag : flags_of(*command)) {
      text += fmt::format("complete -c sorites -n {}", here);
      for (const std::string& short_name : flag->get_snames()) text += " -s " + short_name;
      for (const std::string& long_name : flag->get_lnames()) text += " -l " + long_name;
      const auto choices = completions_of(*flag);
      if (!choices.empty()) text += fmt::format(" -x -a '{}'", fmt::join(choices, " "));
      text += fmt::format(" -d {}\n", quoted(flag->get_description()));
    }
    if (name == "completion") {
      text += fmt::format("complete -c sorites -f -n {} -a 'bash zsh fish'\n", here);
    }
  }
  return text;
}

void add_completion_command(CLI::App& app, RunContext& context) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "print a completion script for a shell");
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->type_name("")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(
      "Example:\n  sorites completion bash > ~/.local/share/bash-completion/completions/sorites");
  command->callback([shell, &app, &context] {
    context.run = [shell, &app] {
      print_text(*shell == "bash"  ? bash_completion(app)
                 : *shell == "zsh" ? zsh_completion(app)
                                   : fish_completion(app));
      return static_cast<int>(kDone);
    };
  });
}

}  // namespace sorites
