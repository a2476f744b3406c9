// sorites learn: the weights of rules, and networks, from data whose truth is known.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "exit_code.h"
#include "learn_flags.h"
#include "learn_report.h"
#include "output.h"
#include "report/learn_json.h"
#include "run_reporter.h"

namespace sorites {
namespace {

int exit_code_of(const LearnReport& report) {
  return report.stop && *report.stop != LearnStop::kInterrupted ? kDone : kRunFailed;
}

// The learned rules are the output, unless they are in a file.
void present(const LearnReport& report,
             const LearnFlags& flags,
             const std::vector<Diagnostic>& diagnostics) {
  if (flags.json) return print_json(to_json(flags.model, report, diagnostics));
  const bool print_rules = report.output.empty();
  if (print_rules) {
    print_text(report.text);
    if (is_terminal(stdout)) print_text("\n");
    flush_output();  // before the summary, on the other stream
  }
  std::FILE* stream = print_rules ? stderr : stdout;
  if (!flags.quiet) {
    const std::string summary = summary_text(report, flags, use_color(flags.color, stream));
    print_rules ? say_shown(summary) : print_shown(summary);
  }
  if (!report.stop) {
    say(fmt::format("sorites: learning failed: {}\n{}\n",
                    report.error,
                    report.history.empty()
                        ? "`sorites infer`, of a model file with --phase learn, shows what is "
                          "wrong with the first "
                          "inference."
                        : "Weights and networks are the best ones before that."));
  }
}

int run(const LearnFlags& flags, const RunContext& context) {
  RunReporter reporter(flags, context);
  Session session = reporter.open(reporter.options());
  const LearnReport report = session.learn(flags.files, !flags.no_eval);
  reporter.finish();
  present(report, flags, reporter.diagnostics());
  return exit_code_of(report);
}

constexpr const char* kLearnFooter =
    "Learns the weights of the rules from the `learn` data of the model, whose truth is known: "
    "those\n"
    "with which inference comes closest to it. A loss says how close weights come, an algorithm "
    "how\n"
    "they are changed. The weights of the epoch with the best metric are kept, by the "
    "`validation`\n"
    "data if there are some. Then it infers the `infer` data, with the weights as they were and "
    "as\n"
    "learned, and shows the metrics of both. Networks of deep predicates learn with the weights, "
    "or\n"
    "alone with --set learn.weights=false; docs/networks.md is their guide.\n"
    "\n"
    "With --output, writes a model file with the learned weights that `sorites infer` takes as it "
    "is,\n"
    "and the parameters of networks beside it (learned.Digit.pt);\n"
    "without it, prints the learned rules, and the summary to standard error. Ctrl-C stops "
    "learning\n"
    "and keeps the best weights so far. On a simplex only the ratios of weights are learned: they "
    "are\n"
    "written with the sum they had before.\n"
    "\n"
    "Of a model of Markov logic it learns weights of formulas from the facts, and an encoder of\n"
    "entities if meanfield.dimension says so; --output writes a folder (docs/markov-logic.md).\n"
    "\n"
    "Examples:\n"
    "  sorites learn model.json                             look at the learned rules\n"
    "  sorites learn model.json --output learned.json       keep them, and use them:\n"
    "  sorites infer learned.json\n"
    "  sorites learn model.json --loss squared_error --step-size 0.01 --epochs 100\n"
    "  sorites learn model.json --algorithm random-search --log log.csv --plot curves.svg\n"
    "  sorites learn model.json --save-state learn.state    and later, for more epochs:\n"
    "  sorites learn model.json --resume learn.state --epochs 1000\n"
    "  sorites learn smokers.mln --data smokers.db --output learned -D meanfield.hidden=0.5\n"
    "\n"
    "docs/learning.md says which loss and algorithm to use when. Exit code 1 says that learning\n"
    "failed or was stopped by Ctrl-C; the best weights so far are written all the same.";

}  // namespace

void add_learn_command(CLI::App& app, RunContext& context) {
  auto flags = std::make_shared<LearnFlags>();
  CLI::App* command =
      app.add_subcommand("learn", "learn the weights of the rules from data with known truth");
  add_common_flags(*command, *flags);
  command->remove_option(command->get_option("--phase"));  // there is one
  add_learn_flags(*command, *flags);
  command->footer(kLearnFooter);
  command->callback([flags, &context] {
    context.run = [flags, &context] {
      return run_on_model(*flags, [&] { return run(*flags, context); });
    };
  });
}

}  // namespace sorites
