// Learning of MNIST-Add2 by the bilevel algorithm, without images: the sums of additions are
// labels, and all pairs of digits are targets. Readers stand in for the network.
#pragma once

#include <ctime>
#include <memory>
#include <utility>
#include <vector>

#include "additions.h"
#include "hinge/energy/hinge_energy.h"
#include "learn/learning.h"

namespace sorites {

// Outputs get surer from epoch to epoch, whatever is learned.
class Readers final : public OutputSource {
 public:
  explicit Readers(std::vector<AdditionReader> readers) : readers_(std::move(readers)) {}

  std::vector<double> predict(std::size_t sample) override {
    return readers_[sample].read(progress_);
  }
  std::vector<std::vector<double>> forward(std::span<const std::size_t> samples) override {
    std::vector<std::vector<double>> outputs;
    for (const std::size_t s : samples) outputs.push_back(predict(s));
    return outputs;
  }
  void begin_epoch(std::uint64_t epoch, std::uint64_t max_epochs) override {
    progress_ = static_cast<double>(epoch) / static_cast<double>(max_epochs);
  }
  double step(std::span<const std::vector<double>> /*loss_in_outputs*/) override { return 0.0; }
  double own_loss() override { return 0.0; }
  std::vector<NetworkState> memory() const override { return {}; }
  void restore(std::span<const NetworkState> /*memory*/) override {}
  double seconds() const override { return 0.0; }
  std::uint64_t num_trained() const override { return 0; }

 private:
  std::vector<AdditionReader> readers_;
  double progress_ = 0.0;
};

struct LearningCost {
  double seconds = 0.0;            // of processor time, in epochs from the first one on
  double gap = 0.0;                // the largest
  std::vector<double> epoch_loss;  // from the first weights on
};

// Labels of the ones and the tens of a sum, the last atoms of a model.
inline std::vector<double> labels_of_sum(const Model& model, int total) {
  std::vector<double> labels(model.num_atoms, kLatent);
  const std::size_t ones = model.num_atoms - kTens - kOnes, tens = model.num_atoms - kTens;
  for (std::size_t atom = ones; atom < labels.size(); ++atom) labels[atom] = 0.0;
  labels[ones + static_cast<std::size_t>(total % 10)] = 1.0;
  labels[tens + static_cast<std::size_t>(total / 10)] = 1.0;
  return labels;
}

// As the bilevel line of `experiments/run mnist-add`, on one thread.
inline LearningCost learn_sums(int additions, int epochs, bool warm_start) {
  std::mt19937_64 random(7);
  const Model model = AdditionModel(std::nullopt).take();
  HingeEnergyOptions energy_options;
  energy_options.solve.threads = 1;
  energy_options.warm_start = warm_start;
  std::vector<std::unique_ptr<Energy>> energies;
  std::vector<AdditionReader> readers;
  for (int a = 0; a < additions; ++a) {
    const std::array<int, kPlaces> digits = draw_digits(random);
    energies.push_back(
        make_hinge_energy(model, labels_of_sum(model, sum_of(digits)), energy_options));
    readers.emplace_back(digits, random());
  }
  Readers source(std::move(readers));
  LearnSet set;
  set.networks = &source;
  for (const auto& energy : energies) set.samples.push_back({energy.get(), {}});
  LearnOptions options;
  options.algorithm = LearnAlgorithm::kBilevel;
  options.loss = {.energy = 10.0, .cross_entropy = 1.0};
  options.max_epochs = static_cast<std::uint64_t>(epochs);
  options.samples_per_step = 8;  // 32 images
  const std::vector<bool> fixed(model.rules.size(), true);
  std::clock_t begin = 0;
  LearnHooks hooks;
  hooks.epoch = [&](const LearnEpoch& epoch, const LearnState&) {
    if (epoch.epoch == 0) begin = std::clock();  // all energies have been solved
  };
  const LearnResult result =
      learn(set, nullptr, parameters_of(model).weights, fixed, options, hooks);
  LearningCost cost;
  cost.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  for (const LearnEpoch& epoch : result.state.history) {
    cost.gap = std::max(cost.gap, epoch.relative_gap);
    cost.epoch_loss.push_back(epoch.loss);
  }
  return cost;
}

}  // namespace sorites
