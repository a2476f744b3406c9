#include "perception/network_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <unordered_map>

#include "base/constant.h"
#include "perception/feature_module.h"
#include "perception/feature_table.h"
#include "perception/network_graph.h"

namespace sorites {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t kNothing = ~std::uint32_t{0};

// Mistakes of one kind: the first is shown, and how many there are.
struct Counted {
  std::size_t count = 0;
  std::string first;
  Span at;

  void add(const std::string& what, const Span& where) {
    if (count++ == 0) first = what, at = where;
  }
};

class InputReader {
 public:
  InputReader(const LoadedModel& loaded,
              PredicateId predicate,
              const NetworkSettings& settings,
              Diagnostics& sink)
      : database_(loaded.database),
        relation_(loaded.database.relation(predicate)),
        predicate_(predicate),
        name_(loaded.program.predicates[predicate].name),
        settings_(settings),
        types_(loaded.program.predicates[predicate].types),
        sink_(sink) {
    const auto& classes = settings.data.classes;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const ConstantType type = constant_type(types_[*settings.data.class_argument]);
      const std::string constant = canonical_constant(type, classes[c]).value_or(classes[c]);
      class_of_.emplace(constant, static_cast<std::uint32_t>(c));
    }
  }

  DataOfNetwork read(FeatureTable& table) {
    const std::size_t num_rows = relation_.table(Partition::kTarget).num_rows;
    for (std::uint32_t row = 0; row < num_rows; ++row) add_target({Partition::kTarget, row}, table);
    report();
    labels();
    return std::move(data_);
  }

 private:
  struct Named {
    std::vector<std::string> entity;
    std::uint32_t class_number = 0;  // kNothing: none of the classes
  };

  Named named(RowId row) const {
    const std::vector<std::string> arguments = database_.arguments(predicate_, row);
    Named result;
    for (const std::size_t k : settings_.data.entity_arguments) {
      result.entity.push_back(arguments[k]);
    }
    if (settings_.data.class_argument) {
      const auto found = class_of_.find(arguments[*settings_.data.class_argument]);
      result.class_number = found == class_of_.end() ? kNothing : found->second;
    }
    return result;
  }

  std::string key_of(const std::vector<std::string>& arguments) const {
    std::string key;
    for (const std::string& argument : arguments) key += (key.empty() ? "" : "\t") + argument;
    return key;
  }

  void add_target(RowId row, FeatureTable& table) {
    const Named atom = named(row);
    const Span at = database_.origin(predicate_, row);
    if (atom.class_number == kNothing) {
      outside_.add(
          fmt::format("{}('{}')", name_, fmt::join(database_.arguments(predicate_, row), "', '")),
          at);
      return;
    }
    const std::string key = key_of(atom.entity);
    const auto [found, is_new] =
        entity_of_.try_emplace(key, static_cast<std::uint32_t>(entity_of_.size()));
    if (is_new) add_entity(key, atom.entity, table, at);
    data_.inputs.entity_of.push_back(found->second);
    data_.inputs.class_of.push_back(atom.class_number);
  }

  void add_entity(const std::string& key,
                  const std::vector<std::string>& arguments,
                  FeatureTable& table,
                  const Span& at) {
    data_.entities.push_back(entity_text(key));
    const std::size_t num_parts = settings_.network.num_parts;
    const std::size_t size = arguments.size() / num_parts;
    for (std::size_t part = 0; part < num_parts; ++part) {
      const auto begin = arguments.begin() + static_cast<std::ptrdiff_t>(part * size);
      const std::vector<std::string> own(begin, begin + static_cast<std::ptrdiff_t>(size));
      const auto row = table.row_of(key_of(own));
      if (!row) missing_.add(entity_text(key_of(own)), at);
      data_.inputs.rows.push_back(row.value_or(0));
    }
  }

  std::string how_to_add_features() const {
    if (settings_.network.kind == NetworkKind::kEmbedding) {
      return "an embedding knows the entities that it was trained with only";
    }
    if (!settings_.data.entities.empty()) {
      return fmt::format("add it to `{}`", settings_.data.entities);
    }
    if (settings_.data.sees_numbers()) {
      return "the TorchScript file of its features gets row numbers: list them in a file, "
             "`\"entities\": \"entities.tsv\"`, or name entities by integers from 0";
    }
    return fmt::format("add it to `{}`", settings_.data.features);
  }

