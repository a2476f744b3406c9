// Networks for tests that need no torch: every output is a parameter of its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "perception/networks.h"

namespace sorites {

struct FakeParameters {
  std::vector<double> values;  // per output; all sets of the same size share them
  double rate = 0.1;
  std::uint64_t num_trained = 0;
};

class FakeSource : public OutputSource {
 public:
  FakeSource(std::shared_ptr<FakeParameters> parameters,
             std::vector<std::vector<std::uint32_t>> outputs_of_sample)
      : parameters_(std::move(parameters)), outputs_(std::move(outputs_of_sample)) {}

  std::vector<double> predict(std::size_t sample) override {
    std::vector<double> outputs;
    for (const std::uint32_t j : outputs_[sample]) outputs.push_back(parameters_->values[j]);
    return outputs;
  }
  std::vector<std::vector<double>> forward(std::span<const std::size_t> samples) override {
    samples_.assign(samples.begin(), samples.end());
    std::vector<std::vector<double>> outputs;
    for (const std::size_t sample : samples) outputs.push_back(predict(sample));
    return outputs;
  }
  double step(std::span<const std::vector<double>> loss_in_outputs) override {
    for (std::size_t k = 0; k < samples_.size(); ++k) {
      const auto& outputs = outputs_[samples_[k]];
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        double& value = parameters_->values[outputs[i]];
        value = std::clamp(value - parameters_->rate * loss_in_outputs[k][i], 0.0, 1.0);
        if (!(parameters_->rate < 1e6)) value = std::nan("");
      }
      parameters_->num_trained += outputs.size();
    }
    return 0.0;
  }
  double own_loss() override { return 0.0; }
  void begin_epoch(std::uint64_t, std::uint64_t) override {}
  std::vector<NetworkState> memory() const override {
    std::vector<std::byte> bytes(parameters_->values.size() * sizeof(double));
    std::memcpy(bytes.data(), parameters_->values.data(), bytes.size());
    return {{.buffers = {bytes}}};
  }
  void restore(std::span<const NetworkState> memory) override {
    const std::vector<std::byte>& bytes = memory[0].buffers.at(0);
    std::memcpy(parameters_->values.data(), bytes.data(), bytes.size());
  }
  double seconds() const override { return 0.0; }
  std::uint64_t num_trained() const override { return parameters_->num_trained; }

 private:
  std::shared_ptr<FakeParameters> parameters_;
  std::vector<std::vector<std::uint32_t>> outputs_;
  std::vector<std::size_t> samples_;  // of the last forward()
};

class FakeNetworks : public Networks {
 public:
  explicit FakeNetworks(std::vector<NetworkOptions> options, double rate = 0.1)
      : options_(std::move(options)), parameters_(std::make_shared<FakeParameters>()) {
    parameters_->rate = rate;
  }

  std::unique_ptr<OutputSource> bind(
      std::vector<NetworkInputs> inputs,
      std::vector<std::vector<std::uint32_t>> outputs_of_sample) override {
    std::size_t count = 0;
    for (const NetworkInputs& one : inputs) count += one.num_outputs();
    parameters_->values.resize(std::max(parameters_->values.size(), count), 0.5);
    if (outputs_of_sample.empty()) {
      outputs_of_sample.emplace_back(count);
      std::iota(outputs_of_sample[0].begin(), outputs_of_sample[0].end(), 0U);
    }
    return std::make_unique<FakeSource>(parameters_, std::move(outputs_of_sample));
  }
  void go_on_from(const Networks& learned) override {
    parameters_->values = dynamic_cast<const FakeNetworks&>(learned).values();
  }
  void pretrain(std::span<const NetworkInputs>,
                const std::function<void(std::size_t, std::uint64_t, double)>&,
                std::stop_token) override {}
  std::size_t num_networks() const override { return options_.size(); }
  std::size_t num_parameters(std::size_t) const override { return parameters_->values.size(); }
  void save(std::size_t, const std::string& path) const override {
    std::ofstream file(path);
    for (const double value : parameters_->values) file << value << "\n";
  }
  void load(std::size_t, const std::string& path) override {
    std::ifstream file(path);
    for (double& value : parameters_->values) file >> value;
  }
  const std::vector<double>& values() const { return parameters_->values; }

 private:
  std::vector<NetworkOptions> options_;
  std::shared_ptr<FakeParameters> parameters_;
};

}  // namespace sorites
