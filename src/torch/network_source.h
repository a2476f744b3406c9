// The outputs of a data set's samples, and the steps of the networks that make them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learn/learning.h"
#include "torch/entities.h"
#include "torch/network.h"

namespace sorites {

class NetworkSource : public OutputSource {
 public:
  // One of `entities` per network. The networks must outlive it.
  NetworkSource(std::span<const std::unique_ptr<Network>> networks,
                std::vector<Entities> entities,
                std::vector<std::vector<std::uint32_t>> outputs_of_sample);

  std::vector<double> predict(std::size_t sample) override;
  std::vector<std::vector<double>> forward(std::span<const std::size_t> samples) override;
  double step(std::span<const std::vector<double>> loss_in_outputs) override;
  double own_loss() override;
  void begin_epoch(std::uint64_t epoch, std::uint64_t max_epochs) override;
  std::vector<NetworkState> memory() const override;
  void restore(std::span<const NetworkState> memory) override;
  bool start_anew(std::uint64_t seed) override;
  double seconds() const override { return seconds_; }
  std::uint64_t num_trained() const override { return num_trained_; }

 private:
  // An output: entry `class` of the row of its entity in what its network gives.
  struct Place {
    std::uint32_t network, entity, in_row;
  };
  // What one network does in a batch.
  struct Batch {
    std::vector<std::uint32_t> entities;  // distinct
    std::vector<std::uint32_t> place;     // per entity of the data: its row, if it is in it
    std::vector<std::uint8_t> is_in;      // per entity of the data
    Network::Result trained;              // empty if the network does not learn
  };

  void spread_labelled();
  void predict_all(std::size_t network);
  void collect(std::span<const std::size_t> samples);
  void run(std::size_t network);
  torch::Tensor loss_of(std::size_t network,
                        std::span<const std::vector<double>> loss_in_outputs,
                        double& own_loss);

  std::span<const std::unique_ptr<Network>> networks_;
  std::vector<Entities> entities_;
  std::vector<Place> place_of_output_;
  std::vector<std::vector<std::uint32_t>> outputs_of_sample_;
  // Per sample, per network: labelled entities that no sample has, so that each epoch sees them.
  std::vector<std::vector<std::vector<std::uint32_t>>> extra_;

  struct Prediction {
    std::uint64_t version = 0;
    bool known = false;
    std::vector<float> values;  // [entities, classes]
    double own_loss = 0.0;
  };
  std::vector<Prediction> predictions_;  // per network

  std::vector<std::size_t> batch_samples_;  // of the last forward(), until step()
  std::vector<Batch> batches_;              // per network
  double seconds_ = 0.0;
  std::uint64_t num_trained_ = 0;
};

}  // namespace sorites
