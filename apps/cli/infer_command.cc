// sorites infer: from files to the inferred truth values, with a certificate.
#include <fmt/format.h>

#include <limits>
#include <memory>

#include "atom_output.h"
#include "commands.h"
#include "exit_code.h"
#include "infer_report.h"
#include "inference_flags.h"
#include "output.h"
#include "run_reporter.h"

namespace sorites {
namespace {

struct InferFlags : CommonFlags {
  InferFiles files;
  std::string output, save_state, energies;
  bool all = false, values = false;
};

int exit_code_of(const InferResult& result) {
  if (result.is_finished()) return kDone;
  return result.status == SolveStatus::kInfeasible ? kInfeasible : kRunFailed;
}

// On a terminal the first of every predicate; otherwise all.
void print_values(const InferReport& report) {
  constexpr std::size_t kFewOnTerminal = 20;  // most of a screen of 24 lines
  const bool terminal = is_terminal(stdout);
  print_atoms(report.database,
              report.result.ranges,
              report.result.values,
              report.result.errors,
              terminal ? kFewOnTerminal : std::numeric_limits<std::size_t>::max());
  if (terminal) print_text("\n");
  flush_output();  // before the summary, on the other stream
}

// The atoms are the output; where they are printed, the summary goes beside it.
void present(const InferReport& report, const InferFlags& flags, bool print_atoms) {
  if (flags.json) return print_json(to_json(report));
  if (print_atoms) print_values(report);
  std::FILE* stream = print_atoms ? stderr : stdout;
  if (!flags.quiet) {
    const std::string summary = summary_text(report, use_color(flags.color, stream));
    print_atoms ? say_shown(summary) : print_shown(summary);
  } else if (exit_code_of(report.result) == kRunFailed) {
    say(fmt::format("sorites: {}\n", warning_text(report.result)));
  }
}

Session open_session(const InferFlags& flags, RunReporter& reporter) {
  std::vector<OptionSetting> own;
  if (flags.all) own.push_back({"inference.all_atoms", "true", {}});
  return reporter.open(reporter.options(own));
}

int run(const InferFlags& flags, const RunContext& context) {
  RunReporter reporter(flags, context);
  Session session = open_session(flags, reporter);
  const ResultFiles files = session.result_files();
  const std::string folder = results_folder(files, flags.output);
  session.check_outputs({{flags.save_state, flags.energies}, folder});
  InferFiles inputs = flags.files;
  inputs.saves_state = !flags.save_state.empty();
  inputs.energies = flags.energies;
  const InferResult result = session.infer(inputs);
  reporter.finish();
  std::vector<Diagnostic> diagnostics = reporter.diagnostics();
  if (result.status == SolveStatus::kInfeasible) {
    diagnostics.push_back(contradiction(flags.model, result));
    print_diagnostics(std::span(diagnostics).last(1), flags);
  }
  InferReport report{flags.model, session.database(), result, diagnostics, {}, flags.values};
  if (result.is_usable() && !folder.empty()) {
    report.results_directory = folder;
    session.write_results(result, folder);
  }
  present(report, flags, result.is_usable() && files.write && report.results_directory.empty());
  if (result.is_usable() && !flags.save_state.empty()) {
    session.save_state(flags.save_state);  // last: if it fails, the result is there all the same
  }
  return exit_code_of(result);
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
    "  sorites infer model.json --json --values           with all atoms in the document\n"
    "  generate_model | sorites infer -                   a model file from standard input\n"
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
  add_inference_flags(*command, flags->options, flags->files);
  command->add_option("--output", flags->output, "write the inferred values into this folder")
      ->type_name("DIR");
  command->add_flag(
      "--all", flags->all, "values of all unknown atoms of open worlds, not of the targets alone");
  command
      ->add_flag(
          "--values", flags->values, "with --json: the document holds the atoms and their values")
      ->needs("--json");
  command
      ->add_option("--save-state", flags->save_state, "keep the solution, for --warm-start later")
      ->type_name("FILE");
  command
      ->add_option("--energies",
                   flags->energies,
                   "write the energy of every connected component, the largest first")
      ->type_name("FILE");
  command->footer(kInferFooter);
  command->callback([flags, &context] {
    context.run = [flags, &context] {
      return run_on_model(*flags, [&] { return run(*flags, context); });
    };
  });
}

}  // namespace sorites
