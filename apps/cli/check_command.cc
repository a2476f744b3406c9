// sorites check: every mistake in model file, rules and data, at once.
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "base/shown_text.h"
#include "check_report.h"
#include "commands.h"
#include "exit_code.h"
#include "output.h"
#include "report/check_json.h"
#include "run_reporter.h"

namespace sorites {
namespace {

struct CheckFlags : CommonFlags {
  bool print = false;
};

int check(const CheckFlags& flags, const RunContext& context) {
  RunReporter reporter(flags, context);
  std::vector<Phase> phases;
  for (const Phase phase : kPhases) {
    if (flags.phase == name_of(phase)) phases.push_back(phase);
  }
  const CheckResult result =
      flags.model == "-"
          ? Session::check_text(reporter.standard_input(), reporter.options(), phases)
          : Session::check(flags.model, reporter.options(), phases);
  reporter.finish();
  print_diagnostics(result.diagnostics, flags);
  if (flags.json) {
    print_json(to_json(result));
  } else if (!result.ok()) {
    say(fmt::format("{}: {}\n", shown_text(result.model), count_text(result.diagnostics)));
  } else if (flags.print) {
    print_text(rules_text(result));
  } else if (!flags.quiet) {
    print_shown(summary_text(result, use_color(flags.color, stdout)));
  }
  return result.ok() ? kDone : kInputWrong;
}

constexpr const char* kCheckFooter =
    "Reads the model file, compiles its rules and loads its data, for all phases it has, and "
    "reports\n"
    "every mistake with its place and a hint how to mend it: those at which other commands would "
    "stop\n"
    "before they solve or learn. What solving finds out is not among them, such as hard rules "
    "that\n"
    "contradict each other. What takes longer than a second or so is left out, with a warning.\n"
    "\n"
    "Examples:\n"
    "  sorites check model.json                        a summary, or all mistakes\n"
    "  sorites check model.json --json | jq .diagnostics\n"
    "  sorites check model.json --phase learn -D runtime.db.intids=true\n"
    "  generate_model | sorites check -                a model file from standard input\n"
    "  sorites check rules.psl --data rules.data --print";

}  // namespace

void add_check_command(CLI::App& app, RunContext& context) {
  auto flags = std::make_shared<CheckFlags>();
  CLI::App* command =
      app.add_subcommand("check", "find every mistake in a model file, its rules and its data");
  add_common_flags(*command, *flags);
  command->add_flag("--print", flags->print, "print the rules as text, one per line, nothing else");
  command->footer(kCheckFooter);
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return check(*flags, context); }; });
}

}  // namespace sorites
