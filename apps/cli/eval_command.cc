// sorites eval: inferred values against truth.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "exit_code.h"
#include "metrics_report.h"
#include "output.h"
#include "report/evaluate_json.h"
#include "run_reporter.h"

namespace sorites {
namespace {

struct EvalFlags : CommonFlags {
  std::string results;
  std::vector<std::string> evaluators;
};

int run(const EvalFlags& flags, const RunContext& context) {
  RunReporter reporter(flags, context);
  Session session = reporter.open(reporter.options());
  const EvaluateResult evaluated = session.evaluate(flags.results, flags.evaluators);
  reporter.finish();
  if (flags.json) {
    print_json(to_json({flags.model, flags.results}, session, evaluated, reporter.diagnostics()));
  } else if (!flags.quiet) {
    print_shown(metrics_text(
        evaluated.metrics, session.database().predicates(), use_color(flags.color, stdout)));
  }
  return kDone;
}

constexpr const char* kEvalFooter =
    "Compares inferred truth values with the truth that the model's data gives. Which metrics are\n"
    "computed is said by `evaluations` of the predicates in the model file, and by --evaluator.\n"
    "DIR holds one file per predicate, KNOWS.txt for `Knows`, with a line per target: its\n"
    "arguments and its value, separated by tabs, as `infer --output DIR` and PSL write them.\n"
    "docs/evaluation.md says what the metrics mean.\n"
    "\n"
    "Examples:\n"
    "  sorites eval model.json --results out\n"
    "  sorites eval model.json --results out --json | jq .metrics\n"
    "  sorites eval model.json --results out --evaluator AUCEvaluator\n"
    "  sorites eval model.json --results out -D discreteevaluator.threshold=0.3\n"
    "  sorites eval model.json --results psl-out -D eval.psl_compatible=true";

}  // namespace

void add_eval_command(CLI::App& app, RunContext& context) {
  auto flags = std::make_shared<EvalFlags>();
  CLI::App* command = app.add_subcommand("eval", "compare inferred truth values with the truth");
  add_common_flags(*command, *flags);
  command->add_option("--results", flags->results, "the folder of the inferred values")
      ->required()
      ->type_name("DIR");
  std::vector<std::string> names;
  for (const Evaluator evaluator : kEvaluators) names.emplace_back(name_of(evaluator));
  command
      ->add_option(
          "--evaluator",
          flags->evaluators,
          "evaluate all predicates with targets and truth by this one too; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->transform(CLI::IsMember(names, CLI::ignore_case));
  command->footer(kEvalFooter);
  command->callback([flags, &context] {
    context.run = [flags, &context] {
      return run_on_model(*flags, [&] { return run(*flags, context); });
    };
  });
}

}  // namespace sorites
