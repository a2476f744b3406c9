// The command line as a whole: what `sorites --help` says.
#include "commands.h"
#include "exit_code.h"

namespace sorites {
namespace {

constexpr const char* kDescription =
    "Sorites reasons with weighted rules over relational data and networks.\n"
    "A model file names the predicates, their data and the rules; the commands work on it.";

constexpr const char* kFooter =
    "Examples:\n"
    "  sorites check model.json              find every mistake in rules, options and data\n"
    "  sorites check old.psl --data old.data the same for a rule file of PSL 2\n"
    "  sorites infer model.json              the truth values that fit the rules best\n"
    "  sorites learn model.json              the weights of the rules that fit known truth best\n"
    "  sorites run model.json                both, as PSL does, with the flags of PSL\n"
    "\n"
    "`sorites COMMAND --help` explains a command. Read on: docs/language.md for the rules,\n"
    "docs/model-file.md for model files, docs/options.md for --set.";

}  // namespace

std::unique_ptr<CLI::App> make_app(RunContext& context) {
  auto app = std::make_unique<CLI::App>(kDescription, "sorites");
  app->footer(kFooter);
  app->set_version_flag("--version", "sorites " SORITES_VERSION, "print the version and exit");
  app->set_help_flag("-h,--help", "print this help and exit");
  app->get_formatter()->column_width(28);
  add_check_command(*app, context);
  add_estimate_command(*app, context);
  add_ground_command(*app, context);
  add_infer_command(*app, context);
  add_learn_command(*app, context);
  add_run_command(*app, context);
  add_explain_command(*app, context);
  add_eval_command(*app, context);
  add_completion_command(*app, context);
  add_generate_docs_command(*app, context);
  for (CLI::App* command : app->get_subcommands({})) {
    command->footer(command->get_footer() + (command->get_footer().empty() ? "" : "\n\n") +
                    kExitCodeHelp);
    command->allow_extras();  // main.cc names the nearest flag
  }
  app->allow_extras();
  return app;
}

}  // namespace sorites
