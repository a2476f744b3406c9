#include "session/model_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "base/constant.h"
#include "data/insert.h"
#include "data/sources/column_file.h"
#include "data/sources/load.h"
#include "data/sources/load_tables.h"
#include "lang/mln/closed_worlds.h"
#include "lang/mln/read_mln.h"
#include "modelfile/network_options.h"
#include "modelfile/options.h"
#include "modelfile/predicate_reader.h"
#include "perception/feature_module.h"
#include "perception/network_inputs.h"
#include "perception/network_settings.h"
#include "semantics/mean_field_settings.h"
#include "semantics/semantics.h"
#include "session/option_catalog.h"
#include "sorites/evaluate.h"

namespace sorites {
namespace {

struct PhaseData {
  std::vector<DataFile> files;
  std::vector<TableSource> tables;
  std::vector<std::pair<PredicateId, const DataSource*>> rows;
};

PhaseData data_of(const ModelFile& model, Phase phase) {
  PhaseData result;
  for (PredicateId p = 0; p < model.predicates.size(); ++p) {
    for (const DataSource& source : model.predicates[p].data) {
      if (!holds_in(source.section, phase)) continue;
      if (source.table) {
        result.tables.push_back({p, source.partition, source.table.get()});
      } else if (source.path.empty()) {
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
  add_row(
      database, {predicate, source.partition, arguments, value, source.declared_at}, diagnostics);
}

// The same network option by two names, for the same phase or for all: those that have no effect.
std::set<std::string> warn_of_network_options(const PredicateDeclaration& predicate,
                                              Phase phase,
                                              Diagnostics& diagnostics) {
  std::vector<OptionSetting> options;
  for (const auto& [name, value] : network_options(predicate, phase)) {
    options.push_back({name, value, option_place(predicate, phase, name), {}});
  }
  return warn_of_other_names(options, network_option_catalog(), diagnostics);
}

// Networks and their inputs are loaded elsewhere, but that they are there is part of a check.
void check_network_file(const PredicateDeclaration& predicate,
                        std::string_view option,
                        const Span& place,
                        const std::string& path,
                        Diagnostics& diagnostics) {
  const auto column_file = column_file_view(path);
  if (column_file && !column_file->view.empty()) {
    diagnostics
        .error(DiagnosticCode::kBadNetwork,
               place,
               fmt::format("`{}`: a network reads a column file, not its rows `#{}`",
                           predicate.name,
                           column_file->view))
        .notes.push_back({fmt::format("leave out `#{}`", column_file->view), {}});
    return;
  }
  std::error_code error;
  if (std::filesystem::exists(path, error)) return;
  diagnostics.error(
      DiagnosticCode::kUnreadableFile,
      place,
      fmt::format("the `{}` of `{}` does not exist: {}", option, predicate.name, path));
}

void check_network_files(const ModelFile& model, Phase phase, Diagnostics& diagnostics) {
  for (const PredicateDeclaration& predicate : model.predicates) {
    if (!predicate.neural) continue;
    const auto without_effect = warn_of_network_options(predicate, phase, diagnostics);
    const auto options = network_options(predicate, phase);
    const auto kind = options.find("network");
    const bool registered =
        kind != options.end() && kind->second == name_of(NetworkKind::kRegistered);
    for (const auto& [name, value] : options) {
      const OptionInfo* option = network_option_catalog().find(name);
      if (option == nullptr || option->kind != OptionKind::kPath) continue;
      if (registered && option->name == "module") continue;  // a name
      if (without_effect.contains(name)) continue;
      check_network_file(predicate,
                         name,
                         option_place(predicate, phase, name),
                         relative_to(model.path, std::string(without_class(value))),
                         diagnostics);
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

namespace {

// Metrics that suit queries whose truth is known.
std::vector<Evaluation> evaluations_of(const Predicate& predicate, const Relation& relation) {
  if (relation.table(Partition::kTruth).num_rows == 0) return {};
  std::vector<Evaluation> evaluations(2);
  evaluations[0].evaluator = name_of(Evaluator::kAuc);
  evaluations[1].evaluator =
      name_of(predicate.has_classes ? Evaluator::kCategorical : Evaluator::kDiscrete);
  return evaluations;
}

void warn_of_no_facts(const ModelFile& model, Diagnostics& diagnostics) {
  const std::filesystem::path path = model.mln_path;
  if (path.extension() != ".mln" || !model.mln_data_path.empty()) return;
  const std::string beside = std::filesystem::path(path).replace_extension(".db").string();
  diagnostics
      .warning(DiagnosticCode::kNoFacts,
               Span{model.mln_path},
               fmt::format("there are no facts: no --data was given, and there is no `{}`", beside))
      .notes.push_back({"give the file that has them: --data FILE.db", {}});
}

LoadedModel load_markov_text(const ModelFile& model,
                             Phase phase,
                             std::span<const OptionSetting> overrides,
                             Diagnostics& diagnostics) {
  markov::LoadedProgram read = markov::read_mln(model.mln_path, model.mln_data_path, diagnostics);
  if (!diagnostics.has_errors()) warn_of_no_facts(model, diagnostics);
  LoadedModel result{std::move(read.program),
                     std::move(read.database),
                     {},
                     settings_of(model, phase, overrides),
                     {}};
  if (!diagnostics.has_errors()) result.class_targets.emplace().complete(result.database);
  if (!diagnostics.has_errors() && guesses_closed_worlds(result.options)) {
    markov::guess_closed_worlds(result.program, result.database, diagnostics);
  }
  for (PredicateId p = 0; p < result.program.predicates.size(); ++p) {
    result.evaluations.push_back(
        evaluations_of(result.program.predicates[p], result.database.relation(p)));
  }
  return result;
}

}  // namespace

LoadedModel load_draft(const ModelDraft& draft,
                       Phase phase,
                       std::span<const OptionSetting> overrides,
                       const LoadOptions& options,
                       Diagnostics& diagnostics) {
  const ModelFile& model = draft.model;
  if (model.is_text_of_markov_logic()) {
    check_overrides(overrides, option_catalog(), diagnostics);
    warn_of_ignored_options(model, overrides, option_catalog(), diagnostics);
    return load_markov_text(model, phase, overrides, diagnostics);
  }
  check_overrides(overrides, option_catalog(), diagnostics);
  warn_of_ignored_options(model, overrides, option_catalog(), diagnostics);
  auto resolved = settings_of(model, phase, overrides);
  Program program = declare_program(model, phase, resolved);
  Database database(program.predicates, program.domains);
  // In Markov logic, rules have weights for constants that the data has.
  const bool rules_first = model.language == Language::kPsl;
  if (rules_first) add_model_rules(draft, phase, program, database, diagnostics);
  const PhaseData data = data_of(model, phase);
  load_files(database, data.files, options, diagnostics);
  load_tables(database, data.tables, options, diagnostics);
  for (const auto& [predicate, source] : data.rows) {
    add_inline_row(predicate, *source, model.predicates[predicate].arity, database, diagnostics);
  }
  ClassTargets class_targets;
  if (!diagnostics.has_errors()) class_targets = settle_class_rows(database, diagnostics);
  if (!rules_first) add_model_rules(draft, phase, program, database, diagnostics);
  add_model_unaries(draft, phase, program, database, diagnostics);
  check_network_files(model, phase, diagnostics);
  if (!diagnostics.has_errors()) check_feature_modules(model, phase, diagnostics);
  check_observations(model, phase, database, diagnostics);
  if (!diagnostics.has_errors()) add_network_targets(model, phase, database, diagnostics);
  LoadedModel result{std::move(program), std::move(database), {}, std::move(resolved), {}};
  if (!diagnostics.has_errors()) result.class_targets = std::move(class_targets);
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

ModelFile read_model(const std::string& path,
                     const std::string& data_path,
                     const std::stop_token& stop) {
  Diagnostics diagnostics;
  ModelDraft draft = open_model(path, data_path, diagnostics, stop);
  throw_if_errors(draft.model, diagnostics);
  return std::move(draft.model);
}

namespace {

// Formulas stand above networks where the semantics has such layers.
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
  if (!traits_of(model.semantics).logic_layers) refuse_logic_layers(model, phase, diagnostics);
  LoadedModel result = load_draft(draft, phase, overrides, options, diagnostics);
  result.warnings = throw_if_errors(model, diagnostics);
  return result;
}

}  // namespace sorites
