#include "session/model_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/constant.h"
#include "data/sources/load.h"
#include "modelfile/network_option_table.h"
#include "modelfile/options.h"
#include "modelfile/predicate_reader.h"
#include "perception/feature_module.h"
#include "perception/network_inputs.h"
#include "perception/network_settings.h"

namespace sorites {
namespace {

struct PhaseData {
  std::vector<DataFile> files;
  std::vector<std::pair<PredicateId, const DataSource*>> rows;
};

PhaseData data_of(const ModelFile& model, Phase phase) {
  PhaseData result;
  for (PredicateId p = 0; p < model.predicates.size(); ++p) {
    for (const DataSource& source : model.predicates[p].data) {
      if (!holds_in(source.section, phase)) continue;
      if (source.path.empty()) {
        result.rows.emplace_back(p, &source);
      } else {
        result.files.push_back({p, source.partition, source.path, source.declared_at});
      }
    }
  }
  return result;
}

void add_inline_row(PredicateId predicate,
                    const DataSource& source,
                    std::size_t arity,
                    Database& database,
                    Diagnostics& diagnostics) {
  std::vector<std::string_view> arguments(source.row.begin(), source.row.end());
  std::optional<double> value;
  if (arguments.size() == arity + 1) {
    value = parse_real(arguments.back());
    if (!value) {
      diagnostics.error(DiagnosticCode::kBadValue,
                        source.declared_at,
                        fmt::format("the truth value `{}` is not a number", arguments.back()));
      return;
    }
    arguments.pop_back();
  }
  add_row(database, predicate, source.partition, arguments, value, source.declared_at, diagnostics);
}

// Networks and their inputs are loaded elsewhere, but that they are there is part of a check.
void check_network_files(const ModelFile& model, Phase phase, Diagnostics& diagnostics) {
  for (const PredicateDeclaration& predicate : model.predicates) {
    if (!predicate.neural) continue;
    for (const auto& [name, value] : network_options(predicate, phase)) {
      const NetworkOptionInfo* option = find_network_option(name);
      if (option == nullptr || option->kind != NetworkOptionKind::kPath) continue;
      const std::string path = relative_to(model.path, value.substr(0, value.find("::")));
      std::error_code error;
      if (std::filesystem::exists(path, error)) continue;
      diagnostics.error(
          DiagnosticCode::kUnreadableFile,
          option_place(predicate, phase, name),
          fmt::format("the `{}` of `{}` does not exist: {}", name, predicate.name, path));
    }
  }
}

// Values come from the network or from the data, not from both.
void check_observations(const ModelFile& model,
                        Phase phase,
                        const Database& database,
                        Diagnostics& diagnostics) {
  for (PredicateId p = 0; p < model.predicates.size(); ++p) {
    const auto& predicate = model.predicates[p];
    const Table& observed = database.relation(p).table(Partition::kObserved);
    if (!predicate.neural || observed.num_rows == 0) continue;
    diagnostics
        .error(
            DiagnosticCode::kObservedNeural,
            database.origin(p, {Partition::kObserved, 0}),
            fmt::format("`{}` is a deep predicate, whose values its network computes, but it has "
                        "{} observation{} ({})",
                        predicate.name,
                        observed.num_rows,
                        observed.num_rows == 1 ? "" : "s",
                        name_of(phase)))
        .notes.push_back({"known classes of entities are its `truth`; if all values are known, "
                          "leave out `\"type\": \"DeepPredicate\"`",
                          {}});
  }
}

}  // namespace

LoadedModel load_draft(const ModelDraft& draft,
                       Phase phase,
                       std::span<const OptionSetting> overrides,
                       const LoadOptions& options,
                       Diagnostics& diagnostics) {
  const ModelFile& model = draft.model;
  check_overrides(overrides, diagnostics);
  warn_of_ignored_options(model, overrides, diagnostics);
  auto resolved = options_of(model, phase, overrides);
  Program program = compile_model(draft, phase, resolved, diagnostics);
  Database database(program.predicates);
  const PhaseData data = data_of(model, phase);
  load_files(database, data.files, options, diagnostics);
  for (const auto& [predicate, source] : data.rows) {
    add_inline_row(predicate, *source, model.predicates[predicate].arity, database, diagnostics);
  }
  check_network_files(model, phase, diagnostics);
  if (!diagnostics.has_errors()) check_feature_modules(model, phase, diagnostics);
  check_observations(model, phase, database, diagnostics);
  if (!diagnostics.has_errors()) add_network_targets(model, phase, database, diagnostics);
  LoadedModel result{std::move(program), std::move(database), {}, std::move(resolved), {}};
  for (const PredicateDeclaration& predicate : model.predicates) {
    result.evaluations.push_back(predicate.evaluations);
  }
  return result;
}

namespace {

// Throws if there are errors; what is left are warnings.
std::vector<Diagnostic> throw_if_errors(const ModelFile& model, Diagnostics& diagnostics) {
  const bool wrong = diagnostics.has_errors();
  std::vector<Diagnostic> all = finish_diagnostics(model, diagnostics);
  if (wrong) throw InputError(std::move(all));
  return all;
}

}  // namespace

ModelFile read_model(const std::string& path, const std::string& data_path) {
  Diagnostics diagnostics;
  ModelDraft draft = open_model(path, data_path, diagnostics);
  throw_if_errors(draft.model, diagnostics);
  return std::move(draft.model);
}

namespace {

// Formulas stand above networks in Markov logic alone.
void refuse_logic_layers(const ModelFile& model, Phase phase, Diagnostics& diagnostics) {
  for (const PredicateDeclaration& predicate : model.predicates) {
    if (!predicate.neural) continue;
    const auto options = network_options(predicate, phase);
    const auto layer = options.find("layer");
    if (layer == options.end() || layer->second != "logicmp") continue;
    diagnostics
        .error(DiagnosticCode::kBadNetwork,
               option_place(predicate, phase, "layer"),
               fmt::format("`{}` has a logic layer, but the model is none of Markov logic",
                           predicate.name))
        .notes.push_back(
            {"add `\"semantics\": \"markov-logic\"` to the model, or leave out `layer`", {}});
  }
}

}  // namespace

LoadedModel load_model(const ModelFile& model,
                       Phase phase,
                       const LoadOptions& options,
                       std::span<const OptionSetting> overrides) {
  Diagnostics diagnostics;
  const ModelDraft draft{model, {}, true};
  refuse_logic_layers(model, phase, diagnostics);
  LoadedModel result = load_draft(draft, phase, overrides, options, diagnostics);
  result.warnings = throw_if_errors(model, diagnostics);
  return result;
}

}  // namespace sorites
