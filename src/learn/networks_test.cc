// Learning with outputs that learn too; stands in for networks: outputs are sigmoids of parameters.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "hinge/energy/random_energy.h"
#include "learn/descent.h"
#include "learn/learning.h"

namespace sorites {
namespace {

class Sigmoids final : public OutputSource {
 public:
  explicit Sigmoids(std::vector<double> parameters, double rate = 0.1)
      : parameters_(std::move(parameters)), rate_(rate) {}

  std::vector<double> predict(std::size_t) override {
    std::vector<double> outputs;
    for (const double p : parameters_) outputs.push_back(1.0 / (1.0 + std::exp(-p)));
    return outputs;
  }
  std::vector<std::vector<double>> forward(std::span<const std::size_t> samples) override {
    last_.assign(samples.begin(), samples.end());
    return std::vector<std::vector<double>>(samples.size(), predict(0));
  }
  double step(std::span<const std::vector<double>> loss_in_outputs) override {
    EXPECT_EQ(loss_in_outputs.size(), last_.size());
    const std::vector<double> g = predict(0);
    for (const std::vector<double>& slopes : loss_in_outputs) {
      for (std::size_t j = 0; j < parameters_.size(); ++j) {
        parameters_[j] -= rate_ * (slopes[j] + own_slope) * g[j] * (1.0 - g[j]);
      }
    }
    trained_ += last_.size();
    return own_loss();
  }
  double own_loss() override {
    double sum = 0.0;
    for (const double g : predict(0)) sum += own_slope * g;
    return sum;
  }
  void begin_epoch(std::uint64_t epoch, std::uint64_t) override { last_epoch = epoch; }
  std::vector<NetworkState> memory() const override {
    std::vector<std::byte> bytes(parameters_.size() * sizeof(double));
    std::memcpy(bytes.data(), parameters_.data(), bytes.size());
    return {{.buffers = {bytes}}};
  }
  void restore(std::span<const NetworkState> memory) override {
    ASSERT_EQ(memory.size(), 1U);
    const std::vector<std::byte>& bytes = memory[0].buffers.at(0);
    ASSERT_EQ(bytes.size(), parameters_.size() * sizeof(double));
    std::memcpy(parameters_.data(), bytes.data(), bytes.size());
  }
  bool start_anew(std::uint64_t seed) override {
    if (has_other_starts) parameters_.assign(parameters_.size(), 0.1 * static_cast<double>(seed));
    return has_other_starts;
  }
  double seconds() const override { return 0.0; }
  std::uint64_t num_trained() const override { return trained_; }

  const std::vector<double>& parameters() const { return parameters_; }

  double own_slope = 0.0;
  std::uint64_t last_epoch = 0;
  bool has_other_starts = true;

 private:
  std::vector<double> parameters_;
  double rate_;
  std::vector<std::size_t> last_;
  std::uint64_t trained_ = 0;
};

HingeEnergyOptions precise() {
  HingeEnergyOptions options;
  options.solve.gap = 1e-9;
  options.solve.threads = 1;
  options.smoothing = 1e-6;
  return options;
}

RandomEnergy unique_energy(std::uint64_t seed) {
  RandomEnergy random = random_energy(seed, {.hinges = false, .hard_rules = false});
  make_minimiser_unique(random);
  return random;
}

// One sample whose outputs learn.
struct Setting {
  explicit Setting(std::uint64_t seed, double rate = 0.1)
      : random(unique_energy(seed)),
        energy(make_hinge_energy(random.model, random.labels, precise())),
        networks(std::vector<double>(random.model.num_outputs, 0.2), rate) {
    set.samples = {{energy.get(), {}}};
    set.networks = &networks;
  }

  LearnResult learn_networks(LearnOptions options, bool fix_weights) {
    const std::vector<bool> fixed(random.model.rules.size(), fix_weights);
    return learn(set, nullptr, random.parameters.weights, fixed, options, hooks);
  }

