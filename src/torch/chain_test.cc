// The whole chain: parameters of a network -> outputs -> inference -> loss, and back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hinge/energy/random_energy.h"
#include "learn/descent.h"
#include "torch/network_source.h"

namespace sorites {
namespace {

constexpr std::size_t kEntities = 2, kClasses = 2;

NetworkOptions small_network() {
  NetworkOptions options;
  options.name = "Small";
  options.hidden = {3};
  options.activation = Activation::kTanh;
  options.input_shape = {2};
  options.num_classes = kClasses;
  options.training.optimizer = NetworkOptimizer::kSgd;
  options.training.momentum = 0.0;
  options.training.learning_rate = 1e-12;  // gradients are looked at, parameters stay
  return options;
}

NetworkInputs two_entities() {
  NetworkInputs inputs;
  inputs.features = {{2}, {0.5F, -0.3F, -0.8F, 0.9F}};
  inputs.rows = {0, 1};
  inputs.entity_of = {0, 0, 1, 1};
  inputs.class_of = {0, 1, 0, 1};
  return inputs;
}

RandomEnergy energy_of_outputs(std::uint64_t seed) {
  RandomEnergy random = random_energy(seed, {.num_outputs = kEntities * kClasses});
  make_minimiser_unique(random);
  return random;
}

class Chain {
 public:
  Chain(std::uint64_t seed, const LossMix& loss) : random_(energy_of_outputs(seed)) {
    HingeEnergyOptions precise;
    precise.solve.gap = 1e-9;
    precise.solve.threads = 1;
    precise.smoothing = 1e-6;
    energy_ = make_hinge_energy(random_.model, random_.labels, precise);
    networks_.push_back(std::make_unique<Network>(small_network(), seed));
    std::vector<Entities> entities;
    entities.emplace_back(small_network(), two_entities());
    source_ = std::make_unique<NetworkSource>(
        networks_, std::move(entities), std::vector<std::vector<std::uint32_t>>{});
    set_.samples = {{energy_.get(), {}}};
    options_.loss = loss;
    descent_ = make_gradient_descent(set_, options_);
  }

  std::span<float> parameters() { return networks_[0]->parameters().values(); }

  double loss() {
    networks_[0]->parameters_changed();
    set_.samples[0].outputs = source_->predict(0);
    return evaluate().value;
  }

  // The slope of the cross-entropy is 1 / distance: it makes errors of the minimiser too large near
  // bounds.
  bool is_steep() {
    const std::vector<double> state =
        energy_->full({random_.parameters.weights, source_->predict(0), 1.0}).state;
    return std::any_of(state.begin(), state.end(), [](double y) {
      const double distance = std::min(y, 1.0 - y);  // 0: a bound holds it
      return distance > 1e-6 && distance < 0.07;
    });
  }

  std::vector<float> gradient() {
    const std::size_t all[] = {0};
    set_.samples[0].outputs = source_->forward(all)[0];
    source_->step(evaluate().in_outputs);
    const std::span<float> found = networks_[0]->parameters().gradients();
    return {found.begin(), found.end()};
  }

 private:
  LossGradient evaluate() {
    const std::size_t all[] = {0};
    std::vector<std::vector<double>> states(1);
    return descent_->evaluate(random_.parameters.weights, all, 1.0, states);
  }

  RandomEnergy random_;
  std::unique_ptr<Energy> energy_;
  std::vector<std::unique_ptr<Network>> networks_;
  std::unique_ptr<NetworkSource> source_;
  LearnSet set_;
  LearnOptions options_;
  std::unique_ptr<Descent> descent_;
};

// Away from kinks, where the differences of both sides agree.
void expect_gradient_of_differences(const LossMix& loss) {
  std::size_t checked = 0, skipped = 0;
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    Chain chain(seed, loss);
    if (loss.cross_entropy != 0.0 && chain.is_steep()) continue;
    const std::vector<float> gradient = chain.gradient();
    for (std::size_t p = 0; p < gradient.size(); ++p) {
      constexpr float kStep = 4e-3F;
      float& parameter = chain.parameters()[p];
      const float at = parameter;
      const double here = chain.loss();
      parameter = at + kStep;
      const double right = (chain.loss() - here) / kStep;
      parameter = at - kStep;
      const double left = (here - chain.loss()) / kStep;
      parameter = at;
      if (std::abs(left - right) > 0.01 * (1.0 + std::abs(left))) {
        ++skipped;
        continue;
      }
      EXPECT_NEAR(gradient[p], 0.5 * (left + right), 0.02 * (1.0 + std::abs(left))) << seed;
      ++checked;
    }
  }
  EXPECT_GT(checked, 4 * skipped);
}

TEST(Chain, GradientOfTheEnergyLoss) { expect_gradient_of_differences({.energy = 1.0}); }
TEST(Chain, GradientOfThePerceptronLoss) {
  expect_gradient_of_differences({.structured_perceptron = 1.0});
}
TEST(Chain, GradientOfTheSquaredError) { expect_gradient_of_differences({.squared_error = 1.0}); }
TEST(Chain, GradientOfTheCrossEntropy) { expect_gradient_of_differences({.cross_entropy = 1.0}); }

}  // namespace
}  // namespace sorites
