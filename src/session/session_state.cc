#include "session/session_state.h"

#include <algorithm>
#include <utility>

#include "base/diagnostics.h"
#include "data/sources/load.h"
#include "modelfile/options.h"
#include "options/option_value.h"
#include "semantics/inference_settings.h"
#include "semantics/semantics.h"
#include "session/program_weights.h"
#include "session/stopwatch.h"

namespace sorites {
void Teller::tell(std::span<const Diagnostic> diagnostics) {
  for (const Diagnostic& one : diagnostics) {
    const bool is_new =
        told_.insert({one.code, one.span.file, one.span.line, one.span.column, one.message}).second;
    if (is_new && events_.diagnostic) events_.diagnostic(one);
  }
}

bool LoadedPhase::gets_atoms() const {
  const auto& predicates = loaded.program.predicates;
  return std::any_of(predicates.begin(), predicates.end(), [](const Predicate& predicate) {
    return predicate.open && (predicate.open_world || predicate.has_classes);
  });
}

void LoadedPhase::restore() {
  if (reasoner) layer.reset();  // which may look at it
  reasoner.reset();
  if (given) loaded.database = *std::exchange(given, std::nullopt);
}

Session::State::State(ModelFile opened, SessionOptions given)
    : file(std::move(opened)), options(std::move(given)), teller(options.events) {
  options.semantics = known_semantics(options.semantics);
  if (!options.semantics.empty()) file.semantics = options.semantics;
  if (file.is_text_of_markov_logic() && options.phase != Phase::kInfer) {
    Diagnostics sink;
    sink.error(DiagnosticCode::kUnfitSemantics,
               Span{file.path},
               "a text of Markov logic has one phase: all its data is there for inference")
        .notes.push_back({"leave out --phase", {}});
    throw InputError(sink.take_sorted());
  }
  semantics = file.semantics;
}

std::unique_ptr<LoadedPhase> Session::State::load(Phase phase, bool learns) {
  std::vector<std::string> asked_for;
  for (const auto* settings : {&options.settings, &options.flags}) {
    for (const OptionSetting& setting : *settings) asked_for.push_back(setting.name);
  }
  Settings given = options_of(phase);
  refuse_foreign_options(semantics, asked_for, given, learns || learned);
  const Stopwatch watch(seconds.load);
  LoadOptions load;
  load.stop = options.events.stop;
  load.threads = inference_settings(given).solve.threads;
  if (options.events.progress) {
    const std::string stage = "loading";
    load.progress = [this, stage](std::uint64_t done, std::uint64_t total) {
      options.events.progress(
          {stage, total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total), {}});
    };
  }
  auto result = std::make_unique<LoadedPhase>(
      LoadedPhase{phase, load_model(file, phase, load, options.settings), nullptr});
  result->loaded.options = std::move(given);
  teller.tell(opening_warnings);
  teller.tell(result->loaded.warnings);
  if (learned) copy_weights(*learned, result->loaded.program);
  updated.repeat(result->loaded);
  return result;
}

void Session::State::forget_data() {
  current.reset();
  answer.reset();
  outputs.reset();
  networks.inputs.clear();
}

void Session::State::forget_outputs_of(std::span<const RowChange> changes) {
  const bool is_seen = std::any_of(changes.begin(), changes.end(), [&](const RowChange& change) {
    const std::string& name = current->loaded.program.predicates[change.predicate].name;
    return std::any_of(file.predicates.begin(), file.predicates.end(), [&](const auto& other) {
      const auto graph = other.options.find("graph");
      return graph != other.options.end() && lower_case(graph->second) == lower_case(name);
    });
  });
  if (!is_seen) return;
  outputs.reset();
  networks.inputs.clear();
}

void Session::State::change_options() {
  LoadedPhase& phase = *current;
  phase.layer.reset();
  phase.loaded.options = options_of(phase.phase);
  if (!phase.reasoner) return;
  answer.reset();
  if (phase.reasoner->set_options(phase.loaded.options)) return;
  const auto last = phase.reasoner->last_values();
  const std::vector<double> start(last.begin(), last.end());
  make_reasoner(phase);
  if (!start.empty()) phase.reasoner->start_from(start);
}

void Session::State::make_reasoner(LoadedPhase& phase, const std::string& from_snapshot) {
  const Stopwatch watch(seconds.ground);
  phase.restore();
  if (phase.gets_atoms()) phase.given = phase.loaded.database;
  LoadedModel& loaded = phase.loaded;
  phase.reasoner = sorites::make_reasoner(semantics,
                                          {loaded.program,
                                           loaded.database,
                                           loaded.options,
                                           integer_predicates(file, loaded.program),
                                           from_snapshot},
                                          options.events);
}

Settings Session::State::options_of(Phase phase) const {
  return settings_of(file, phase, options.settings, options.flags);
}

Settings Session::State::present_options() const {
  return current ? current->loaded.options : options_of(options.phase);
}

LoadedPhase& Session::State::loaded() {
  if (!current) current = load(options.phase);
  return *current;
}

Reasoner& Session::State::reasoner(const std::string& from_snapshot) {
  LoadedPhase& phase = loaded();
  if (!from_snapshot.empty()) snapshot = from_snapshot;
  if (!phase.reasoner) make_reasoner(phase, from_snapshot);
  return *phase.reasoner;
}

const std::vector<double>& Session::State::network_outputs() {
  if (outputs) return *outputs;
  if (reasoner().outputs().empty()) return outputs.emplace();
  const Stopwatch watch(seconds.networks);
  if (options.events.progress) options.events.progress({"networks", -1.0, {}});
  if (!networks) {
    std::vector<Diagnostic> warnings;
    networks = make_model_networks(file,
                                   loaded().loaded,
                                   options.phase,
                                   inference_settings(loaded().loaded.options).solve.seed,
                                   true,
                                   warnings);
    teller.tell(warnings);
  }
  if (networks.inputs.empty()) {
    networks.inputs = read_inputs(file, loaded().loaded, options.phase, networks);
  }
  outputs = bind_networks(file, networks, networks.inputs)->predict(0);
  return *outputs;
}

std::vector<PredicateId> integer_predicates(const ModelFile& file, const Program& program) {
  std::vector<PredicateId> result;
  for (const PredicateDeclaration& declaration : file.predicates) {
    const auto found = declaration.options.find("integer");
    if (found == declaration.options.end() || found->second != "true") continue;
    if (const auto predicate = program.find_predicate(declaration.name)) {
      result.push_back(*predicate);
    }
  }
  return result;
}

}  // namespace sorites
