// Every mistake of a model, at once.
#include <algorithm>

#include "lang/mln/program_printer.h"
#include "modelfile/finish_diagnostics.h"
#include "modelfile/options.h"
#include "perception/model_networks.h"
#include "semantics/semantics.h"
#include "session/model_loader.h"
#include "session/session_state.h"
#include "session/stopwatch.h"

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
  if (!file.mln_path.empty()) return markov::model_text(loaded.program, loaded.database);
  return file.language == Language::kMln ? markov::rules_text(loaded.program, &loaded.database)
                                         : to_text(loaded.program);
}

// Of which a warning tells: nothing else of the network can be looked at.
bool has_python_class(const ModelFile& file) {
  for (const PredicateDeclaration& predicate : file.predicates) {
    for (const auto& [name, value] : predicate.options) {
      if (value.find(".py::") != std::string::npos) return true;
    }
  }
  return false;
}

// That every entity has features, and classes fit: all but making the networks.
void check_network_inputs(const ModelFile& file,
                          const LoadedModel& loaded,
                          Phase phase,
                          Diagnostics& diagnostics) {
  if (!has_networks(file) || has_python_class(file)) return;
  try {
    std::vector<Diagnostic> warnings;
    describe_networks(file, loaded, phase, false, warnings);
    for (Diagnostic& warning : warnings) diagnostics.add(std::move(warning));
  } catch (const InputError& error) {
    for (const Diagnostic& one : error.diagnostics()) diagnostics.add(one);
  }
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

void check_foreign_options(const ModelFile& file,
                           const SessionOptions& options,
                           Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const OptionSetting& setting : options.settings) names.push_back(setting.name);
  try {
    const std::string semantics = known_semantics(options.semantics);
    refuse_foreign_options(semantics.empty() ? name_of(file.semantics) : semantics, names);
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

}  // namespace

bool CheckResult::ok() const {
  return std::none_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& one) {
    return one.severity == Severity::kError;
  });
}

CheckResult Session::check(const std::string& path,
                           const SessionOptions& options,
                           std::span<const Phase> phases) {
  CheckResult result;
  result.model = path;
  {
    const Stopwatch total(result.seconds.total);
    Diagnostics diagnostics;
    ModelDraft draft = open_model(path, options.data_path, diagnostics);
    check_foreign_options(draft.model, options, diagnostics);
    if (options.semantics == kHingeSemantics) draft.model.semantics = Semantics::kHinge;
    if (options.semantics == kMarkovSemantics) draft.model.semantics = Semantics::kMarkovLogic;
    if (!draft.model.path.empty()) {
      const Stopwatch watch(result.seconds.load);
      result.model = draft.model.path;
      result.semantics = name_of(draft.model.semantics);
      const LoadOptions load = load_options(options.events);
      for (const Phase phase : phases_to_check(draft.model, options, phases)) {
        LoadedModel loaded = load_draft(draft, phase, options.settings, load, diagnostics);
        PhaseSummary summary = summarise(phase, loaded);
        if (!diagnostics.has_errors()) summary.text = text_of(draft.model, loaded);
        if (!diagnostics.has_errors()) {
          check_semantics(result.semantics, loaded.program, loaded.database, diagnostics);
          check_network_inputs(draft.model, loaded, phase, diagnostics);
        }
        result.phases.push_back(std::move(summary));
      }
    }
    result.diagnostics = finish_diagnostics(draft.model, diagnostics);
  }
  return result;
}

}  // namespace sorites
