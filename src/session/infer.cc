// Inference: load, ground, networks, solve, evaluate.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/diagnostics.h"
#include "hinge/model/rule_numbers.h"
#include "semantics/inference_settings.h"
#include "semantics/semantics.h"
#include "session/input_files.h"
#include "session/learning_data.h"
#include "session/model_evaluation.h"
#include "session/sample_energies.h"
#include "session/session_state.h"
#include "session/solving_memory.h"
#include "session/stopwatch.h"
#include "session/time_limit.h"

namespace sorites {
namespace {

[[noreturn]] void fail_not_inferred(const std::string& atom) {
  Diagnostics sink;
  sink.error(DiagnosticCode::kUnknownAtom,
             Span{},
             fmt::format("`{}` is an output of a network, not inferred", atom));
  throw InputError(sink.take_sorted());
}

// Whoever expects a model to be learned first, as PSL does, is told.
void warn_of_weights(Session::State& state) {
  const std::vector<Phase> phases = phases_of(state.file, state.options.settings);
  const bool learns = std::find(phases.begin(), phases.end(), Phase::kLearn) != phases.end();
  if (!learns || state.learned || state.options.phase != Phase::kInfer) return;
  Diagnostics sink;
  sink.warning(DiagnosticCode::kWeightsAsWritten,
               Span{state.file.path},
               "the model has data to learn from, but is inferred with the weights as written")
      .notes.push_back({"`sorites learn --output learned.json` learns them, and `sorites run` "
                        "learns and infers",
                        {}});
  state.teller.tell(sink.take_sorted());
}

void load_state(Session::State& state, Reasoner& reasoner, const std::string& path) {
  if (path.empty()) return;
  state.warm_start = path;
  reasoner.load_state(path);
}

// Before there is anything to write.
void check_energies(const Session::State& state, const InferFiles& files) {
  const std::string read[] = {
      state.snapshot, state.warm_start, files.from_snapshot, files.warm_start};
  refuse_to_replace_inputs(state.file, {&files.energies, 1}, read);
}

// The reasoner with a new answer, in the time that there is. `before` is called before it solves.
Reasoner& solved(Session::State& state,
                 const InferFiles& files,
                 const std::function<void(const Reasoner&)>& before) {
  const double seconds = inference_settings(state.present_options()).solve.time_limit_seconds;
  const double spent = std::exchange(state.opening_seconds, 0.0);
  const TimeLimit limit(state.options.events, seconds, spent);
  try {
    Reasoner& reasoner = state.reasoner(files.from_snapshot);
    before(reasoner);
    if (files.saves_state) reasoner.require_states();
    load_state(state, reasoner, files.warm_start);
    const std::vector<double>& outputs = state.network_outputs();
    check_solving_fits(reasoner, traits_of(state.semantics).bytes_per_term);
    const Stopwatch watch(state.seconds.solve);
    state.answer = reasoner.infer(outputs, state.options.events);
    if (limit.is_up() && state.answer->status == SolveStatus::kInterrupted) {
      state.answer->status = SolveStatus::kTimeLimit;
    }
    return reasoner;
  } catch (const Interrupted&) {
    if (limit.is_up()) limit.fail();
    throw;
  }
}

}  // namespace

InferResult Session::infer(const InferFiles& files) {
  State& state = *state_;
  state.seconds = {};
  InferResult result;
  {
    const Stopwatch total(state.seconds.total);
    check_energies(state, files);
    warn_of_weights(state);
    check_evaluations(state.loaded().loaded);
    Reasoner& reasoner = solved(state, files, [&](const Reasoner& made) {
      if (!files.energies.empty()) made.require_energies();
    });
    const std::vector<double>& outputs = state.network_outputs();
    const Stopwatch watch(state.seconds.evaluate);
    static_cast<Answer&>(result) = *state.answer;
    result.semantics = state.semantics;
    if (!files.energies.empty() && result.is_usable()) {
      const std::vector<double> labels = labels_of(reasoner, state.loaded().loaded.database);
      write_energies(state.loaded().loaded, reasoner, result.values, labels, files.energies);
    }
    TargetValues all = target_values(reasoner, result.values, outputs);
    result.ranges = std::move(all.ranges);
    result.values = std::move(all.values);
    if (!result.errors.empty()) result.errors.resize(result.values.size(), 0.0);
    result.rules = reasoner.rules();
    result.statistics = reasoner.statistics();
    result.size = reasoner.size();
    if (state.networks) result.networks = summarise(state.networks, state.networks.inputs);
    if (result.is_usable()) {
      std::vector<Diagnostic> warnings;
      result.metrics =
          evaluate_model(state.loaded().loaded, result.ranges, result.values, &warnings);
      state.teller.tell(warnings);
    }
  }
  result.seconds = state.seconds;
  return result;
}

ExplainResult Session::explain(std::span<const std::string> atoms,
                               std::span<const std::string> rules,
                               std::size_t limit,
                               const InferFiles& files) {
  State& state = *state_;
  state.seconds = {};
  std::vector<TargetRow> targets;
  std::vector<std::uint32_t> numbers;
  // Looked up before solving, so that a typo costs no time.
  const auto look_up = [&](const Reasoner& reasoner) {
    for (const std::string& text : atoms) {
      const auto found = find_targets(state.loaded().loaded.database, text, [&](PredicateId p) {
        return reasoner.infers_all_of(p);
      });
      if (found.front().row != kNoTarget && !is_inferred(reasoner, found.front().predicate)) {
        fail_not_inferred(text);
      }
      targets.insert(targets.end(), found.begin(), found.end());
    }
    for (const std::string& text : rules) {
      const auto found = find_rules(reasoner.rules(), text);
      numbers.insert(numbers.end(), found.begin(), found.end());
    }
  };
  const bool keeps_answer = state.answer.has_value();
  Reasoner& reasoner =
      keeps_answer ? state.reasoner(files.from_snapshot) : solved(state, files, look_up);
  if (keeps_answer) {
    look_up(reasoner);
    load_state(state, reasoner, files.warm_start);
  }
  if (state.options.events.stop.stop_requested()) throw Interrupted();
  ExplainResult result{state.semantics,
                       state.answer->status,
                       state.answer->relative_gap,
                       state.answer->weight_scale,
                       reasoner.rules(),
                       {},
                       {}};
  for (const TargetRow& target : targets) {
    result.atoms.push_back(reasoner.explain_atom(target, limit, state.options.events));
  }
  for (const std::uint32_t rule : numbers) {
    result.explained_rules.push_back(reasoner.explain_rule(rule, limit, state.options.events));
  }
  return result;
}

}  // namespace sorites
