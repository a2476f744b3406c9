#include "perception/feature_table.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "base/constant.h"
#include "perception/read_features.h"

namespace sorites {
namespace {

// Row numbers are 32 bits, the last of which stands for none.
constexpr std::uint64_t kAnyNumber = ~std::uint32_t{0};

// An array, rather than lines of text. Of packed files the name has to tell.
bool is_feature_array(const std::string& path) {
  char first[2] = {' ', ' '};
  std::ifstream(path, std::ios::binary).read(first, sizeof first);
  const std::string_view begin(first, sizeof first);
  if (begin != std::string_view("\x1f\x8b", 2)) {
    return begin == std::string_view("\x93N", 2) || begin == std::string_view("\0\0", 2);
  }
  const std::string name = std::filesystem::path(path).filename().string();
  return name.find(".npy") != std::string::npos || name.find("idx") != std::string::npos;
}

// Rows as the model wants them.
bool reshape(const NetworkData& data,
             const PredicateDeclaration& declaration,
             Phase phase,
             FeatureArray& array,
             Diagnostics& sink) {
  if (data.input_shape.empty()) return true;
  const std::size_t before = array.row_size();
  const std::vector<std::size_t> shape = std::exchange(array.shape, data.input_shape);
  if (array.row_size() == before) return true;
  sink.error(DiagnosticCode::kBadFeatures,
             option_place(declaration, phase, "input-shape"),
             fmt::format("`{}`: an entity has {} numbers, shape ({}), which do not fill the shape "
                         "({})",
                         declaration.name,
                         before,
                         fmt::join(shape, ", "),
                         fmt::join(data.input_shape, ", ")));
  return false;
}

void report_unnamed_rows(const NetworkData& data,
                         const PredicateDeclaration& declaration,
                         Phase phase,
                         std::size_t num_arguments,
                         Diagnostics& sink) {
  sink.error(
          DiagnosticCode::kBadFeatures,
          option_place(declaration, phase, data.features_option()),
          fmt::format("nothing says which row of `{}` belongs to which entity: an entity of `{}` "
                      "has {} arguments, and one would be the row number",
                      data.sees_numbers() ? data.feature_module : data.features,
                      declaration.name,
                      num_arguments))
      .notes.push_back({"list them in a file: `\"entities\": \"entities.tsv\"`, with the arguments "
                        "and the row number on each line",
                        {}});
}

// The only argument of a token is its line.
std::optional<FeatureTable> read_tokens(const NetworkData& data,
                                        const PredicateDeclaration& declaration,
                                        Phase phase,
                                        std::span<const ArgumentType> types,
                                        Diagnostics& sink) {
  if (types.size() != 1) {
    sink.error(
        DiagnosticCode::kBadFeatures,
        option_place(declaration, phase, data.features_option()),
        fmt::format("a token of `{}` is named by its line alone, but an entity of `{}` has {} "
                    "arguments",
                    data.features,
                    declaration.name,
                    types.size()));
    return std::nullopt;
  }
  if (!data.entities.empty() || !data.columns.is_plain() || !data.input_shape.empty()) {
    sink.error(
            DiagnosticCode::kBadNetwork,
            option_place(declaration, phase, data.features_option()),
            fmt::format("`{}`: `entities`, `skip-columns`, `label-column` and `input-shape` mean "
                        "nothing beside a column file of text",
                        declaration.name))
        .notes.push_back({"its tags are truth: `\"truth\": [\"train.conll#-1:bioes\"]`", {}});
    return std::nullopt;
  }
  auto tokens = read_token_rows(data.features, sink);
  if (!tokens) return std::nullopt;
  return FeatureTable(std::move(*tokens));
}

std::nullopt_t report_columns(const NetworkData& data,
                              const PredicateDeclaration& declaration,
                              Phase phase,
                              Diagnostics& sink) {
  const char* option = data.columns.label ? "label-column" : "skip-columns";
  sink.error(DiagnosticCode::kBadNetwork,
             option_place(declaration, phase, option),
             fmt::format("`{}`: `{}` is for entity-data maps, but `{}` is an array",
                         declaration.name,
                         option,
                         data.features))
      .notes.push_back({"leave these columns out when the array is written", {}});
  return std::nullopt;
}

// Arrays and entity-data maps.
std::optional<FeatureTable> read_rows(const NetworkData& data,
                                      const PredicateDeclaration& declaration,
                                      Phase phase,
                                      std::span<const ArgumentType> types,
                                      Diagnostics& sink) {
  const std::size_t errors = sink.num_errors();
  const bool is_map =
      data.entities.empty() && !data.sees_numbers() && !is_feature_array(data.features);
  FeatureArray array;
  std::vector<std::string> labels;
  if (is_map) {
    auto read = read_entity_features(data.features, types.size(), data.columns, sink);
    if (!read || !reshape(data, declaration, phase, read->array, sink)) return std::nullopt;
    array = std::move(read->array);
    labels = std::move(read->labels);
  } else if (!data.features.empty()) {
    if (!data.columns.is_plain()) return report_columns(data, declaration, phase, sink);
    auto read = read_feature_array(data.features, sink);
    if (!read || !reshape(data, declaration, phase, *read, sink)) return std::nullopt;
    array = std::move(*read);
  }
  if (!is_map && data.entities.empty()) {
    if (types.size() == 1) {
      return data.sees_numbers() ? FeatureTable::of_any_number() : FeatureTable(std::move(array));
    }
    report_unnamed_rows(data, declaration, phase, types.size(), sink);
    return std::nullopt;
  }
  const bool has_row_numbers = !is_map && (data.sees_numbers() || !data.features.empty());
  EntityRows rows =
      read_entities(is_map ? data.features : data.entities,
                    types,
                    has_row_numbers ? AfterEntity::kRowNumber : AfterEntity::kAnything,
                    data.sees_numbers() ? kAnyNumber : array.num_rows(),
                    option_place(declaration, phase, is_map ? data.features_option() : "entities"),
                    sink);
  if (sink.num_errors() > errors) return std::nullopt;
  return FeatureTable(std::move(array), std::move(rows), std::move(labels));
}

}  // namespace

FeatureTable::FeatureTable(TokenRows tokens)
    : array_(std::move(tokens.array)), sentence_begins_(std::move(tokens.sentence_begins)) {
  std::uint32_t row = 0, first_line = 0;
  for (const std::uint32_t line : tokens.lines) {
    rows_.add(std::to_string(line), row++, line, first_line);
  }
}

FeatureTable FeatureTable::of_any_number() {
  FeatureTable table{FeatureArray{}};
  table.num_numbers_ = kAnyNumber;
  return table;
}

std::optional<std::uint32_t> FeatureTable::row_of(const std::string& key) const {
  if (!numbered_) return rows_.row_of(key);
  const auto number = parse_integer(key);
  if (!number || *number < 0 || static_cast<std::uint64_t>(*number) >= num_numbers_) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(*number);
}

std::vector<std::string> FeatureTable::keys() const {
  if (!numbered_) return rows_.keys();
  std::vector<std::string> keys;
  for (std::size_t row = 0; row < array_.num_rows(); ++row) keys.push_back(std::to_string(row));
  return keys;
}

std::vector<ArgumentType> part_types(const NetworkData& data,
                                     const Predicate& predicate,
                                     std::size_t num_parts) {
  std::vector<ArgumentType> types;
  for (std::size_t k = 0; k < data.entity_arguments.size() / num_parts; ++k) {
    types.push_back(predicate.types[data.entity_arguments[k]]);
  }
  return types;
}

std::optional<FeatureTable> read_feature_table(const NetworkData& data,
                                               const PredicateDeclaration& declaration,
                                               Phase phase,
                                               std::span<const ArgumentType> types,
                                               Diagnostics& sink) {
  return has_token_rows(data.features) ? read_tokens(data, declaration, phase, types, sink)
                                       : read_rows(data, declaration, phase, types, sink);
}

}  // namespace sorites
