// Every mistake of a model, at once.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>

#include "data/sources/load.h"
#include "lang/mln/program_printer.h"
#include "modelfile/finish_diagnostics.h"
#include "modelfile/network_options.h"
#include "modelfile/options.h"
#include "perception/model_networks.h"
#include "semantics/semantics.h"
#include "session/learn_settings.h"
#include "session/learning_data.h"
#include "session/model_evaluation.h"
#include "session/model_loader.h"
#include "session/session_state.h"
#include "session/stopwatch.h"
#include "session/write_model.h"

namespace sorites {
namespace {

constexpr Partition kPartitions[] = {Partition::kObserved, Partition::kTarget, Partition::kTruth};

PhaseSummary summarise(Phase phase, const LoadedModel& loaded) {
  PhaseSummary summary;
  summary.phase = phase;
  summary.memory_bytes = loaded.database.memory_bytes();
  for (PredicateId p = 0; p < loaded.program.predicates.size(); ++p) {
    auto& rows = summary.rows.emplace_back();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i] = loaded.database.relation(p).table(kPartitions[i]).num_rows;
    }
  }
  for (DomainId d = 0; d < loaded.database.num_domains(); ++d) {
    summary.constants.push_back(loaded.database.dictionary(d).size());
  }
  summary.program = loaded.program;
  return summary;
}

// A text of Markov logic is shown with its data, which is part of it.
std::string text_of(const ModelFile& file, const LoadedModel& loaded) {
  if (file.is_text_of_markov_logic()) return markov::model_text(loaded.program, loaded.database);
  return rules_text(file, {loaded.program, loaded.database});
}

// Of which a warning tells: nothing else of the network can be looked at.
bool has_python_class(const ModelFile& file) {
  for (const PredicateDeclaration& predicate : file.predicates) {
    for (const auto& [name, value] : predicate.options) {
      if (is_python_class(value)) return true;
    }
  }
  return false;
}

// Adds what `look` returns, or stops at.
void collect(const std::function<std::vector<Diagnostic>()>& look, Diagnostics& diagnostics) {
  try {
    for (Diagnostic& warning : look()) diagnostics.add(std::move(warning));
  } catch (const InputError& error) {
    for (const Diagnostic& one : error.diagnostics()) diagnostics.add(one);
  }
}

// That every entity has features, and classes fit, also to networks that were made for learning:
// all but making the networks. Files of modules are whole.
void check_network_inputs(const ModelFile& file,
                          const LoadedModel& loaded,
                          Phase phase,
                          std::optional<ModelNetworks>& of_learning,
                          Diagnostics& diagnostics) {
  if (!has_networks(file) || has_python_class(file)) return;
  collect(
      [&] {
        std::vector<Diagnostic> warnings;
        ModelNetworks networks = describe_networks(file, loaded, phase, false, warnings);
        check_networks(file, phase, networks);
        if (phase == Phase::kLearn) {
          networks.inputs.clear();
          of_learning = std::move(networks);
        } else if (of_learning) {
          read_inputs(file, loaded, phase, *of_learning);
        }
        return warnings;
      },
      diagnostics);
}

// What is left out, since it takes longer than checks may, and which command finds it out.
Diagnostic not_looked_at(DiagnosticCode code,
                         const ModelFile& file,
                         const std::string& what,
                         std::string_view command) {
  Diagnostics sink;
  sink.warning(code, Span{file.path}, what)
      .notes.push_back({fmt::format("`sorites {}` finds out", command), {}});
  return sink.take_sorted().front();
}

// A phase that a reasoner is made of. `learning`: null if nothing is learned from it.
struct CheckedPhase {
  const ModelFile& file;
  LoadedModel& loaded;
  Phase phase;
  const SessionOptions& options;
  const LearnSettings* learning;
};

