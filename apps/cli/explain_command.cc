// sorites explain: why an atom has its value, how well a rule holds.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "exit_code.h"
#include "explain_report.h"
#include "inference_flags.h"
#include "output.h"
#include "report/explain_json.h"
#include "run_reporter.h"

namespace sorites {
namespace {

struct ExplainFlags : CommonFlags {
  InferFiles files;
  std::vector<std::string> atoms, rules;
  std::size_t limit = 10;
};

bool is_finished(SolveStatus status) { return status <= SolveStatus::kSkipped; }

int run(const ExplainFlags& flags, const RunContext& context) {
  if (flags.atoms.empty() && flags.rules.empty()) {
    throw CLI::ValidationError("explain", "takes at least one --atom or --rule");
  }
  RunReporter reporter(flags, context);
  Session session = reporter.open(reporter.options());
  const ExplainResult result = session.explain(flags.atoms, flags.rules, flags.limit, flags.files);
  reporter.finish();
  if (!is_finished(result.status)) {
    say(fmt::format("sorites: the values are not what was asked for ({}); see `sorites infer`\n",
                    name_of(result.status)));
  }
  if (flags.json) {
    print_json(to_json(flags.model, result, reporter.diagnostics()));
  } else {
    print_shown(explanation_text(result, use_color(flags.color, stdout)));
  }
  if (is_finished(result.status)) return kDone;
  return result.status == SolveStatus::kInfeasible ? kInfeasible : kRunFailed;
}

constexpr const char* kExplainFooter =
    "Solves the model (from --warm-start, at once if that is its solution) and explains.\n"
    "\n"
    "An atom: the ground rules that pull it up and down, strongest first. The force is what the\n"
    "objective would gain per unit of change if the ground rule were not there; up and down are "
    "in\n"
    "balance, unless the atom is 0 or 1. Below each ground rule stand the facts it rests on.\n"
    "A rule: how many of its ground rules hold, and those that hold least.\n"
    "\n"
    "An atom of Markov logic: its log-odds as the sum of what every formula adds, hardest push\n"
    "first, with the groundings that push hardest. Behind each condition of a grounding stands "
    "its\n"
    "probability. A formula: how many of its groundings are expected to be violated, and those "
    "that\n"
    "cost most, which is their weight times the probability that they are violated.\n"
    "\n"
    "Examples:\n"
    "  sorites explain model.json --atom \"Knows('ann', 'bob')\"\n"
    "  sorites explain model.json --rule 3 --rule model.json:18\n"
    "  sorites infer model.json --save-state model.state\n"
    "  sorites explain model.json --warm-start model.state --atom \"Knows(ann, bob)\" --json\n"
    "  sorites explain smokers.mln --data smokers.db \"cancer(Ann)\" --rule 1";

}  // namespace

void add_explain_command(CLI::App& app, RunContext& context) {
  auto flags = std::make_shared<ExplainFlags>();
  CLI::App* command = app.add_subcommand("explain", "say why an atom has its value");
  add_common_flags(*command, *flags);
  command
      ->add_option("--atom,ATOM", flags->atoms, "explain the value of this target; may be repeated")
      ->type_name("ATOM")
      ->allow_extra_args(false);
  command
      ->add_option("--rule",
                   flags->rules,
                   "how well this rule holds: its number from 1, or its place as in "
                   "model.json:18; may be repeated")
      ->type_name("RULE")
      ->allow_extra_args(false);
  command->add_option("--limit", flags->limit, "most ground rules to show in a list; default 10")
      ->type_name("N")
      ->check(whole_number());
  add_inference_flags(*command, flags->options, flags->files);
  command->footer(kExplainFooter);
  command->callback([flags, &context] {
    context.run = [flags, &context] {
      return run_on_model(*flags, [&] { return run(*flags, context); });
    };
  });
}

}  // namespace sorites