  void report() {
    if (missing_.count > 0) {
      sink_
          .error(DiagnosticCode::kMissingFeatures,
                 missing_.at,
                 missing_.count == 1
                     ? fmt::format("the entity {} of `{}` has no features", missing_.first, name_)
                     : fmt::format("{} entities of `{}` have no features, the first is {}",
                                   missing_.count,
                                   name_,
                                   missing_.first))
          .notes.push_back({how_to_add_features(), {}});
    }
    if (outside_.count == 0) return;
    const auto& classes = settings_.data.classes;
    const std::string list = classes.size() <= 5
                                 ? fmt::format("'{}'", fmt::join(classes, "', '"))
                                 : fmt::format("'{}', ..., '{}'", classes.front(), classes.back());
    sink_
        .error(DiagnosticCode::kUnknownClass,
               outside_.at,
               fmt::format("{} atom{} of `{}` {} of none of its {} classes ({}): {}{}",
                           outside_.count,
                           outside_.count == 1 ? "" : "s",
                           name_,
                           outside_.count == 1 ? "is" : "are",
                           classes.size(),
                           list,
                           outside_.count == 1 ? "" : "the first is ",
                           outside_.first))
        .notes.push_back({"correct `class-size` or `classes`, or the data", {}});
  }

  // Truth of atoms. With a softmax, what adds up to 1 already leaves nothing for the other classes.
  void labels() {
    const std::size_t num_classes = settings_.data.num_classes();
    const Table& truth = relation_.table(Partition::kTruth);
    if (truth.num_rows == 0 || sink_.has_errors()) return;
    std::vector<float> labels(data_.entities.size() * num_classes, kUnknown);
    for (std::uint32_t row = 0; row < truth.num_rows; ++row) {
      const Named atom = named({Partition::kTruth, row});
      const auto entity = entity_of_.find(key_of(atom.entity));
      if (atom.class_number == kNothing || entity == entity_of_.end()) continue;
      labels[entity->second * num_classes + atom.class_number] =
          static_cast<float>(truth.value(row));
    }
    if (settings_.network.output != OutputKind::kSigmoid) complete(labels, num_classes);
    const bool some = std::any_of(labels.begin(), labels.end(), [](float v) { return v == v; });
    if (some) data_.inputs.labels = std::move(labels);
  }

  // Where an entity's labels sum to 1, those that are not known are 0.
  static void complete(std::vector<float>& labels, std::size_t num_classes) {
    constexpr float kRounding = 1e-6F;  // of a sum near 1: 16 units in the last place
    for (std::size_t first = 0; first < labels.size(); first += num_classes) {
      float sum = 0.0F;
      for (std::size_t c = 0; c < num_classes; ++c) {
        if (labels[first + c] == labels[first + c]) sum += labels[first + c];
      }
      if (sum < 1.0F - kRounding) continue;
      for (std::size_t c = 0; c < num_classes; ++c) {
        float& label = labels[first + c];
        if (label != label) label = 0.0F;
      }
    }
  }

  const Database& database_;
  const Relation& relation_;
  PredicateId predicate_;
  const std::string& name_;
  const NetworkSettings& settings_;
  const std::vector<ArgumentType>& types_;
  Diagnostics& sink_;
  std::unordered_map<std::string, std::uint32_t> class_of_, entity_of_;
  Counted missing_, outside_;
  DataOfNetwork data_;
};

// Only the rows that entities have, so that data sets which share a file do not all hold it.
void keep_used_rows(const FeatureArray& all, NetworkInputs& inputs) {
  std::vector<std::uint32_t> new_number(all.num_rows(), kNothing);
  inputs.features.shape = all.shape;
  const std::size_t size = all.row_size();
  std::uint32_t next = 0;
  for (std::uint32_t& row : inputs.rows) {
    if (new_number[row] == kNothing) {
      new_number[row] = next++;
      const auto begin = all.values.begin() + static_cast<std::ptrdiff_t>(row * size);
      inputs.features.values.insert(
          inputs.features.values.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    }
    row = new_number[row];
  }
}

// The class of every entity whose label is certain; kNothing for the others.
std::vector<std::uint32_t> known_classes(const std::vector<float>& labels,
                                         std::size_t num_classes) {
  std::vector<std::uint32_t> classes(labels.size() / num_classes, kNothing);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == 1.0F) classes[i / num_classes] = static_cast<std::uint32_t>(i % num_classes);
  }
  return classes;
}

// Whether a column of the features is the class, by its number or its constant.
bool is_label(const NetworkInputs& inputs,
              std::size_t column,
              const std::vector<std::uint32_t>& class_of_entity,
              const std::vector<std::string>& constants) {
  bool numbers = true, texts = true;
  const std::size_t size = inputs.features.row_size();
  for (std::size_t e = 0; e < class_of_entity.size() && (numbers || texts); ++e) {
    const std::uint32_t own = class_of_entity[e];
    if (own == kNothing) continue;
    const auto value = static_cast<double>(inputs.features.values[inputs.rows[e] * size + column]);
    numbers = numbers && value == own;
    texts = texts && parse_real(constants[own]) == value;
  }
  return numbers || texts;
}

