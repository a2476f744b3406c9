// sorites eval on a model of Markov logic: written marginals against the truth of the queries.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/diagnostics.h"
#include "exit_code.h"
#include "markov_infer_report.h"
#include "metrics_report.h"
#include "sorites/results.h"

namespace sorites {
namespace {

void require_truth(const MarkovTargets& targets, const std::string& path) {
  const auto& evaluations = targets.loaded.evaluations;
  if (std::any_of(
          evaluations.begin(), evaluations.end(), [](const auto& some) { return !some.empty(); })) {
    return;
  }
  Diagnostics sink;
  sink.error(DiagnosticCode::kNoEvaluations, Span{path}, "no query has a known truth")
      .notes.push_back({"a query file gives it: p(A) is true, !p(A) is false", {}});
  throw InputError(sink.take_sorted());
}

// Only those with truth; values of others are not needed.
std::vector<AtomRange> evaluated_ranges(const MarkovTargets& targets) {
  std::vector<AtomRange> ranges;
  std::uint32_t next = 0;
  for (const AtomRange& range : targets.ranges) {
    if (targets.loaded.evaluations[range.predicate].empty()) continue;
    ranges.push_back({range.predicate, next, range.count});
    next += range.count;
  }
  return ranges;
}

void add_evaluators(const std::vector<std::string>& names, MarkovTargets& targets) {
  for (auto& evaluations : targets.loaded.evaluations) {
    if (evaluations.empty()) continue;
    for (const std::string& name : names) {
      const bool there =
          std::any_of(evaluations.begin(), evaluations.end(), [&](const Evaluation& evaluation) {
            return evaluation.evaluator == name;
          });
      if (there) continue;
      evaluations.emplace_back().evaluator = name;
    }
  }
}

}  // namespace

int eval_markov(const CommonFlags& flags,
                const std::string& results,
                const std::vector<std::string>& evaluators,
                const RunContext& context) {
  refuse_flags(flags);
  const auto start = std::chrono::steady_clock::now();
  const LoadedMarkov loaded = load_markov_phase(flags, context, NetworkUse::kLeave);
  MarkovTargets targets = markov_targets(loaded, TargetChoice::kQueries);
  require_truth(targets, flags.model);
  add_evaluators(evaluators, targets);
  std::vector<Diagnostic> warnings;
  const auto ranges = evaluated_ranges(targets);
  const auto values = read_results(results, targets.loaded.database, ranges, &warnings);
  const auto metrics = evaluate_model(targets.loaded, ranges, values, &warnings);
  print_diagnostics(warnings, flags);
  const std::vector<Predicate>& predicates = targets.loaded.program.predicates;
  if (flags.json) {
    std::vector<Diagnostic> diagnostics = loaded.warnings;
    diagnostics.insert(diagnostics.end(), warnings.begin(), warnings.end());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    print_json({{"command", "eval"},
                {"ok", true},
                {"model", flags.model},
                {"semantics", "markov-logic"},
                {"results", results},
                {"metrics", metrics_to_json(metrics, predicates)},
                {"atoms", evaluated_atoms_to_json(metrics, predicates)},
                {"diagnostics", to_json(std::span<const Diagnostic>(diagnostics))},
                {"seconds", seconds.count()}});
  } else if (!flags.quiet) {
    fmt::print("{}", metrics_text(metrics, predicates, use_color(flags.color, stdout)));
  }
  return kDone;
}

}  // namespace sorites