  RandomEnergy random;
  std::unique_ptr<Energy> energy;
  Sigmoids networks;
  LearnSet set;
  LearnHooks hooks;
};

LearnOptions plain(LossMix loss) {
  LearnOptions options;
  options.loss = loss;
  options.domain = WeightDomain::kNonNegative;
  options.regularizers.negative_log = 0.0;
  options.max_epochs = 1;
  return options;
}

// The first step goes against the slope of the loss, as differences of losses have it.
TEST(LearnNetworks, StepsFollowTheLossThroughInference) {
  const LossMix losses[] = {
      {.energy = 1.0}, {.structured_perceptron = 1.0}, {.squared_error = 1.0}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const LossMix& loss : losses) {
      const double rate = 1.0, h = 1e-4;
      Setting setting(seed, rate);
      const auto loss_at = [&](std::size_t j, double shift) {
        Setting moved(seed);
        std::vector<double> parameters(moved.random.model.num_outputs, 0.2);
        parameters[j] += shift;
        Sigmoids networks(parameters);
        moved.set.networks = &networks;
        moved.set.samples[0].outputs = networks.predict(0);
        std::vector<std::vector<double>> states(1);
        const std::size_t all[] = {0};
        return make_gradient_descent(moved.set, plain(loss))
            ->evaluate(moved.random.parameters.weights, all, 1.0, states)
            .value;
      };
      LearnOptions options = plain(loss);
      options.keep_best = false;
      setting.learn_networks(options, true);
      for (std::size_t j = 0; j < setting.networks.parameters().size(); ++j) {
        const double slope = (loss_at(j, h) - loss_at(j, -h)) / (2.0 * h);
        const double kink = std::abs(loss_at(j, h) + loss_at(j, -h) - 2.0 * loss_at(j, 0.0));
        if (kink > 1e-7) continue;
        EXPECT_NEAR((0.2 - setting.networks.parameters()[j]) / rate, slope, 2e-3) << seed;
      }
    }
  }
}

TEST(LearnNetworks, EveryAlgorithmMakesItsLossSmaller) {
  for (const LearnAlgorithm algorithm : {LearnAlgorithm::kGradient, LearnAlgorithm::kBilevel}) {
    for (const bool incremental : {false, true}) {
      Setting setting(7);
      LearnOptions options = plain({.squared_error = 1.0});
      options.algorithm = algorithm;
      options.domain = WeightDomain::kSoftmaxSimplex;
      options.bilevel.constraint_tolerance = 1e-5;  // the energy is small
      options.bilevel.squared_penalty = 1000.0;
      options.samples_per_step = incremental ? 1 : 0;
      options.max_epochs = 200;
      const LearnResult result = setting.learn_networks(options, false);
      const auto error = [&](const std::vector<double>& weights, const std::vector<double>& g) {
        const std::vector<double> state = setting.energy->full({weights, g, 1.0}).state;
        double sum = 0.0;
        for (std::size_t i = 0; i < state.size(); ++i) {
          const double label = setting.random.labels[i];
          if (!std::isnan(label)) sum += (state[i] - label) * (state[i] - label);
        }
        return sum;
      };
      const std::vector<double> start(setting.random.model.num_outputs, 0.2);
      EXPECT_LT(error(result.weights, setting.networks.predict(0)),
                0.9 * error(setting.random.parameters.weights, Sigmoids(start).predict(0)))
          << name_of(algorithm);
      EXPECT_EQ(setting.networks.num_trained(), result.state.epoch);
      EXPECT_EQ(setting.networks.last_epoch, result.state.epoch);
    }
  }
}

TEST(LearnNetworks, GoesOnBitForBit) {
  for (const LearnAlgorithm algorithm : {LearnAlgorithm::kGradient, LearnAlgorithm::kBilevel}) {
    LearnOptions options = plain({.structured_perceptron = 1.0, .squared_error = 1.0});
    options.algorithm = algorithm;
    options.domain = WeightDomain::kSoftmaxSimplex;
    options.max_epochs = 12;
    const auto run = [&](Setting& setting, std::uint64_t last, const LearnState* resume) {
      LearnOptions some = options;
      some.max_epochs = last;
      const std::vector<bool> fixed(setting.random.model.rules.size(), false);
      LearnHooks hooks;
      hooks.keep_memory = true;
      hooks.resume = resume;
      return learn(setting.set, nullptr, setting.random.parameters.weights, fixed, some, hooks);
    };
    Setting whole(3), first(3), second(3);
    const LearnResult expected = run(whole, 12, nullptr);
    const LearnResult half = run(first, 5, nullptr);
    const LearnResult rest = run(second, 12, &half.state);
    EXPECT_EQ(expected.weights, rest.weights);
    EXPECT_EQ(whole.networks.parameters(), second.networks.parameters());
    EXPECT_EQ(expected.state.history[9].loss, rest.state.history[9].loss);
  }
}

TEST(LearnNetworks, LearnAloneFirst) {
  Setting setting(5);
  setting.networks.own_slope = 1.0;
  LearnOptions options = plain({.squared_error = 1.0});
  options.network_epochs = 4;
  options.max_epochs = 4;
  const LearnResult result = setting.learn_networks(options, false);
  EXPECT_EQ(result.weights, setting.random.parameters.weights);
  double expected = 0.2;
  for (int step = 0; step < 4; ++step) {
    const double g = 1.0 / (1.0 + std::exp(-expected));
    expected -= 0.1 * g * (1.0 - g);
  }
  for (const double p : setting.networks.parameters()) EXPECT_NEAR(p, expected, 1e-12);
  EXPECT_EQ(setting.energy->statistics().solves, 0U);
}

TEST(LearnNetworks, TheLastGoodOnesAreLeftIfTheLossDiverges) {
  Setting setting(5);
  LearnOptions options = plain({.energy = 1.0});
  options.max_epochs = 10;
  std::vector<double> good;
  setting.hooks.epoch = [&](const LearnEpoch& epoch, const LearnState&) {
    good = setting.networks.parameters();
    if (epoch.epoch == 3) setting.networks.own_slope = NAN;
  };
  EXPECT_THROW(setting.learn_networks(options, true), LearnError);
  EXPECT_EQ(setting.networks.parameters(), good);
}

TEST(LearnNetworks, TheBestOnesAreLeft) {
  Setting setting(5);
  setting.networks.own_slope = 1.0;
  LearnOptions options = plain({.energy = 1.0});
  options.max_epochs = 10;
  int looks = 0;
  setting.set.metric = [&](const auto&, const auto&) { return ++looks == 4 ? 1.0 : 0.0; };
  std::vector<std::vector<double>> seen;
  setting.hooks.epoch = [&](const LearnEpoch&, const LearnState&) {
    seen.push_back(setting.networks.parameters());
  };
  const LearnResult result = setting.learn_networks(options, true);
  EXPECT_EQ(result.state.best_epoch, 3U);
  EXPECT_EQ(setting.networks.parameters(), seen[3]);
}

// What the bilevel algorithm lowers is the loss of what is inferred, not only its Lagrangian.
TEST(LearnNetworks, BilevelLowersTheInferredLossInEveryEpochOnAverage) {
  constexpr std::size_t kEpochs = 30;
  std::vector<double> mean(kEpochs + 1, 0.0);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Setting setting(seed);
    LearnOptions options = plain({.squared_error = 1.0});
    options.algorithm = LearnAlgorithm::kBilevel;
    options.max_epochs = kEpochs;
    options.bilevel.movement_tolerance = 0.0;
    const auto history = setting.learn_networks(options, true).state.history;
    ASSERT_EQ(history.size(), mean.size());
    for (std::size_t e = 0; e < mean.size(); ++e) {
      mean[e] += history[e].loss / std::max(history[0].loss, 1e-12);
    }
  }
  // The first epoch tells the loss before its step, which is that of the start.
  for (std::size_t e = 2; e < mean.size(); ++e) EXPECT_LT(mean[e], mean[e - 1]) << "epoch " << e;
  EXPECT_LT(mean.back(), 0.9 * mean.front());
}