void look_at_reasoner(const CheckedPhase& what, const ReasonerInput& input) {
  const RunEvents& events = what.options.events;
  const auto reasoner = make_reasoner(what.file.semantics, input, events);
  // Data that nobody infers needs no method.
  if (what.phase == what.options.phase) reasoner->require_fitting_method(events);
  if (what.learning == nullptr) return;
  std::vector<Diagnostic> told_by_learning;
  weights_to_learn(what.file, what.loaded.program, *reasoner, *what.learning, told_by_learning);
}

// What inference, or learning, would stop at before it begins: plans that are too large; where that
// takes about a second, missing targets, divisions by zero, what a method cannot work on, and
// weights that cannot be learned. It is said if nobody looked.
std::vector<Diagnostic> problems_of_reasoner(const CheckedPhase& what) {
  constexpr double kMostTerms = 3e6, kSampleSeconds = 0.1;
  constexpr std::size_t kMostPlanned = 1000;  // rules; each takes a third of a millisecond
  const ModelFile& file = what.file;
  const bool grounds = traits_of(file.semantics).grounds;
  const std::size_t num_rules = what.loaded.program.rules.size();
  if (num_rules == 0) return {};
  if (!grounds && num_rules > kMostPlanned) {
    return {not_looked_at(DiagnosticCode::kPlanTooLarge,
                          file,
                          fmt::format("{} formulas ({}): not looked whether their plans fit into "
                                      "memory, and the method works on them",
                                      num_rules,
                                      name_of(what.phase)),
                          "estimate")};
  }
  const ReasonerInput input{what.loaded.program,
                            what.loaded.database,
                            what.loaded.options,
                            integer_predicates(file, what.loaded.program),
                            {}};
  double terms = 0.0;
  const auto forecast = estimate(file.semantics, input, kSampleSeconds, what.options.events);
  for (const RuleForecast& rule : forecast.rules) terms += rule.terms;
  if (terms <= kMostTerms) {
    look_at_reasoner(what, input);
    return {};
  }
  return {not_looked_at(grounds ? DiagnosticCode::kMissingTarget : DiagnosticCode::kPlanTooLarge,
                        file,
                        fmt::format("about {:.1e} ground rules ({}): not looked whether {}",
                                    terms,
                                    name_of(what.phase),
                                    grounds ? "targets are missing" : "the method works on them"),
                        grounds ? "ground" : "infer")};
}

// What learning would stop at before it grounds. Its settings, if nothing is wrong.
std::optional<LearnSettings> check_learning(const ModelFile& file,
                                            const LoadedModel& loaded,
                                            const SessionOptions& options,
                                            Diagnostics& diagnostics) {
  if (file.is_text_of_markov_logic()) return {};
  std::optional<LearnSettings> settings;
  collect(
      [&] {
        settings = learn_settings(file, options.settings, options.flags);
        return check_learning_data(file, loaded, settings->learn.loss);
      },
      diagnostics);
  if (!settings) return {};
  collect(
      [&] {
        fixed_rules(file, loaded.program, *settings);
        return std::vector<Diagnostic>{};
      },
      diagnostics);
  if (diagnostics.has_errors()) return {};
  return settings;
}

LoadOptions load_options(const RunEvents& events) {
  LoadOptions load;
  load.stop = events.stop;
  if (!events.progress) return load;
  load.progress = [&events](std::uint64_t done, std::uint64_t total) {
    const double share = total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total);
    events.progress({"loading", share, {}});
  };
  return load;
}

// The semantics that is asked for instead of the model's, and whether the options fit it.
void take_semantics(ModelFile& file, const SessionOptions& options, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const OptionSetting& setting : options.settings) names.push_back(setting.name);
  try {
    const std::string semantics = known_semantics(options.semantics);
    if (!semantics.empty()) file.semantics = semantics;
    refuse_foreign_options(
        file.semantics, names, settings_of(file, Phase::kInfer, options.settings));
  } catch (const InputError& error) {
    for (const Diagnostic& one : error.diagnostics()) diagnostics.add(one);
  }
}

