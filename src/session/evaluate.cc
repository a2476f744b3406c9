// Values on disk against truth.
#include <algorithm>
#include <functional>
#include <utility>

#include "base/diagnostics.h"
#include "eval/results.h"
#include "session/model_evaluation.h"
#include "session/session_state.h"
#include "session/stopwatch.h"

namespace sorites {
namespace {

// What the caller adds: for every predicate that has both targets and truth.
std::vector<std::vector<Evaluation>> with_evaluators(const LoadedModel& model,
                                                     std::span<const std::string> evaluators) {
  std::vector<std::vector<Evaluation>> evaluations = model.evaluations;
  for (PredicateId p = 0; p < evaluations.size(); ++p) {
    const Relation& relation = model.database.relation(p);
    if (relation.table(Partition::kTarget).num_rows == 0) continue;
    if (relation.table(Partition::kTruth).num_rows == 0) continue;
    for (const std::string& name : evaluators) {
      const bool there =
          std::any_of(evaluations[p].begin(), evaluations[p].end(), [&](const Evaluation& known) {
            return known.evaluator == name;
          });
      if (!there) evaluations[p].emplace_back().evaluator = name;
    }
  }
  return evaluations;
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

// `metrics` evaluates a model that has the evaluators that are asked for.
using Metrics =
    std::function<std::vector<EvaluationResult>(const LoadedModel&, std::vector<Diagnostic>*)>;

EvaluateResult evaluated(Session::State& state,
                         std::span<const std::string> evaluators,
                         const Metrics& metrics) {
  state.seconds = {};
  EvaluateResult result;
  {
    const Stopwatch total(state.seconds.total);
    LoadedModel& model = state.loaded().loaded;
    const Stopwatch watch(state.seconds.evaluate);
    auto as_written = std::exchange(model.evaluations, with_evaluators(model, evaluators));
    std::vector<Diagnostic> warnings;
    try {
      require_evaluations(model, state.file.path);
      result.metrics = metrics(model, &warnings);
    } catch (...) {
      model.evaluations = std::move(as_written);
      throw;
    }
    model.evaluations = std::move(as_written);
    state.teller.tell(warnings);
  }
  result.seconds = state.seconds;
  return result;
}

}  // namespace

EvaluateResult Session::evaluate(const std::string& results_folder,
                                 std::span<const std::string> evaluators) {
  return evaluated(
      *state_, evaluators, [&](const LoadedModel& model, std::vector<Diagnostic>* warnings) {
        const std::vector<AtomRange> ranges = evaluated_ranges(model);
        const auto values = read_results(results_folder, model.database, ranges, warnings);
        return evaluate_model(model, ranges, values, warnings);
      });
}

EvaluateResult Session::evaluate(const InferResult& result,
                                 std::span<const std::string> evaluators) {
  return evaluated(
      *state_, evaluators, [&](const LoadedModel& model, std::vector<Diagnostic>* warnings) {
        return evaluate_model(model, result.ranges, result.values, warnings);
      });
}

}  // namespace sorites
