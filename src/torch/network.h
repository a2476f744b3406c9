// One network with all that its training keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learn/learning.h"
#include "sorites/network.h"
#include "torch/architecture.h"
#include "torch/flat_parameters.h"
#include "torch/optimizer.h"
#include "torch/torch_headers.h"

namespace sorites {

class Network {
 public:
  Network(NetworkOptions options, std::uint64_t seed);

  const NetworkOptions& options() const { return options_; }
  std::size_t num_parameters() const { return parameters_.count(); }
  // Whether steps change it.
  bool learns() const {
    const NetworkTraining& training = options_.training;
    return !training.frozen && training.learning_rate > 0.0 && parameters_.count() > 0;
  }
  // Another number after everything that changes what it makes of its inputs.
  std::uint64_t version() const { return version_; }

  // Numbers of the last layer and the outputs made of them, [entities, classes].
  struct Result {
    torch::Tensor logits, outputs;
  };
  Result predict(const BatchInput& input);  // as inference has them
  Result forward(BatchInput input);         // in training; gradients can go back through both

  // The gradients of `loss`, which must come from the last forward(). Throws LearnError if they or
  // the loss are not finite. Then step() moves the parameters.
  void find_gradients(const torch::Tensor& loss);
  void step();

  void begin_epoch(std::uint64_t epoch, std::uint64_t max_epochs);
  double temperature() const { return temperature_; }
  void set_temperature(double temperature);

  // Parameters and buffers, as they stand in files.
  std::vector<std::byte> parameter_bytes() const;
  void set_parameter_bytes(std::span<const std::byte> bytes);

  // All that training goes on from. Throws NetworkError if the state is of another network.
  NetworkState state() const;
  void restore(const NetworkState& state);

  // Goes on from what another one has learned, which may be an embedding of other entities.
  void go_on_from(const Network& learned);

  // For pre-training, which takes steps of its own.
  const Architecture& architecture() const { return architecture_; }
  const FlatParameters& parameters() const { return parameters_; }
  torch::Tensor& random_state() { return random_state_; }
  void parameters_changed() { ++version_; }

 private:
  torch::Tensor logits(const BatchInput& input, bool training);

  NetworkOptions options_;
  torch::Tensor random_state_;
  Architecture architecture_;
  FlatParameters parameters_;
  Optimizer optimizer_;
  double learning_rate_ = 0.0, temperature_ = 1.0;
  std::uint64_t version_ = 0;
};

}  // namespace sorites
