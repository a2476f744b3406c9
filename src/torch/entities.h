// The entities of a network on one data set, and batches of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perception/networks.h"
#include "torch/architecture.h"
#include "torch/torch_headers.h"

namespace sorites {

class Entities {
 public:
  // Both must fit: check_inputs().
  Entities(const NetworkOptions& options, NetworkInputs inputs);
  // `features_` looks into `inputs_`, whose arrays keep their place when moved, but not copied.
  Entities(Entities&&) = default;
  Entities(const Entities&) = delete;
  Entities& operator=(const Entities&) = delete;

  std::size_t size() const { return size_; }
  std::size_t num_outputs() const { return inputs_.entity_of.size(); }
  std::uint32_t entity_of(std::size_t output) const { return inputs_.entity_of[output]; }
  std::uint32_t class_of(std::size_t output) const { return inputs_.class_of[output]; }
  bool is_labelled(std::size_t entity) const { return has_label_[entity]; }
  bool has_labels() const { return num_labelled_ > 0; }

  // Rows of features that several entities share are copied once; the whole table not at all.
  BatchInput batch(std::span<const std::uint32_t> entities);
  torch::Tensor labels(std::span<const std::uint32_t> entities) const;

 private:
  BatchInput sentences(std::span<const std::uint32_t> entities);
  std::vector<std::int64_t> distinct_rows(std::span<const std::uint32_t> entities);
  torch::Tensor features_at(const std::vector<std::int64_t>& rows) const;

  NetworkInputs inputs_;
  std::size_t size_ = 0, num_parts_ = 1, num_classes_ = 0, num_labelled_ = 0;
  bool has_features_ = true;
  torch::Tensor features_;                // [rows, shape...]
  std::vector<bool> has_label_;           // per entity
  std::vector<std::int64_t> place_;       // per row: where it is in the batch, or kNoPlace
  std::vector<std::int64_t> part_place_;  // per part of the batch's entities
};

}  // namespace sorites
