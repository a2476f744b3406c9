// Atoms of deep predicates that nobody listed.
#include <fmt/format.h>

#include "data/insert.h"
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

}  // namespace

void add_network_targets(const ModelFile& file,
                         Phase phase,
                         Database& database,
                         Diagnostics& sink) {
  for (PredicateId p = 0; p < file.predicates.size(); ++p) {
    const PredicateDeclaration& declaration = file.predicates[p];
    const Relation& relation = database.relation(p);
    if (!declaration.neural || relation.table(Partition::kTarget).num_rows > 0) continue;
    const auto options = network_options(declaration, phase);
    const bool has_entities = options.contains("features") || options.contains("entities") ||
                              options.contains("entity-data-map-path");
    if (!has_entities || is_siamese(declaration, phase) ||
        relation.table(Partition::kObserved).num_rows > 0) {
      continue;
    }
    const std::size_t errors = sink.num_errors();
    const NetworkData data = network_data(file, declaration, phase, sink);
    if (sink.num_errors() > errors) continue;
    if (data.sees_numbers() && data.entities.empty()) continue;  // of any entity that is named
    const auto types = part_types(data, database.predicates()[p], 1);
    const auto table = read_feature_table(data, declaration, phase, types, sink);
    if (table) add_atoms(data, table->keys(), p, declaration, database, sink);
  }
  copy_to_priors(file, database, sink);
}

}  // namespace sorites