// Outputs that do not move leave the loss where it was: that is to be stuck.
LearnOptions with_restarts() {
  LearnOptions options = plain({.energy = 1.0});
  options.max_epochs = 10;
  options.restarts = 2;
  options.keep_best = false;
  return options;
}

TEST(LearnNetworks, StartAnewIfTheyAreStuck) {
  Setting setting(3, 0.0);
  const LearnState state = setting.learn_networks(with_restarts(), true).state;
  std::vector<std::uint64_t> starts;
  for (const LearnEpoch& epoch : state.history) starts.push_back(epoch.start);
  // A fifth of the epochs and the one before them, twice; then all of them.
  std::vector<std::uint64_t> expected(6, 0);
  std::fill(expected.begin() + 3, expected.end(), 1);
  expected.resize(17, 2);
  EXPECT_EQ(starts, expected);
  EXPECT_EQ(setting.networks.last_epoch, 10U);  // schedules begin anew as well
  EXPECT_EQ(setting.networks.parameters()[0], 0.1 * static_cast<double>(LearnOptions().seed + 2));
}

// The loss of networks that learn alone first has nothing of inference in it.
TEST(LearnNetworks, AreNotStuckForWhatTheyWereAlone) {
  Setting setting(3, 0.0);
  setting.hooks.epoch = [&](const LearnEpoch& epoch, const LearnState&) {
    setting.networks.own_slope = epoch.epoch == 2 ? 1e3 : 0.0;  // in the first epoch that infers
  };
  LearnOptions options = with_restarts();
  options.network_epochs = 2;
  options.max_epochs = 20;
  EXPECT_EQ(setting.learn_networks(options, true).state.history.size(), 21U);
}

