// Features of entities, from the files that a deep predicate names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perception/entity_list.h"
#include "perception/network_settings.h"
#include "perception/networks.h"
#include "perception/token_rows.h"

namespace sorites {

// Rows of numbers, and which is whose. A part of an entity is what has one row: the whole entity,
// but for networks that compare two parts.
class FeatureTable {
 public:
  // Entities have no features here: embeddings, whose rows are numbered as they appear.
  FeatureTable() = default;
  // A part's only argument is the row number.
  explicit FeatureTable(FeatureArray array)
      : array_(std::move(array)), numbered_(true), num_numbers_(array_.num_rows()) {}
  // The same without rows: any number will do.
  static FeatureTable of_any_number();
  FeatureTable(FeatureArray array, EntityRows rows, std::vector<std::string> labels = {})
      : array_(std::move(array)), rows_(std::move(rows)), labels_(std::move(labels)) {}

  explicit FeatureTable(TokenRows tokens);

  const FeatureArray& array() const { return array_; }
  FeatureArray& array() { return array_; }
  std::optional<std::uint32_t> row_of(const std::string& key) const;
  std::vector<std::string> keys() const;  // of all parts that have a row
  // Per row: the class that the file gives it; empty if it has no column of them.
  const std::vector<std::string>& labels() const { return labels_; }
  // Where sentences begin; empty: rows are on their own.
  const std::vector<std::uint32_t>& sentence_begins() const { return sentence_begins_; }

 private:
  FeatureArray array_;
  EntityRows rows_;
  std::vector<std::string> labels_;
  std::vector<std::uint32_t> sentence_begins_;
  bool numbered_ = false;
  std::uint64_t num_numbers_ = 0;  // if so: numbers are below it
};

// The types of the arguments of the entity's parts; `num_parts` parts are alike.
std::vector<ArgumentType> part_types(const NetworkData& data,
                                     const Predicate& predicate,
                                     std::size_t num_parts);

// Reads the files. None, with errors in the sink, if they cannot be used. Without `features` only
// the entities are read. What a feature module makes of them is not found here.
std::optional<FeatureTable> read_feature_table(const NetworkData& data,
                                               const PredicateDeclaration& declaration,
                                               Phase phase,
                                               std::span<const ArgumentType> types,
                                               Diagnostics& sink);

}  // namespace sorites
