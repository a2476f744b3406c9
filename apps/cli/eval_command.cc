// sorites eval: inferred values against truth.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "base/diagnostics.h"
#include "commands.h"
#include "common_flags.h"
#include "exit_code.h"
#include "load_phase.h"
#include "markov_commands.h"
#include "metrics_report.h"
#include "modelfile/markov_kind.h"
#include "output.h"
#include "sorites/results.h"

namespace sorites {
namespace {

struct EvalFlags : CommonFlags {
  std::string results;
  std::vector<std::string> evaluators;
};

struct Evaluated {
  std::vector<EvaluationResult> results;
  std::vector<Diagnostic> warnings;
  double load_seconds = 0.0, evaluate_seconds = 0.0;
};

// What --evaluator adds: for every predicate that has both targets and truth.
void add_evaluations(const std::vector<std::string>& evaluators, LoadedModel& model) {
  for (PredicateId p = 0; p < model.evaluations.size(); ++p) {
    const Relation& relation = model.database.relation(p);
    if (relation.table(Partition::kTarget).num_rows == 0) continue;
    if (relation.table(Partition::kTruth).num_rows == 0) continue;
    for (const std::string& name : evaluators) {
      Evaluation evaluation;
      evaluation.evaluator = name;
      model.evaluations[p].push_back(std::move(evaluation));
    }
  }
}

// The atoms of the predicates that are to be evaluated; values of others are not needed.
std::vector<AtomRange> evaluated_ranges(const LoadedModel& model) {
  std::vector<AtomRange> ranges;
  std::uint32_t next = 0;
  for (PredicateId p = 0; p < model.evaluations.size(); ++p) {
    const auto num_targets =
        static_cast<std::uint32_t>(model.database.relation(p).table(Partition::kTarget).num_rows);
    if (model.evaluations[p].empty() || num_targets == 0) continue;
    ranges.push_back({p, next, num_targets});
    next += num_targets;
  }
  return ranges;
}

void require_evaluations(const LoadedModel& model, const std::string& path) {
  const bool some = std::any_of(model.evaluations.begin(),
                                model.evaluations.end(),
                                [](const auto& evaluations) { return !evaluations.empty(); });
  if (some) return;
  Diagnostics sink;
  sink.error(DiagnosticCode::kNoEvaluations, Span{path}, "the model has nothing to evaluate")
      .notes.push_back({"give a predicate with targets and truth "
                        "\"evaluations\": [\"DiscreteEvaluator\"], or use --evaluator",
                        {}});
  throw InputError(sink.take_sorted());
}

Evaluated run_eval(const EvalFlags& flags, LoadedModel& model) {
  Evaluated evaluated;
  add_evaluations(flags.evaluators, model);
  require_evaluations(model, flags.model);
  const std::vector<AtomRange> ranges = evaluated_ranges(model);
  const auto values = read_results(flags.results, model.database, ranges, &evaluated.warnings);
  evaluated.results = evaluate_model(model, ranges, values, &evaluated.warnings);
  return evaluated;
}

Json to_json(const EvalFlags& flags, const LoadedModel& model, const Evaluated& evaluated) {
  const auto& predicates = model.database.predicates();
  std::vector<Diagnostic> diagnostics = model.warnings;
  diagnostics.insert(diagnostics.end(), evaluated.warnings.begin(), evaluated.warnings.end());
  return {
      {"command", "eval"},
      {"ok", true},
      {"model", flags.model},
      {"results", flags.results},
      {"metrics", metrics_to_json(evaluated.results, predicates)},
      {"atoms", evaluated_atoms_to_json(evaluated.results, predicates)},
      {"primary", primary_metric_to_json(evaluated.results, predicates)},
      {"diagnostics", to_json(diagnostics)},
      {"seconds", {{"load", evaluated.load_seconds}, {"evaluate", evaluated.evaluate_seconds}}}};
}

int run(const EvalFlags& flags, const RunContext& context) {
  if (is_markov_model(flags.model)) {
    return eval_markov(flags, flags.results, flags.evaluators, context);
  }
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  LoadedModel model = load_phase(flags, context);
  const auto loaded = Clock::now();
  Evaluated evaluated = run_eval(flags, model);
  evaluated.load_seconds = std::chrono::duration<double>(loaded - start).count();
  evaluated.evaluate_seconds = std::chrono::duration<double>(Clock::now() - loaded).count();
  print_diagnostics(evaluated.warnings, flags);
  if (flags.json) {
    print_json(to_json(flags, model, evaluated));
  } else if (!flags.quiet) {
    fmt::print("{}",
               metrics_text(
                   evaluated.results, model.database.predicates(), use_color(flags.color, stdout)));
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
      ->check(CLI::IsMember(names));
  command->footer(kEvalFooter);
  command->callback([flags, &context] {
    context.run = [flags, &context] {
      return run_on_model(*flags, [&] { return run(*flags, context); });
    };
  });
}

}  // namespace sorites
