// sorites check: every mistake in model file, rules and data, at once.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <vector>

#include "check_report.h"
#include "commands.h"
#include "common_flags.h"
#include "exit_code.h"
#include "markov_commands.h"
#include "modelfile/markov_kind.h"
#include "output.h"
#include "session/model_loader.h"

namespace sorites {
namespace {

struct CheckFlags : CommonFlags {
  bool print = false;
};

// Loads the chosen phases of the draft.
void load_phases(const ModelDraft& draft,
                 const CheckFlags& flags,
                 const RunContext& context,
                 Diagnostics& diagnostics,
                 CheckReport& report) {
  const auto overrides = option_settings(flags);
  for (const Phase phase : chosen_phases(flags, draft.model, overrides)) {
    ProgressLine progress(fmt::format("loading ({})", name_of(phase)), !flags.quiet && !flags.json);
    LoadOptions options;
    options.threads = flags.threads;
    options.stop = context.stop;
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
      progress.update(done, total);
    };
    report.phases.push_back(
        summarise(phase, load_draft(draft, phase, overrides, options, diagnostics)));
  }
}

int check(const CheckFlags& flags, const RunContext& context) {
  if (is_markov_model(flags.model)) return check_markov(flags, flags.print, context);
  const auto begin = std::chrono::steady_clock::now();
  option_settings(flags);  // a malformed --set is a mistake of the command line: it comes first
  Diagnostics diagnostics;
  const ModelDraft draft = open_model(flags.model, flags.data, diagnostics);
  CheckReport report;
  report.model = draft.model.path.empty() ? flags.model : draft.model.path;
  if (!draft.model.path.empty()) load_phases(draft, flags, context, diagnostics, report);
  report.diagnostics = finish_diagnostics(draft.model, diagnostics);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  print_diagnostics(report.diagnostics, flags);
  const bool wrong = has_errors(report.diagnostics);
  if (flags.json) {
    print_json(to_json(report));
  } else if (wrong) {
    fmt::print(stderr, "{}: {}\n", report.model, count_text(report.diagnostics));
  } else if (flags.print) {
    fmt::print("{}", rules_text(report));
  } else if (!flags.quiet) {
    fmt::print("{}", summary_text(report, use_color(flags.color, stdout)));
  }
  return wrong ? kInputWrong : kDone;
}

constexpr const char* kCheckFooter =
    "Reads the model file, compiles its rules and loads its data, for all phases it has, and "
    "reports\n"
    "every mistake with its place and a hint how to mend it.\n"
    "\n"
    "Examples:\n"
    "  sorites check model.json                        a summary, or all mistakes\n"
    "  sorites check model.json --json | jq .diagnostics\n"
    "  sorites check model.json --phase learn -D runtime.db.intids=true\n"
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
