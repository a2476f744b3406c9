// sorites infer on a model of Markov logic: marginals by mean field.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "exit_code.h"
#include "markov_infer_report.h"
#include "sorites/results.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

// Prints lines like advisedBy(A, B) = 0.7500 or label(P1) = RL: 0.7500.
void print_targets(const MarkovModel& model,
                   const MarkovTargets& targets,
                   const std::vector<double>& values,
                   std::size_t most) {
  fmt::memory_buffer text;
  for (const AtomRange& range : targets.ranges) {
    const std::size_t shown = std::min<std::size_t>(range.count, most);
    for (std::size_t i = range.first; i < range.first + shown; ++i) {
      const MarkovAtom& atom = targets.atoms[i];
      const bool has_classes = !model.predicates[atom.predicate].classes.empty();
      fmt::format_to(std::back_inserter(text),
                     "{}{} {:.4f}\n",
                     target_text(model, atom),
                     has_classes ? ":" : " =",
                     values[i]);
    }
    if (shown < range.count) {
      fmt::format_to(std::back_inserter(text),
                     "... and {} more of {}\n",
                     grouped(range.count - shown),
                     targets.loaded.program.predicates[range.predicate].name);
    }
    std::fwrite(text.data(), 1, text.size(), stdout);
    text.clear();
  }
}

// On a terminal the first of every predicate; otherwise all.
void print_result(const MarkovModel& model,
                  const MarkovTargets& targets,
                  const std::vector<double>& values) {
  constexpr std::size_t kFewOnTerminal = 20;
  const bool terminal = is_terminal(stdout);
  print_targets(
      model, targets, values, terminal ? kFewOnTerminal : std::numeric_limits<std::size_t>::max());
  if (terminal) fmt::print("\n");
  std::fflush(stdout);  // before the summary, on the other stream
}

// The marginals are the output; where they are printed, the summary goes beside it.
void present(const MarkovInferReport& report,
             const CommonFlags& flags,
             const std::vector<double>& values,
             bool print_values) {
  if (flags.json) return print_json(to_json(report));
  if (print_values) print_result(report.loaded.model, report.targets, values);
  std::FILE* stream = print_values ? stderr : stdout;
  if (!flags.quiet) {
    fmt::print(stream, "{}", summary_text(report, use_color(flags.color, stream)));
  } else if (const std::string warning = warning_text(report); !warning.empty()) {
    fmt::print(stderr, "sorites: {}\n", warning);
  }
}

}  // namespace

int infer_markov(const CommonFlags& flags, const MarkovInferFlags& own, const RunContext& context) {
  const auto start = Clock::now();
  const LoadedMarkov loaded = load_markov_phase(flags, context, NetworkUse::kRun, own);
  const MarkovTargets targets =
      markov_targets(loaded, own.all ? TargetChoice::kAllUnknown : TargetChoice::kQueries);
  const auto after_load = Clock::now();
  MeanField layer(loaded.model, loaded.mean_field);
  const auto after_plan = Clock::now();
  MarkovInferred<float> inferred = infer_phase(flags, loaded, context, layer);
  if (inferred.result.iterations == 0) throw Interrupted();
  const auto after_infer = Clock::now();

  const std::vector<double> values =
      target_values(loaded.model, targets, inferred.result.marginals);
  MarkovInferReport report{flags.model, loaded, targets, layer.plan(), inferred.status};
  report.iterations = inferred.result.iterations;
  report.change = inferred.result.change;
  report.free_energy = std::move(inferred.result.free_energy);
  report.violations = layer.violations(inferred.result.marginals);
  std::vector<Diagnostic> warnings;
  report.metrics = evaluate_model(targets.loaded, targets.ranges, values, &warnings);
  print_diagnostics(warnings, flags);
  report.diagnostics = loaded.warnings;
  report.diagnostics.insert(report.diagnostics.end(), warnings.begin(), warnings.end());

  const std::string folder = own.output.empty() ? loaded.results_directory : own.output;
  if (loaded.write_results && !folder.empty()) {
    write_results(folder, targets.loaded.database, targets.ranges, values);
    report.results_directory = folder;
  }
  report.load_seconds = seconds_between(start, after_load);
  report.plan_seconds = seconds_between(after_load, after_plan);
  report.infer_seconds = seconds_between(after_plan, after_infer);
  report.evaluate_seconds = seconds_between(after_infer, Clock::now());
  report.total_seconds = seconds_between(start, Clock::now());
  present(report, flags, values, loaded.write_results && folder.empty());
  return exit_code_of(report.status);
}

}  // namespace sorites