// Whatever number of steps an epoch takes, if none of them moves anything.
TEST(LearnNetworks, LossesOfAllEpochsCompare) {
  for (const std::uint64_t per_step : {0, 1, 2}) {
    Setting setting(3, 0.0);
    setting.networks.own_slope = 1.0;
    setting.set.samples.assign(3, setting.set.samples.front());
    LearnOptions options = plain({.energy = 1.0});
    options.max_epochs = 3;
    options.threads = 1;  // the samples are one
    options.samples_per_step = per_step;
    const auto history = setting.learn_networks(options, true).state.history;
    ASSERT_EQ(history.size(), 4U);
    EXPECT_NEAR(history[3].loss, history[0].loss, 1e-6 * history[0].loss) << per_step;
  }
}

TEST(LearnNetworks, GoOnIfTheyAreNotStuckOrHaveNoOtherStart) {
  Setting setting(3, 0.0);
  setting.networks.has_other_starts = false;
  EXPECT_EQ(setting.learn_networks(with_restarts(), true).state.history.size(), 11U);
  Setting falling(3, 0.0);
  Sigmoids fast(std::vector<double>(falling.random.model.num_outputs, 0.2), 20.0);
  fast.own_slope = 1e3;  // outputs go to 0, and with them the loss
  falling.set.networks = &fast;
  EXPECT_EQ(falling.learn_networks(with_restarts(), true).state.history.size(), 11U);
}

TEST(LearnNetworks, ResumeInALaterStart) {
  std::optional<LearnState> middle;
  Setting setting(3, 0.0);
  setting.hooks.keep_memory = true;
  setting.hooks.epoch = [&](const LearnEpoch& epoch, const LearnState& state) {
    if (epoch.epoch == 8) middle = state;
  };
  const LearnState whole = setting.learn_networks(with_restarts(), true).state;
  Setting again(3, 0.0);
  again.hooks.resume = &*middle;
  const LearnState resumed = again.learn_networks(with_restarts(), true).state;
  ASSERT_EQ(resumed.history.size(), whole.history.size());
  EXPECT_EQ(resumed.history.back().start, 2U);
  EXPECT_EQ(resumed.history.back().loss, whole.history.back().loss);
}

}  // namespace
}  // namespace sorites