std::vector<Phase> phases_to_check(const ModelFile& file,
                                   const SessionOptions& options,
                                   std::span<const Phase> asked_for) {
  if (!asked_for.empty()) return {asked_for.begin(), asked_for.end()};
  std::vector<Phase> phases = phases_of(file, options.settings);
  if (phases.empty()) phases.push_back(Phase::kInfer);
  return phases;
}

void check_phases(const ModelDraft& draft,
                  const SessionOptions& options,
                  std::span<const Phase> phases,
                  CheckResult& result,
                  Diagnostics& diagnostics) {
  const Stopwatch watch(result.seconds.load);
  const LoadOptions load = load_options(options.events);
  std::optional<ModelNetworks> of_learning;
  for (const Phase phase : phases_to_check(draft.model, options, phases)) {
    LoadedModel loaded = load_draft(draft, phase, options.settings, load, diagnostics);
    PhaseSummary summary = summarise(phase, loaded);
    if (!diagnostics.has_errors()) summary.text = text_of(draft.model, loaded);
    if (!diagnostics.has_errors()) {
      check_semantics(result.semantics, loaded.program, loaded.database, diagnostics);
      check_network_inputs(draft.model, loaded, phase, of_learning, diagnostics);
      collect(
          [&] {
            check_evaluations(loaded);
            return std::vector<Diagnostic>{};
          },
          diagnostics);
    }
    if (!diagnostics.has_errors()) {
      std::optional<LearnSettings> learning;
      if (phase == Phase::kLearn) {
        learning = check_learning(draft.model, loaded, options, diagnostics);
      }
      const CheckedPhase what{draft.model, loaded, phase, options, learning ? &*learning : nullptr};
      collect([&] { return problems_of_reasoner(what); }, diagnostics);
    }
    result.phases.push_back(std::move(summary));
  }
}

// Everything that can be wrong with what `open` gives.
CheckResult checked(std::string name,
                    const SessionOptions& options,
                    std::span<const Phase> phases,
                    const std::function<ModelDraft(Diagnostics&)>& open) {
  CheckResult result{.model = std::move(name)};
  {
    const Stopwatch total(result.seconds.total);
    Diagnostics diagnostics;
    ModelDraft draft = open(diagnostics);
    take_semantics(draft.model, options, diagnostics);
    if (!draft.model.path.empty()) {
      result.model = draft.model.path;
      result.semantics = draft.model.semantics;
      check_phases(draft, options, phases, result, diagnostics);
    }
    result.diagnostics = finish_diagnostics(draft.model, diagnostics);
  }
  return result;
}

}  // namespace

bool CheckResult::ok() const {
  return std::none_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& one) {
    return one.severity == Severity::kError;
  });
}

CheckResult Session::check(const std::string& path,
                           const SessionOptions& options,
                           std::span<const Phase> phases) {
  return checked(path, options, phases, [&](Diagnostics& diagnostics) {
    return open_model(path, options.data_path, diagnostics, options.events.stop);
  });
}

CheckResult Session::check(std::span<const Phase> phases) {
  const State& state = *state_;
  if (state.file.path.empty()) {
    throw std::invalid_argument("a program that was made by hand has no model file to check");
  }
  SessionOptions options = state.options;
  options.semantics = state.semantics;
  return checked(state.file.path, options, phases, [&](Diagnostics& diagnostics) {
    for (const Diagnostic& warning : state.opening_warnings) diagnostics.add(warning);
    return ModelDraft{state.file, {}, true};
  });
}

CheckResult Session::check_text(std::string text,
                                const SessionOptions& options,
                                std::span<const Phase> phases) {
  return checked("<text>", options, phases, [&](Diagnostics& diagnostics) {
    return open_text(std::move(text), options.texts, diagnostics, options.events.stop);
  });
}

}  // namespace sorites
