// sorites infer: from files to the inferred truth values, with a certificate.
#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <memory>

#include "atom_output.h"
#include "base/diagnostics.h"
#include "commands.h"
#include "common_flags.h"
#include "exit_code.h"
#include "ground_phase.h"
#include "infer_report.h"
#include "load_phase.h"
#include "markov_commands.h"
#include "modelfile/markov_kind.h"
#include "sorites/results.h"
#include "sorites/solve_state.h"

namespace sorites {
namespace {

struct InferFlags : CommonFlags {
  GroundFlags ground;
  SolveFlags solve;
  std::string output, save_state;
  bool all = false;
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The hard ground rules that contradict each other, with the places of their rules.
Diagnostic contradiction(const InferReport& report) {
  const Solution& solution = report.solved.solution;
  Diagnostics sink;
  const auto rule_of = [&](const TermId& id) -> const GroundRule& {
    return report.model.rules[report.model.blocks[id.block].rule];
  };
  Diagnostic& added = sink.error(
      DiagnosticCode::kContradiction,
      solution.conflict.empty() ? Span{report.path} : rule_of(solution.conflict.front()).source,
      solution.conflict.empty()
          ? "no values of the targets keep all hard rules"
          : fmt::format(
                "no values of the targets keep th{} {}hard ground rule{}",
                solution.conflict.size() == 1 ? "is" : "ese",
                solution.conflict.size() == 1 ? "" : std::to_string(solution.conflict.size()) + " ",
                solution.conflict.size() == 1 ? "" : "s"));
  for (std::size_t i = 0; i < solution.conflict.size(); ++i) {
    added.notes.push_back({report.conflict[i].text, rule_of(solution.conflict[i]).source});
  }
  if (!solution.conflict_is_irreducible && !solution.conflict.empty()) {
    added.notes.push_back({"fewer of them may contradict each other already", {}});
  }
  added.notes.push_back(
      {"correct the data, or give one of the rules a weight instead of the "
       "period; `--set inference.relax=true` gives it to all of them",
       {}});
  return sink.take_sorted().front();
}

bool has_usable_result(const InferReport& report) {
  const SolveStatus status = report.solved.solution.status;
  return status != SolveStatus::kInfeasible && status != SolveStatus::kNumericalError;
}

// On a terminal the first of every predicate; otherwise all.
void print_result(const InferReport& report, const TargetValues& result) {
  constexpr std::size_t kFewOnTerminal = 20;
  const bool terminal = is_terminal(stdout);
  print_atoms(report.loaded.database,
              result.ranges,
              result.values,
              terminal ? kFewOnTerminal : std::numeric_limits<std::size_t>::max(),
              stdout);
  if (terminal) fmt::print("\n");
  std::fflush(stdout);  // before the summary, on the other stream
}

int exit_code_of(const InferReport& report) {
  if (report.solved.skipped || report.is_optimal()) return kDone;
  return report.solved.solution.status == SolveStatus::kInfeasible ? kInfeasible : kRunFailed;
}

// The atoms are the output; where they are printed, the summary goes beside it.
void present(const InferReport& report,
             const InferFlags& flags,
             const TargetValues& result,
             bool print_values) {
  if (flags.json) return print_json(to_json(report));
  if (print_values) print_result(report, result);
  std::FILE* stream = print_values ? stderr : stdout;
  if (!flags.quiet) {
    fmt::print(stream, "{}", summary_text(report, use_color(flags.color, stream)));
  } else if (exit_code_of(report) == kRunFailed) {
    fmt::print(stderr, "sorites: {}\n", warning_text(report));
  }
}

void evaluate_result(const TargetValues& result, InferReport& report) {
  std::vector<Diagnostic> warnings;
  report.metrics = evaluate_model(report.loaded, result.ranges, result.values, &warnings);
  report.diagnostics.insert(report.diagnostics.end(), warnings.begin(), warnings.end());
}

int run_markov(const InferFlags& flags, const RunContext& context) {
  refuse_flags(flags,
               {{"--solver", !flags.solve.solver.empty()},
                {"--gap", flags.solve.gap.has_value()},
                {"--violation", flags.solve.violation.has_value()},
                {"--warm-start", !flags.solve.warm_start.empty()},
                {"--save-state", !flags.save_state.empty()},
                {"--on-missing-target", flags.ground.on_missing_target_given},
                {"--from-snapshot", !flags.ground.from_snapshot.empty()}});
  return infer_markov(flags,
                      {flags.output, flags.all, flags.solve.max_iterations, flags.solve.time_limit},
                      context);
}

int run(const InferFlags& flags, const RunContext& context) {
  if (is_markov_model(flags.model)) return run_markov(flags, context);
  const auto start = Clock::now();
  option_settings(flags);  // a malformed --set is a mistake of the command line: it comes first
  const ModelFile file = read_model(flags.model, flags.data);
  const LoadedModel loaded = load_phase(flags, context, file);
  const InferenceSettings settings = settings_of(flags, flags.solve, loaded);
  const double load_seconds = seconds_since(start);
  Grounded grounded = ground_phase(flags, flags.ground, loaded, context);
  InferReport report{flags.model,
                     loaded,
                     grounded.model,
                     network_phase(flags, settings, file, loaded, grounded.model)};
  report.solved = solve_phase(
      flags, flags.solve, settings, file, loaded, context, report.outputs.values, grounded.model);
  report.seconds = {load_seconds, grounded.seconds, report.outputs.seconds, report.solved.seconds};
  report.diagnostics = loaded.warnings;
  const auto& told = report.outputs.warnings;
  report.diagnostics.insert(report.diagnostics.end(), told.begin(), told.end());
  const std::size_t num_told = report.diagnostics.size();
  const auto evaluate_start = Clock::now();
  report.rules = rule_statistics(
      report.model, report.solved.parameters, report.solved.solution.truth, settings.solve.threads);
  const bool usable = has_usable_result(report);
  const TargetValues result =
      with_outputs(report.model, report.solved.solution.truth, report.outputs.values);
  if (usable) evaluate_result(result, report);
  report.seconds.evaluate = seconds_since(evaluate_start);
  const std::string folder = flags.output.empty() ? settings.results_directory : flags.output;
  if (usable && settings.write_results && !folder.empty()) {
    write_results(folder, loaded.database, result.ranges, result.values);
    report.results_directory = folder;
  }
  if (report.solved.solution.status == SolveStatus::kInfeasible) {
    report.conflict = ground_rule_texts(loaded.program,
                                        loaded.database,
                                        report.model,
                                        report.solved.solution.conflict,
                                        ground_options(flags, flags.ground, loaded, context));
    report.diagnostics.push_back(contradiction(report));
  }
  report.seconds.total = seconds_since(start);
  print_diagnostics(std::span(report.diagnostics).subspan(num_told), flags);
  present(report, flags, result, usable && settings.write_results && folder.empty());
  if (usable && !flags.save_state.empty()) {  // last: if it fails, the result is there all the same
    save_state(report.solved.solution, report.model, flags.save_state);
  }
  return exit_code_of(report);
}

constexpr const char* kInferFooter =
    "Grounds the rules and finds the values of the targets that violate them least, by weight; "
    "hard\n"
    "rules hold. The result is certified: no values have an objective below the bound, and the gap "
    "says\n"
    "how close it is. Values of deep predicates are computed first, by their networks\n"
    "(docs/networks.md).\n"
    "\n"
    "With --output, writes one file per open predicate, KNOWS.txt for `Knows`, with a line per\n"
    "target: arguments and value, separated by tabs; the summary goes to standard output. Without\n"
    "it, prints the inferred atoms there, rounded to four digits (on a terminal the first 20 of\n"
    "every predicate), and the summary to standard error. Ctrl-C stops solving and keeps the best\n"
    "values so far.\n"
    "\n"
    "Of a model of Markov logic (an .mln file, or a folder with predicates, facts, rules and\n"
    "queries) it computes the marginals of the queries, by mean field (docs/markov-logic.md).\n"
    "\n"
    "Examples:\n"
    "  sorites infer model.json                           look at the result\n"
    "  sorites infer model.json --output results          keep it\n"
    "  sorites infer model.json --json | jq .objective    use it in a script\n"
    "  sorites infer model.json --gap 1e-6 --time-limit 60\n"
    "  sorites infer model.json --save-state model.state  and later, with other weights:\n"
    "  sorites infer model.json --warm-start model.state\n"
    "  sorites infer smokers.mln --data smokers.db        Markov logic\n"
    "\n"
    "Exit code 1 says that the result is not optimal (a limit, Ctrl-C); it is there all the same.";

}  // namespace

void add_infer_command(CLI::App& app, RunContext& context) {
  auto flags = std::make_shared<InferFlags>();
  CLI::App* command =
      app.add_subcommand("infer", "find the most compatible truth values of the targets");
  add_common_flags(*command, *flags);
  add_ground_flags(*command, flags->ground);
  add_solve_flags(*command, flags->solve);
  command->add_option("--output", flags->output, "write the inferred values into this folder")
      ->type_name("DIR");
  command->add_flag("--all",
                    flags->all,
                    "Markov logic: marginals of all unknown atoms, not of the queries alone");
  command
      ->add_option("--save-state", flags->save_state, "keep the solution, for --warm-start later")
      ->type_name("FILE");
  command->footer(kInferFooter);
  command->callback([flags, &context] {
    context.run = [flags, &context] {
      return run_on_model(*flags, [&] { return run(*flags, context); });
    };
  });
}

}  // namespace sorites
