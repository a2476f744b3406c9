#include "torch/entities.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sorites {
namespace {

constexpr std::int64_t kNoPlace = -1;

torch::Tensor copied(const std::vector<std::int64_t>& numbers) {
  return torch::tensor(torch::ArrayRef<std::int64_t>(numbers), torch::kInt64);
}

}  // namespace

Entities::Entities(const NetworkOptions& options, NetworkInputs inputs)
    : inputs_(std::move(inputs)),
      size_(inputs_.rows.size() / options.num_parts),
      num_parts_(options.num_parts),
      num_classes_(options.num_classes),
      has_features_(options.kind != NetworkKind::kEmbedding),
      has_label_(size_, false) {
  if (has_features_) {
    std::vector<std::int64_t> extents = {static_cast<std::int64_t>(inputs_.features.num_rows())};
    for (const std::size_t extent : options.input_shape) {
      extents.push_back(static_cast<std::int64_t>(extent));
    }
    features_ = torch::from_blob(inputs_.features.values.data(), extents);
    place_.assign(inputs_.features.num_rows(), kNoPlace);
  }
  for (std::size_t i = 0; i < inputs_.labels.size(); ++i) {
    if (std::isnan(inputs_.labels[i]) || has_label_[i / num_classes_]) continue;
    has_label_[i / num_classes_] = true;
    ++num_labelled_;
  }
}

// Fills `part_place_` as well.
std::vector<std::int64_t> Entities::distinct_rows(std::span<const std::uint32_t> entities) {
  std::vector<std::int64_t> rows;
  part_place_.clear();
  for (const std::uint32_t entity : entities) {
    for (std::size_t part = 0; part < num_parts_; ++part) {
      const std::uint32_t row = inputs_.rows[entity * num_parts_ + part];
      if (place_[row] == kNoPlace) {
        place_[row] = std::ssize(rows);
        rows.push_back(row);
      }
      part_place_.push_back(place_[row]);
    }
  }
  for (const std::int64_t row : rows) place_[static_cast<std::size_t>(row)] = kNoPlace;
  return rows;
}

torch::Tensor Entities::features_at(const std::vector<std::int64_t>& rows) const {
  bool ascending = true;  // without gaps: a part of the table
  for (std::size_t i = 1; i < rows.size() && ascending; ++i) ascending = rows[i] == rows[i - 1] + 1;
  if (ascending && !rows.empty()) return features_.narrow(0, rows.front(), std::ssize(rows));
  return features_.index_select(0, copied(rows));
}

BatchInput Entities::batch(std::span<const std::uint32_t> entities) {
  const auto index_of = [&](const std::vector<std::int64_t>& places) {
    return copied(places).view(
        {static_cast<std::int64_t>(entities.size()), static_cast<std::int64_t>(num_parts_)});
  };
  if (!inputs_.sentence_begins.empty()) return sentences(entities);
  if (!has_features_) {
    part_place_.clear();
    for (const std::uint32_t entity : entities) {
      for (std::size_t part = 0; part < num_parts_; ++part) {
        part_place_.push_back(inputs_.rows[entity * num_parts_ + part]);
      }
    }
    return {{}, index_of(part_place_), {}};
  }
  const std::vector<std::int64_t> rows = distinct_rows(entities);
  BatchInput input{features_at(rows), {}, {}};
  const bool one_each = num_parts_ == 1 && rows.size() == entities.size();
  if (!one_each) input.index = index_of(part_place_);
  return input;
}

// All words of the sentences in which entities are, each sentence once.
BatchInput Entities::sentences(std::span<const std::uint32_t> entities) {
  const std::vector<std::uint32_t>& begins = inputs_.sentence_begins;
  std::vector<std::int64_t> rows, lengths;
  part_place_.clear();
  for (const std::uint32_t entity : entities) {
    const std::uint32_t row = inputs_.rows[entity];
    if (place_[row] == kNoPlace) {
      const auto end = std::upper_bound(begins.begin(), begins.end(), row);
      const std::uint32_t first = *(end - 1);
      const auto last = static_cast<std::uint32_t>(end == begins.end() ? inputs_.features.num_rows()
                                                                       : std::size_t{*end});
      lengths.push_back(last - first);
      for (std::uint32_t word = first; word < last; ++word) {
        place_[word] = std::ssize(rows);
        rows.push_back(word);
      }
    }
    part_place_.push_back(place_[row]);
  }
  for (const std::int64_t row : rows) place_[static_cast<std::size_t>(row)] = kNoPlace;
  return {features_at(rows),
          copied(part_place_).view({static_cast<std::int64_t>(entities.size()), 1}),
          std::move(lengths)};
}

torch::Tensor Entities::labels(std::span<const std::uint32_t> entities) const {
  torch::Tensor result = torch::empty(
      {static_cast<std::int64_t>(entities.size()), static_cast<std::int64_t>(num_classes_)});
  auto* out = result.data_ptr<float>();
  for (const std::uint32_t entity : entities) {
    out = std::copy_n(inputs_.labels.data() + entity * num_classes_, num_classes_, out);
  }
  return result;
}

}  // namespace sorites
