// The networks of a model, and the door to this library.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "networks/check_options.h"
#include "networks/neural_library.h"
#include "neural/entities.h"
#include "neural/network.h"
#include "neural/network_file.h"
#include "neural/network_source.h"
#include "neural/pretraining.h"

namespace sorites {
namespace {

class TorchNetworks : public Networks {
 public:
  TorchNetworks(std::vector<NetworkOptions> options, std::uint64_t seed) {
    for (NetworkOptions& network : options) {
      const std::string file = network.load;
      // Odd multiples keep the seeds of different networks apart.
      networks_.push_back(std::make_unique<Network>(
          std::move(network), seed + 0x9e3779b97f4a7c15U * (networks_.size() + 1)));
      if (!file.empty()) load_network(*networks_.back(), file);
    }
  }

  std::unique_ptr<OutputSource> bind(
      std::vector<NetworkInputs> inputs,
      std::vector<std::vector<std::uint32_t>> outputs_of_sample) override {
    check_count(inputs.size());
    std::vector<Entities> entities;
    std::size_t num_outputs = 0;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      check_inputs(networks_[k]->options(), inputs[k]);
      num_outputs += inputs[k].num_outputs();
      entities.emplace_back(networks_[k]->options(), std::move(inputs[k]));
    }
    check_samples(num_outputs, outputs_of_sample);
    return std::make_unique<NetworkSource>(
        networks_, std::move(entities), std::move(outputs_of_sample));
  }

  void pretrain(
      std::span<const NetworkInputs> inputs,
      const std::function<void(std::size_t network, std::uint64_t epoch, double loss)>& progress,
      std::stop_token stop) override {
    check_count(inputs.size());
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      if (networks_[k]->options().pretraining.epochs == 0) continue;
      check_inputs(networks_[k]->options(), inputs[k]);
      const auto report = [&](std::uint64_t epoch, double loss) {
        if (progress) progress(k, epoch, loss);
      };
      sorites::pretrain(*networks_[k], inputs[k], report, stop);
    }
  }

  std::size_t num_networks() const override { return networks_.size(); }
  std::size_t num_parameters(std::size_t network) const override {
    return networks_.at(network)->num_parameters();
  }
  void save(std::size_t network, const std::string& path) const override {
    save_network(*networks_.at(network), path);
  }
  void load(std::size_t network, const std::string& path) override {
    load_network(*networks_.at(network), path);
  }

 private:
  void check_count(std::size_t count) const {
    if (count == networks_.size()) return;
    throw NetworkError(
        fmt::format("there are inputs of {} networks, but {} networks", count, networks_.size()));
  }

  std::vector<std::unique_ptr<Network>> networks_;
};

// As many threads as there are cores, unless the user said otherwise.
void choose_threads() {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return;
  const unsigned cores = std::thread::hardware_concurrency();
  if (cores > 0) at::set_num_threads(static_cast<int>(cores));
}

}  // namespace
}  // namespace sorites

extern "C" {

__attribute__((visibility("default"))) const std::size_t* sorites_neural_interface() {
  return sorites::kNeuralInterface;
}

__attribute__((visibility("default"))) sorites::Networks* sorites_neural_make_networks(
    std::vector<sorites::NetworkOptions>& options, std::uint64_t seed) {
  sorites::choose_threads();
  return new sorites::TorchNetworks(std::move(options), seed);
}
}