// A network that sees the class learns nothing else.
void warn_of_labels(const PredicateDeclaration& declaration,
                    Phase phase,
                    const NetworkSettings& settings,
                    const NetworkInputs& inputs,
                    Diagnostics& sink) {
  constexpr std::size_t kEnough = 20;  // labelled entities: fewer may agree by chance
  if (inputs.labels.empty() || inputs.features.shape.size() != 1 ||
      settings.network.num_parts != 1 || settings.data.classes.empty()) {
    return;
  }
  const auto classes = known_classes(inputs.labels, settings.data.num_classes());
  std::vector<std::uint32_t> known;
  std::copy_if(classes.begin(), classes.end(), std::back_inserter(known), [](auto number) {
    return number != kNothing;
  });
  const bool differ =
      std::adjacent_find(known.begin(), known.end(), std::not_equal_to<>()) != known.end();
  if (known.size() < kEnough || !differ) return;
  for (std::size_t column = 0; column < inputs.features.shape[0]; ++column) {
    if (!is_label(inputs, column, classes, settings.data.classes)) continue;
    sink.warning(
            DiagnosticCode::kLabelAmongFeatures,
            option_place(declaration, phase, settings.data.features_option()),
            fmt::format("feature {} of `{}` is the class of the entity, for all {} whose class "
                        "is known: the network sees what it should learn",
                        column,
                        declaration.name,
                        known.size()))
        .notes.push_back({fmt::format("leave it out: `\"label-column\": {}`, or `\"skip-columns\": "
                                      "[{}]`, in an entity-data map; features are counted from 0",
                                      column,
                                      column),
                          {}});
  }
}

// The vectors of an embedding: of the entities that it was trained with, or those that are there.
FeatureTable embedding_table(const std::vector<std::string>& vocabulary,
                             std::optional<FeatureTable> listed,
                             const LoadedModel& loaded,
                             PredicateId predicate,
                             const NetworkData& data) {
  std::vector<std::string> keys = vocabulary;
  if (keys.empty() && listed) keys = listed->keys();
  EntityRows rows;
  std::uint32_t line = 0;
  const auto add = [&](const std::string& key) {
    rows.add(key, static_cast<std::uint32_t>(rows.keys().size()), 0, line);
  };
  for (const std::string& key : keys) add(key);
  const std::size_t num_targets =
      loaded.database.relation(predicate).table(Partition::kTarget).num_rows;
  for (std::uint32_t row = 0; keys.empty() && row < num_targets; ++row) {
    const auto arguments = loaded.database.arguments(predicate, {Partition::kTarget, row});
    std::string key;
    for (const std::size_t k : data.entity_arguments) {
      key += (key.empty() ? "" : "\t") + arguments[k];
    }
    add(key);
  }
  return {FeatureArray{}, std::move(rows)};
}

}  // namespace

DataOfNetwork read_network_inputs(const ModelFile& file,
                                  const LoadedModel& loaded,
                                  PredicateId predicate,
                                  Phase phase,
                                  const NetworkSettings& settings,
                                  Diagnostics& sink) {
  const PredicateDeclaration& declaration = file.predicates[predicate];
  const bool embedding = settings.network.kind == NetworkKind::kEmbedding;
  const auto types =
      part_types(settings.data, loaded.program.predicates[predicate], settings.network.num_parts);
  std::optional<FeatureTable> table;
  if (!embedding || !settings.data.entities.empty()) {
    table = read_feature_table(settings.data, declaration, phase, types, sink);
    if (!table) return {};
  }
  if (embedding) {
    table = embedding_table(
        settings.network.vocabulary, std::move(table), loaded, predicate, settings.data);
  }
  const bool has_module = !settings.data.feature_module.empty();
  if (!settings.data.graph.empty()) {
    if (has_module) make_features(settings.data, declaration, phase, *table, sink);
    if (sink.has_errors() ||
        !average_over_graph(file, loaded, predicate, settings.data, *table, sink)) {
      return {};
    }
  }
  DataOfNetwork data = InputReader(loaded, predicate, settings, sink).read(*table);
  if (sink.has_errors()) return {};
  if (embedding) {
    data.vocabulary = table->keys();
  } else {
    data.input_shape = table->array().shape;
    if (!table->sentence_begins().empty()) {
      data.inputs.features = table->array();  // words are read with all others of their sentence
      data.inputs.sentence_begins = table->sentence_begins();
    } else if (!settings.data.sees_numbers()) {
      keep_used_rows(table->array(), data.inputs);
      warn_of_labels(declaration, phase, settings, data.inputs, sink);
    }
    if (has_module && settings.data.graph.empty()) {
      make_features(settings, declaration, phase, data, sink);
    }
  }
  return data;
}

}  // namespace sorites
