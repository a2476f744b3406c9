#include "perception/feature_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "data/sources/file_bytes.h"

namespace sorites {
namespace {

constexpr const char* kHowToSave = "save it by torch.jit.script(module).save(\"encoder.pt\")";

// TorchScript files are zip archives: they begin with the head of a member, and the record of their
// end stands in the last bytes, before a comment of at most 65535. Empty if it may be one.
std::string why_no_archive(std::string_view bytes) {
  constexpr std::size_t kLongestEnd = 22 + 65535;
  if (!bytes.starts_with("PK\x03\x04")) return "it is no TorchScript file";
  const std::string_view end = bytes.substr(bytes.size() - std::min(bytes.size(), kLongestEnd));
  return end.find("PK\x05\x06") == std::string_view::npos ? "it is cut off" : "";
}

// The features that `run` makes, if they are as they should be.
std::optional<FeatureArray> made_by(const std::function<FeatureArray()>& run,
                                    const NetworkData& data,
                                    const PredicateDeclaration& declaration,
                                    Phase phase,
                                    const std::function<std::string(std::size_t)>& entity_of_row,
                                    Diagnostics& sink) {
  const Span place = option_place(declaration, phase, "features");
  FeatureArray made;
  try {
    made = run();
  } catch (const NetworkError& error) {
    sink.error(DiagnosticCode::kBadFeatures,
               place,
               fmt::format("`{}`: {}", declaration.name, error.what()));
    return std::nullopt;
  }
  const auto bad = std::find_if_not(
      made.values.begin(), made.values.end(), [](float v) { return std::isfinite(v); });
  if (bad == made.values.end()) return made;
  const auto row = static_cast<std::size_t>(bad - made.values.begin()) / made.row_size();
  sink.error(DiagnosticCode::kBadFeatures,
             place,
             fmt::format("`{}`: of the entity {} the TorchScript file `{}` makes features that are "
                         "not finite: {}",
                         declaration.name,
                         entity_of_row(row),
                         data.feature_module,
                         *bad))
      .notes.push_back(
          {data.sees_numbers()
               ? "look what it makes of the entity's row number"
               : fmt::format("look what it makes of the entity's row in `{}`; features "
                             "that do not vary are often divided by 0",
                             data.features),
           {}});
  return std::nullopt;
}

// The numbers of rows that entities have, each once; rows become places in them.
std::vector<std::int64_t> distinct_numbers(std::vector<std::uint32_t>& rows) {
  std::unordered_map<std::uint32_t, std::uint32_t> place_of;
  std::vector<std::int64_t> numbers;
  for (std::uint32_t& row : rows) {
    const auto [place, is_new] =
        place_of.try_emplace(row, static_cast<std::uint32_t>(numbers.size()));
    if (is_new) numbers.push_back(row);
    row = place->second;
  }
  return numbers;
}

}  // namespace

void check_feature_modules(const ModelFile& file, Phase phase, Diagnostics& sink) {
  for (const PredicateDeclaration& predicate : file.predicates) {
    if (!predicate.neural) continue;
    Diagnostics elsewhere;  // other mistakes are told when networks are made
    const std::string path = network_data(file, predicate, phase, elsewhere).feature_module;
    if (path.empty()) continue;
    const OpenedFile opened = open_file(path);
    const std::string why =
        opened.error.empty() ? why_no_archive(opened.bytes.view()) : opened.error;
    if (why.empty()) continue;
    sink.error(DiagnosticCode::kBadFeatures,
               option_place(predicate, phase, "features"),
               fmt::format(
                   "cannot take the features of `{}` from `{}`: {}", predicate.name, path, why))
        .notes.push_back({kHowToSave, {}});
  }
}

void make_features(const NetworkData& data,
                   const PredicateDeclaration& declaration,
                   Phase phase,
                   FeatureTable& table,
                   Diagnostics& sink) {
  const auto run = [&] { return run_feature_module(data.feature_module, table.array()); };
  const auto entity_of_row = [&](std::size_t row) {
    for (const std::string& key : table.keys()) {
      if (table.row_of(key) == row) return entity_text(key);
    }
    return fmt::format("of row {}", row);
  };
  auto made = made_by(run, data, declaration, phase, entity_of_row, sink);
  if (made) table.array() = std::move(*made);
}

void make_features(const NetworkSettings& settings,
                   const PredicateDeclaration& declaration,
                   Phase phase,
                   DataOfNetwork& data,
                   Diagnostics& sink) {
  const std::string& module = settings.data.feature_module;
  NetworkInputs& inputs = data.inputs;
  const auto run = [&] {
    return settings.data.sees_numbers() ? run_feature_module(module, distinct_numbers(inputs.rows))
                                        : run_feature_module(module, inputs.features);
  };
  const auto entity_of_row = [&](std::size_t row) {
    const auto place = std::find(inputs.rows.begin(), inputs.rows.end(), row);
    const auto part = static_cast<std::size_t>(place - inputs.rows.begin());
    return data.entities[part / settings.network.num_parts];
  };
  auto made = made_by(run, settings.data, declaration, phase, entity_of_row, sink);
  if (!made) return;
  data.input_shape = made->shape;
  inputs.features = std::move(*made);
}

}  // namespace sorites
