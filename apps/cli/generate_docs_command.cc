// sorites generate-docs DIR: the pages of docs/ that are made from tables of the program. Hidden:
// it is for `make docs`.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "app_pages.h"
#include "base/diagnostic_code.h"
#include "base/whole_file.h"
#include "commands.h"
#include "exit_code.h"
#include "modelfile/network_options.h"
#include "session/option_catalog.h"

namespace sorites {
namespace {

// A bar would end the cell of a table.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) {
      result += std::string("\\&") + c;
    } else {
      result += c;
    }
  }
  return result;
}

std::string man_flags(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* flag : flags_of(command)) {
    const std::string type = flag->get_type_name();
    const std::string value = type.substr(0, type.find(':'));
    text += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n",
                        roff(fmt::format("{}", fmt::join(names_of(*flag), ", "))),
                        value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(value)),
                        roff(flag->get_description()));
    const auto choices = choices_of(*flag);
    if (!choices.empty()) text += roff(fmt::format("; one of {}\n", fmt::join(choices, ", ")));
  }
  return text;
}

std::string man_command(const CLI::App& command) {
  std::string text = fmt::format(".SS sorites {}", roff(command.get_name()));
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) text += " " + roff(option->get_name(true));
  }
  text += fmt::format("\n{}.\n{}.PP\n.nf\n{}\n.fi\n",
                      roff(command.get_description()),
                      man_flags(command),
                      roff(command.get_footer()));
  return text;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string text = fmt::format(
      ".\\\" Written by `sorites generate-docs`.\n.TH SORITES 1 \"\" \"sorites {}\"\n.SH "
      "NAME\nsorites "
      "\\- reason with weighted rules over relational data and networks\n.SH SYNOPSIS\n.B sorites\n"
      "\\fICOMMAND\\fR [\\fIFLAGS\\fR] [\\fIMODEL\\fR]\n.SH DESCRIPTION\n{}\n{}.SH COMMANDS\n",
      SORITES_VERSION,
      roff(app.get_description()),
      man_flags(app));
  for (const CLI::App* command : visible_commands(app)) text += man_command(*command);
  return text + ".SH EXIT STATUS\n" + roff(kExitCodeHelp) + "\n";
}

namespace {

// The other names stand with ours: who looks for one finds the row.
std::string option_row(const OptionInfo& option) {
  std::string names = fmt::format("`{}`", option.name);
  for (const std::string_view name : option.other_names) names += fmt::format("<br>`{}`", name);
  const std::string alone =
      option.semantics.empty() ? "" : fmt::format("; under `{}` alone", option.semantics);
  const auto values = internal::split_names(option.used_with.values);
  const std::string with =
      values.empty() ? "" : fmt::format("; only with `{}`", fmt::join(values, "`, `"));
  return fmt::format("| {} | {} | {} | {} |\n",
                     names,
                     cell(option.takes),
                     option.default_value.empty() ? "" : fmt::format("`{}`", option.default_value),
                     cell(option.help) + alone + with);
}

constexpr std::string_view kOptionHeader =
    "| option | takes | default | meaning |\n| --- | --- | --- | --- |\n";

}  // namespace

std::string options_page() {
  std::string text = fmt::format(
      "# Options\n\n"
      "Options are set under `options` of a [model file](model-file.md), or by `--set name=value`. "
      "Names, switches and\nchoices count in any case. Below an option stand its other names, "
      "mostly those of PSL 3; where several are\nset, the stronger place counts "
      "([which option wins](model-file.md#which-option-wins)), and in one object of a file the "
      "first name. An\noption of PSL that says several of ours at once, such as "
      "`runtime.learn.method`, counts below those beside it wherever it stands in a file; of the "
      "command line it wins over those of the file. What is for one semantics "
      "alone is refused\nunder another where it is asked for on the command line; a model file may "
      "have it. So is what is for other methods of inference; of what is for other algorithms of "
      "learning there is a warning.\nThis page is written by `make docs` from the tables beside "
      "the structs\nof options "
      "(`*option_table.h`, `*settings.h`), and the defaults are those of the structs.\n\n"
      "## Options with effect\n\n{}",
      kOptionHeader);
  for (const OptionInfo& option : option_catalog().options()) text += option_row(option);
  text +=
      "\n## Options without effect\n\nThey are accepted, so that models of PSL run unchanged; one "
      "warning lists those that a model sets.\n\n| options | why they do nothing |\n| --- | --- "
      "|\n";
  for (const IgnoredOptions& group : option_catalog().ignored()) {
    text += fmt::format("| `{}` | {} |\n",
                        fmt::join(internal::split_names(group.names), "` `"),
                        cell(group.reason));
  }
  return text;
}

std::string network_options_page() {
  std::string text =
      "# Options of networks\n\n"
      "They stand under `options` of a predicate whose `type` is `DeepPredicate` "
      "([guide](networks.md)). With\n`learning::`, `validation::` or `inference::` before its name "
      "an option holds in that phase only. Lists are\nwritten as `[32, 64]` or `\"32:64\"`; paths "
      "are relative to the folder of the model file. This page is written\nby `make docs` from the "
      "tables in `src/modelfile/network_option_tables.h`.\n";
  for (const NetworkOptionTopic& topic : network_option_topics()) {
    text += fmt::format("\n## {}\n\n{}", topic.title, kOptionHeader);
    for (const Option<DeepOptions>& option : topic.table) {
      text += option_row(describe_option(option, DeepOptions{}));
    }
  }
  return text;
}

std::string diagnostics_page() {
  std::string text =
      "# Diagnostics\n\n"
      "Everything that Sorites can say about its input. The code stands in brackets behind each "
      "message and\nkeeps its meaning from version to version. All are errors, unless they say "
      "(warning). This page is\nwritten by `make docs` from the table in "
      "`src/base/diagnostic_code.h`.\n\n| code | meaning |\n| --- | --- |\n";
  for (const DiagnosticInfo& info : kDiagnosticInfos) {
    text += fmt::format("| `{}` | {} |\n", info.name, cell(info.meaning));
  }
  return text;
}

void add_generate_docs_command(CLI::App& app, RunContext& context) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("generate-docs", "write the generated pages of docs/");
  command->group("");
  command->add_option("DIR", *folder, "the folder to write to")->required()->type_name("");
  command->callback([folder, &app, &context] {
    context.run = [folder, &app] {
      write_whole_file(*folder + "/options.md", options_page());
      write_whole_file(*folder + "/network-options.md", network_options_page());
      write_whole_file(*folder + "/diagnostics.md", diagnostics_page());
      write_whole_file(*folder + "/sorites.1", man_page(app));
      return static_cast<int>(kDone);
    };
  });
}

}  // namespace sorites
