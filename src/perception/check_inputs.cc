#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include "perception/check_options.h"

namespace sorites {
namespace {

class InputChecker {
 public:
  InputChecker(const NetworkOptions& options, const NetworkInputs& inputs)
      : options_(options), inputs_(inputs) {}

  void check() const {
    check_features();
    check_sentences();
    const std::size_t num_entities = check_rows();
    check_outputs(num_entities);
    check_labels(num_entities);
  }

 private:
  template <class... Args>
  void require(bool holds, fmt::format_string<Args...> what, Args&&... args) const {
    if (holds) return;
    throw NetworkError(fmt::format(
        "network `{}`: {}", options_.name, fmt::format(what, std::forward<Args>(args)...)));
  }

  void check_features() const {
    if (options_.kind == NetworkKind::kEmbedding) return;
    const FeatureArray& features = inputs_.features;
    require(features.values.empty() || features.shape == options_.input_shape,
            "it was made for features of the shape ({}), but these have the shape ({})",
            fmt::join(options_.input_shape, ", "),
            fmt::join(features.shape, ", "));
    if (features.values.empty()) return;
    require(features.values.size() % features.row_size() == 0, "its features end within a row");
    const auto bad = std::find_if(features.values.begin(), features.values.end(), [](float value) {
      return !std::isfinite(value);
    });
    require(bad == features.values.end(),
            "row {} of its features holds a number that is not finite",
            static_cast<std::size_t>(bad - features.values.begin()) / features.row_size());
  }

  void check_sentences() const {
    const std::vector<std::uint32_t>& begins = inputs_.sentence_begins;
    const std::size_t num_rows = inputs_.features.num_rows();
    const bool ascend =
        std::adjacent_find(begins.begin(), begins.end(), std::greater_equal<>()) == begins.end();
    require(begins.empty() || (begins.front() == 0 && begins.back() < num_rows && ascend),
            "its sentences do not begin one behind the other, from row 0 to below {}",
            num_rows);
    require(begins.empty() == (options_.kind != NetworkKind::kBilstm) || num_rows == 0,
            "a bilstm, and nothing else, has sentences");
  }

  // Returns how many entities there are.
  std::size_t check_rows() const {
    const std::size_t num_rows = options_.kind == NetworkKind::kEmbedding
                                     ? options_.vocabulary.size()
                                     : inputs_.features.num_rows();
    require(inputs_.rows.size() % options_.num_parts == 0,
            "there are {} rows for entities of {} parts",
            inputs_.rows.size(),
            options_.num_parts);
    for (const std::uint32_t row : inputs_.rows) {
      require(row < num_rows, "an entity has row {}, but there are {} rows", row, num_rows);
    }
    return inputs_.rows.size() / options_.num_parts;
  }

  void check_outputs(std::size_t num_entities) const {
    require(inputs_.entity_of.size() == inputs_.class_of.size(),
            "{} outputs have entities, but {} have classes",
            inputs_.entity_of.size(),
            inputs_.class_of.size());
    for (const std::uint32_t entity : inputs_.entity_of) {
      require(entity < num_entities, "output of entity {}, but there are {}", entity, num_entities);
    }
    for (const std::uint32_t number : inputs_.class_of) {
      require(number < options_.num_classes,
              "an atom is of class {}, but the network has {} classes, counted from 0",
              number,
              options_.num_classes);
    }
  }

  void check_labels(std::size_t num_entities) const {
    const auto& labels = inputs_.labels;
    require(labels.empty() || labels.size() == num_entities * options_.num_classes,
            "there are {} labels for {} entities of {} classes",
            labels.size(),
            num_entities,
            options_.num_classes);
    for (const float label : labels) {
      require(std::isnan(label) || (label >= 0.0F && label <= 1.0F),
              "a label is {}, but must be in [0, 1]",
              label);
    }
  }

  const NetworkOptions& options_;
  const NetworkInputs& inputs_;
};

}  // namespace

void check_inputs(const NetworkOptions& options, const NetworkInputs& inputs) {
  InputChecker(options, inputs).check();
}

void check_samples(std::size_t num_outputs,
                   std::span<const std::vector<std::uint32_t>> outputs_of_sample) {
  for (std::size_t sample = 0; sample < outputs_of_sample.size(); ++sample) {
    for (const std::uint32_t output : outputs_of_sample[sample]) {
      if (output >= num_outputs) {
        throw NetworkError(fmt::format(
            "sample {} has output {}, but the networks have {}", sample, output, num_outputs));
      }
    }
  }
}

}  // namespace sorites
