// The networks of a model, and the door to this library.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "perception/check_options.h"
#include "perception/torch_library.h"
#include "torch/entities.h"
#include "torch/network.h"
#include "torch/network_file.h"
#include "torch/network_source.h"
#include "torch/pretraining.h"

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

  void go_on_from(const Networks& learned) override {
    const auto& others = dynamic_cast<const TorchNetworks&>(learned);
    check_count(others.networks_.size());
    for (std::size_t k = 0; k < networks_.size(); ++k) {
      try {
        networks_[k]->go_on_from(*others.networks_[k]);
      } catch (const NetworkError&) {
        throw NetworkError(fmt::format(
            "network `{}`: it cannot go on from what was learned before, which is of other "
            "features, classes or sizes",
            networks_[k]->options().name));
      }
    }
  }

  void pretrain(
      std::span<const NetworkInputs> inputs,
      const std::function<void(std::size_t network, std::uint64_t epoch, double loss)>& progress,
      std::stop_token stop) override {
    check_count(inputs.size());
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      if (networks_[k]->options().pretraining.epochs == 0 || !networks_[k]->learns()) continue;
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
  std::size_t num_parameters_of_largest() const {
    std::size_t largest = 0;
    for (const auto& network : networks_) largest = std::max(largest, network->num_parameters());
    return largest;
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

// Small networks lose more by waiting for a second thread than they gain; the solver has a use for
// it. OpenBLAS, if it is there, has threads of its own. What the user says goes first.
void choose_threads(std::size_t num_parameters) {
  constexpr std::size_t kLarge = 1000000;
  const auto threads =
      num_parameters < kLarge ? 1 : static_cast<int>(std::thread::hardware_concurrency());
  if (std::getenv("OMP_NUM_THREADS") == nullptr) at::set_num_threads(std::max(threads, 1));
  using SetThreads = void (*)(int);
  const auto set_threads =
      reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set_threads != nullptr && std::getenv("OPENBLAS_NUM_THREADS") == nullptr) {
    set_threads(std::max(threads, 1));
  }
}

}  // namespace
}  // namespace sorites

extern "C" {

__attribute__((visibility("default"))) const std::size_t* sorites_torch_interface() {
  return sorites::kNeuralInterface;
}

__attribute__((visibility("default"))) sorites::Networks* sorites_torch_make_networks(
    std::vector<sorites::NetworkOptions>& options, std::uint64_t seed) {
  auto networks = std::make_unique<sorites::TorchNetworks>(std::move(options), seed);
  sorites::choose_threads(networks->num_parameters_of_largest());
  return networks.release();
}
}
