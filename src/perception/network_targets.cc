// Atoms of deep predicates that nobody listed.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/constant.h"
#include "data/insert.h"
#include "modelfile/network_options.h"
#include "modelfile/network_priors.h"
#include "modelfile/predicate_reader.h"
#include "perception/feature_table.h"
#include "perception/network_inputs.h"

namespace sorites {
namespace {

bool is_siamese(const PredicateDeclaration& predicate, Phase phase) {
  const auto options = network_options(predicate, phase);
  const auto kind = options.find("network");
  return kind != options.end() && kind->second == name_of(NetworkKind::kSiamese);
}

void add_atoms(const NetworkData& data,
               const std::vector<std::string>& keys,
               PredicateId predicate,
               const PredicateDeclaration& declaration,
               Database& database,
               Diagnostics& sink) {
  const std::vector<std::string> one = {""};
  for (const std::string& key : keys) {
    const std::vector<std::string> entity = arguments_of(key);
    for (const std::string& constant : data.class_argument ? data.classes : one) {
      std::vector<std::string_view> arguments(declaration.arity);
      for (std::size_t k = 0; k < entity.size(); ++k) {
        arguments[data.entity_arguments[k]] = entity[k];
      }
      if (data.class_argument) arguments[*data.class_argument] = constant;
      const std::size_t errors = sink.num_errors();
      add_row(database,
              {predicate, Partition::kTarget, arguments, std::nullopt, declaration.declared_at},
              sink);
      if (sink.num_errors() > errors) return;  // the others are wrong in the same way
    }
  }
}

// What a network is the prior of has the same atoms.
void copy_to_priors(const ModelFile& file, Database& database, Diagnostics& sink) {
  for (PredicateId p = 0; p < file.predicates.size(); ++p) {
    const PredicateDeclaration& declaration = file.predicates[p];
    if (declaration.neural || !has_prior(declaration)) continue;
    const auto network = find_declaration(file, prior_name(declaration));
    if (!network || database.relation(p).table(Partition::kTarget).num_rows > 0) continue;
    const auto from = static_cast<PredicateId>(*network);
    const std::size_t num_rows = database.relation(from).table(Partition::kTarget).num_rows;
    for (std::uint32_t row = 0; row < num_rows; ++row) {
      const auto arguments = database.arguments(from, {Partition::kTarget, row});
      const std::vector<std::string_view> views(arguments.begin(), arguments.end());
      add_row(
          database, {p, Partition::kTarget, views, std::nullopt, declaration.declared_at}, sink);
    }
  }
}

void warn_of_no_entities(const PredicateDeclaration& declaration, Phase phase, Diagnostics& sink) {
  sink.warning(DiagnosticCode::kNoEntities,
               declaration.declared_at,
               fmt::format("`{}` is a deep predicate without atoms in the phase `{}`",
                           declaration.name,
                           name_of(phase)))
      .notes.push_back({"list them as `targets`, or give features that name their entities: an "
                        "array, an entity-data map, or a file of `entities`",
                        {}});
}

// The number of the class that a label means: as it is written, or as a number.
std::optional<std::size_t> class_of(const std::string& label, const NetworkData& data) {
  const auto find = [&](const std::string& text) {
    return std::find(data.classes.begin(), data.classes.end(), text);
  };
  auto found = find(label);
  const auto number = parse_real(label);
  if (found == data.classes.end() && number) found = find(fmt::format("{:.0f}", *number));
  if (found == data.classes.end()) return std::nullopt;
  return static_cast<std::size_t>(found - data.classes.begin());
}

bool is_target(PredicateId id,
               std::span<const std::string_view> arguments,
               const Database& database) {
  const Predicate& predicate = database.predicates()[id];
  std::vector<Code> codes;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const auto text = canonical_constant(constant_type(predicate.types[k]), arguments[k]);
    const auto code =
        database.dictionary(predicate.domain(k)).find(text.value_or(std::string(arguments[k])));
    if (!code) return false;
    codes.push_back(*code);
  }
  return database.relation(id).find(codes).has_value();
}

// The classes that an entity-data map gives are truth of the atoms that are targets.
void add_truth(const FeatureTable& table,
               const NetworkData& data,
               PredicateId id,
               const Span& place,
               Database& database,
               Diagnostics& sink) {
  const Predicate& predicate = database.predicates()[id];
  for (const std::string& key : table.keys()) {
    const std::string& label = table.labels()[*table.row_of(key)];
    const auto number = class_of(label, data);
    if (!number) {
      sink.error(DiagnosticCode::kUnknownClass,
                 place,
                 fmt::format("`{}`: the label `{}` of the entity {} is none of its {} classes",
                             predicate.name,
                             label,
                             entity_text(key),
                             data.classes.size()))
          .notes.push_back({"correct `label-column`, `class-size` or `classes`", {}});
      return;
    }
    const std::vector<std::string> entity = arguments_of(key);
    std::vector<std::string_view> arguments(predicate.arity());
    for (std::size_t k = 0; k < entity.size(); ++k) arguments[data.entity_arguments[k]] = entity[k];
    arguments[*data.class_argument] = data.classes[*number];
    if (!is_target(id, arguments, database)) continue;
    add_row(database, {id, Partition::kTruth, arguments, 1.0, place}, sink);
  }
}

// What the features of one deep predicate say about its atoms.
void add_of_network(
    const ModelFile& file, PredicateId p, Phase phase, Database& database, Diagnostics& sink) {
  const PredicateDeclaration& declaration = file.predicates[p];
  const Relation& relation = database.relation(p);
  const auto options = network_options(declaration, phase);
  const bool python = std::any_of(
      options.begin(), options.end(), [](const auto& one) { return is_python_class(one.second); });
  if (python) return;  // what its features are, the class alone knows
  const bool listed = relation.table(Partition::kTarget).num_rows > 0;
  const bool wants_truth =
      options.contains("label-column") && relation.table(Partition::kTruth).num_rows == 0;
  if (listed && !wants_truth) return;
  const bool has_entities = (options.contains("features") || options.contains("entities") ||
                             options.contains("entity-data-map-path")) &&
                            !is_siamese(declaration, phase);
  if (!has_entities) return listed ? void() : warn_of_no_entities(declaration, phase, sink);
  const std::size_t errors = sink.num_errors();
  const NetworkData data = network_data(file, declaration, phase, sink);
  if (sink.num_errors() > errors) return;
  if (data.sees_numbers() && data.entities.empty()) {  // of any entity that is named
    return listed ? void() : warn_of_no_entities(declaration, phase, sink);
  }
  const auto types = part_types(data, database.predicates()[p], 1);
  const auto table = read_feature_table(data, declaration, phase, types, sink);
  if (!table) return;
  if (!listed) add_atoms(data, table->keys(), p, declaration, database, sink);
  if (!wants_truth || !data.class_argument || table->labels().empty()) return;
  const Span place = option_place(declaration, phase, "label-column");
  add_truth(*table, data, p, place, database, sink);
}

}  // namespace

void add_network_targets(const ModelFile& file,
                         Phase phase,
                         Database& database,
                         Diagnostics& sink) {
  for (PredicateId p = 0; p < file.predicates.size(); ++p) {
    const bool observed = database.relation(p).table(Partition::kObserved).num_rows > 0;
    if (!file.predicates[p].neural || observed) continue;
    add_of_network(file, p, phase, database, sink);
  }
  copy_to_priors(file, database, sink);
}

}  // namespace sorites
