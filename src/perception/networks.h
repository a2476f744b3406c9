// Networks that run. A build without torch has the same functions, and make_networks() throws.
//
//   const auto networks = make_networks({options}, seed);
//   const auto source = networks->bind({inputs}, {});
//   const std::vector<double> g = source->predict(0);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "learn/learning.h"
#include "sorites/network.h"

namespace sorites {

// Numbers that networks read: rows of the same shape.
struct FeatureArray {
  std::vector<std::size_t> shape;  // of a row: {1433}, {1, 28, 28}
  std::vector<float> values;       // row after row

  std::size_t row_size() const {
    std::size_t size = 1;
    for (const std::size_t extent : shape) size *= extent;
    return size;
  }
  std::size_t num_rows() const { return values.empty() ? 0 : values.size() / row_size(); }
};

// The entities of one deep predicate on one data set.
struct NetworkInputs {
  FeatureArray features;            // empty for embeddings
  std::vector<std::uint32_t> rows;  // per entity, per part: the row of features, or the vector
  std::vector<std::uint32_t> entity_of, class_of;  // per output, in the order of the target rows
  std::vector<float> labels;  // per entity, per class: NaN if unknown; empty: nothing is labelled
  std::vector<std::uint32_t> sentence_begins =
      {};  // rows of features; empty: rows are on their own

  std::size_t num_outputs() const { return entity_of.size(); }
};

class Networks {
 public:
  virtual ~Networks() = default;

  // What makes the outputs of a data set. There is one of `inputs` per network; outputs are
  // numbered through, those of the first network first. `outputs_of_sample` says which of them each
  // sample has, in its order; empty: one sample with all of them. All sources share the networks,
  // which must outlive them. Throws NetworkError if inputs do not fit.
  virtual std::unique_ptr<OutputSource> bind(
      std::vector<NetworkInputs> inputs,
      std::vector<std::vector<std::uint32_t>> outputs_of_sample) = 0;

  // Goes on from what the networks of the same model have learned on other data. An embedding takes
  // the vectors of the entities that both know; the others stay as they are. Throws NetworkError if
  // something else does not fit.
  virtual void go_on_from(const Networks& learned) = 0;

  // Trains encoders without labels, where options ask for it. `progress` gets network, epoch and
  // loss.
  virtual void pretrain(
      std::span<const NetworkInputs> inputs,
      const std::function<void(std::size_t network, std::uint64_t epoch, double loss)>& progress,
      std::stop_token stop) = 0;

  virtual std::size_t num_networks() const = 0;
  virtual std::size_t num_parameters(std::size_t network) const = 0;

  // Parameters of one network, to a file and back. Throw NetworkError.
  virtual void save(std::size_t network, const std::string& path) const = 0;
  virtual void load(std::size_t network, const std::string& path) = 0;
};

// Throws NetworkError, also if this build has no networks.
std::unique_ptr<Networks> make_networks(std::vector<NetworkOptions> options, std::uint64_t seed);

bool has_networks();  // whether this build can run them

// Features by a TorchScript file, whose forward() takes raw features [n, shape...], or the numbers
// of entities [n], to a tensor [n, shape...]: row i is that of entity i. It runs once, in batches,
// without gradients and not in training, and never changes. Throws NetworkError if the file cannot
// be used, and as make_networks() if this build has no networks. Its numbers may be anything.
FeatureArray run_feature_module(const std::string& path, const FeatureArray& raw);
FeatureArray run_feature_module(const std::string& path, std::span<const std::int64_t> numbers);

}  // namespace sorites
