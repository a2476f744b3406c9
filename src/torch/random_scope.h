// Random numbers that depend on a network and its seed alone.
#pragma once

#include <cstdint>
#include <mutex>

#include "torch/torch_headers.h"

namespace sorites {

// The state of a generator, to be kept by its network.
torch::Tensor seeded_random_state(std::uint64_t seed);
void check_random_state(const torch::Tensor& state);  // throws NetworkError if it is none

// While it lives, torch draws its random numbers from `state`, wherever it does so (dropout of a
// TorchScript file as well); then the state is taken back, and torch's own is as it was before.
class RandomScope {
 public:
  explicit RandomScope(torch::Tensor& state);
  ~RandomScope();
  RandomScope(const RandomScope&) = delete;
  RandomScope& operator=(const RandomScope&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  torch::Tensor& state_;
  torch::Tensor before_;
};

}  // namespace sorites
