#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "hinge/energy/random_energy.h"
#include "learn/descent.h"
#include "learn/output_policy.h"
#include "learn/policy_loss.h"
#include "learn/weight_policy.h"

namespace sorites {
namespace {

// Two outputs that exclude each other, of which one is chosen; one that may be 1 or not; and one
// that is not drawn.
struct Task {
  RandomEnergy random;
  std::unique_ptr<Energy> energy;
  LearnSet set;

  explicit Task(std::uint64_t seed) {
    random = random_energy(
        seed, {.num_atoms = 4, .num_outputs = 6, .hinges = false, .hard_rules = false});
    make_minimiser_unique(random);
    random.parameters.outputs = {0.5, 0.3, 0.2, 0.35, 0.25, 0.6};
    energy = make_hinge_energy(random.model, random.labels, exact());
    LearnSample sample{.energy = energy.get(), .outputs = random.parameters.outputs};
    sample.choices = {{{0, 1, 2}, false}, {{3, 4}, true}};
    set.samples = {sample};
    set.sample_metric = [](std::size_t, std::span<const double> state, std::span<const double> g) {
      double sum = g[0] + 2.0 * g[3];
      for (const double y : state) sum += y > 0.4 ? 1.0 : 0.0;  // jumps
      return sum;
    };
  }
  LearnSample& sample() { return set.samples[0]; }
};

LearnOptions policy(PolicyEstimator estimator, std::uint64_t draws) {
  LearnOptions options;
  options.algorithm = LearnAlgorithm::kPolicy;
  options.loss = {.squared_error = 1.0, .metric = 0.3};
  options.policy.estimator = estimator;
  options.policy.draws = draws;
  options.policy.weights = WeightPolicy::kNone;
  return options;
}

// Every outcome of the choices, with its probability.
void for_each_outcome(const LearnSample& sample,
                      const std::function<void(const DrawnChoices&, double)>& see) {
  DrawnChoices drawn(sample.choices.size(), 0);
  const std::function<void(std::size_t, double)> go = [&](std::size_t c, double probability) {
    if (c == drawn.size()) return see(drawn, probability);
    const OutputChoice& choice = sample.choices[c];
    double left = 1.0;
    for (drawn[c] = 0; drawn[c] < choice.outputs.size(); ++drawn[c]) {
      const double p = sample.outputs[choice.outputs[drawn[c]]];
      left -= p;
      go(c + 1, probability * p);
    }
    if (choice.may_be_none) go(c + 1, probability * left);
  };
  go(0, 1.0);
}

double expected_loss(Task& task, const LearnOptions& options) {
  double sum = 0.0;
  PolicyLoss loss(task.set, 0, options.loss);
  for_each_outcome(task.sample(), [&](const DrawnChoices& drawn, double probability) {
    sum += probability * loss.of(task.random.parameters.weights, drawn);
  });
  return sum;
}

// In log-odds: where the sum of a choice stays 1, by differences of the enumerated expectation.
std::vector<double> enumerated_slopes(Task& task, const LearnOptions& options) {
  constexpr double kStep = 1e-4;
  std::vector<double> slopes(task.sample().outputs.size(), 0.0);
  const std::vector<double> kept = task.sample().outputs;
  for (const OutputChoice& choice : task.sample().choices) {
    for (const std::uint32_t moved : choice.outputs) {
      const auto at = [&](double shift) {
        double sum = choice.may_be_none ? 1.0 : 0.0;  // of none: its log-odds stay
        for (const std::uint32_t j : choice.outputs) {
          if (choice.may_be_none) sum -= kept[j];
        }
        for (const std::uint32_t j : choice.outputs) {
          sum += kept[j] * (j == moved ? std::exp(shift) : 1.0);
        }
        for (const std::uint32_t j : choice.outputs) {
          task.sample().outputs[j] = kept[j] * (j == moved ? std::exp(shift) : 1.0) / sum;
        }
        const double value = expected_loss(task, options);
        task.sample().outputs = kept;
        return value;
      };
      slopes[moved] = (at(kStep) - at(-kStep)) / (2.0 * kStep);
    }
  }
  return slopes;
}

// Mean and variance of many estimates, in log-odds.
struct Estimates {
  std::vector<double> mean, variance;
  double loss = 0.0, told_variance = 0.0;

  double total_variance() const {
    double sum = 0.0;
    for (const double v : variance) sum += v;
    return sum;
  }
};

Estimates estimate(Task& task, const LearnOptions& options, int count) {
  const auto descent = make_policy_descent(task.set, options, {});
  Estimates result;
  const std::size_t size = task.sample().outputs.size();
  std::vector<double> sum(size, 0.0), squares(size, 0.0);
  for (int i = 0; i < count; ++i) {
    const std::size_t all[] = {0};
    std::vector<std::vector<double>> states(1);
    const LossGradient found = descent->evaluate(task.random.parameters.weights, all, 1.0, states);
    const std::vector<double> slopes = in_log_odds(task.sample(), found.in_outputs[0]);
    for (std::size_t j = 0; j < size; ++j) {
      sum[j] += slopes[j];
      squares[j] += slopes[j] * slopes[j];
    }
    result.loss += found.value / count;
    result.told_variance += found.variance / count;
  }
  for (std::size_t j = 0; j < size; ++j) {
    result.mean.push_back(sum[j] / count);
    result.variance.push_back((squares[j] - sum[j] * sum[j] / count) / (count - 1));
  }
  return result;
}

class Estimators : public testing::TestWithParam<std::pair<PolicyEstimator, int>> {};

TEST_P(Estimators, AreUnbiasedAgainstTheEnumeratedExpectation) {
  constexpr int kCount = 4000;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Task task(seed);
    const auto [estimator, draws] = GetParam();
    const LearnOptions options = policy(estimator, static_cast<std::uint64_t>(draws));
    const std::vector<double> expected = enumerated_slopes(task, options);
    const Estimates found = estimate(task, options, kCount);
    EXPECT_NEAR(found.loss, expected_loss(task, options), 0.05);
    for (std::size_t j = 0; j < expected.size(); ++j) {
      // Within 4.5 standard errors: by chance one of 100,000 is not.
      const double error = std::sqrt(found.variance[j] / kCount);
      EXPECT_NEAR(found.mean[j], expected[j], 4.5 * error + 1e-6) << "output " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         Estimators,
                         testing::Values(std::pair{PolicyEstimator::kReinforce, 1},
                                         std::pair{PolicyEstimator::kReinforce, 3},
                                         std::pair{PolicyEstimator::kIndecater, 1},
                                         std::pair{PolicyEstimator::kIndecater, 3}));

TEST(Policy, IndecaterVariesLessThanReinforce) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Task task(seed);
    const double indecater =
        estimate(task, policy(PolicyEstimator::kIndecater, 2), 1000).total_variance();
    const double reinforce =
        estimate(task, policy(PolicyEstimator::kReinforce, 2), 1000).total_variance();
    EXPECT_LT(indecater, 0.5 * reinforce);
  }
}

TEST(Policy, TellsTheVarianceOfItsEstimates) {
  Task task(1);
  const Estimates found = estimate(task, policy(PolicyEstimator::kIndecater, 8), 4000);
  EXPECT_NEAR(found.told_variance, found.total_variance(), 0.1 * found.total_variance());
}

TEST(Policy, DrawsTheSameNumbersForTheSameEpoch) {
  Task task(2);
  const LearnOptions options = policy(PolicyEstimator::kReinforce, 2);
  const auto look = [&](std::uint64_t epoch) {
    const auto descent = make_policy_descent(task.set, options, {});
    descent->begin_epoch(epoch);
    const std::size_t all[] = {0};
    std::vector<std::vector<double>> states(1);
    return descent->evaluate(task.random.parameters.weights, all, 1.0, states).in_outputs;
  };
  EXPECT_EQ(look(3), look(3));
  EXPECT_NE(look(3), look(4));
}

TEST(Policy, AddsTheEnergyLossWithItsOwnSlopes) {
  Task task(2);
  LearnOptions options = policy(PolicyEstimator::kReinforce, 2);
  const auto look = [&] {
    const auto descent = make_policy_descent(task.set, options, {});
    const std::size_t all[] = {0};
    std::vector<std::vector<double>> states(1);
    return descent->evaluate(task.random.parameters.weights, all, 1.0, states);
  };
  const LossGradient without = look();
  options.policy.energy_loss = 10.0;
  const LossGradient with = look();
  const EnergyValue latent = task.energy->latent(task.random.parameters);
  EXPECT_NEAR(with.value - without.value, 10.0 * latent.value, 1e-9);
  for (std::size_t j = 0; j < latent.in_outputs.size(); ++j) {
    EXPECT_NEAR(with.in_outputs[0][j] - without.in_outputs[0][j],
                10.0 * latent.in_outputs[j],
                1e-9 * (1.0 + std::abs(with.in_outputs[0][j])));
  }
}

TEST(Policy, RefusesAMetricThatThereIsNot) {
  Task task(2);
  task.set.sample_metric = {};
  EXPECT_THROW(make_policy_descent(task.set, policy(PolicyEstimator::kReinforce, 2), {}),
               LearnError);
}

// The expectation of a known function of drawn weights: E[w_r^2] and its slopes.
TEST(WeightPolicy, ScoresHaveTheSlopesOfExpectations) {
  constexpr int kCount = 400000;
  const std::vector<double> weights = {0.5, 0.2, 0.3, 7.0};
  const std::vector<std::size_t> learned = {0, 1, 2};
  for (const WeightPolicy kind : {WeightPolicy::kLogNormal, WeightPolicy::kDirichlet}) {
    PolicyOptions options;
    options.weights = kind;
    options.deviation = 0.4;
    std::mt19937_64 random(5);
    std::vector<double> mean(4, 0.0), slope(4, 0.0), square(4, 0.0);
    for (int i = 0; i < kCount; ++i) {
      const DrawnWeights drawn = draw_weights(options, weights, learned, random);
      EXPECT_EQ(drawn.weights[3], 7.0);
      for (std::size_t r = 0; r < 4; ++r) {
        mean[r] += drawn.weights[r] / kCount;
        const double one = drawn.weights[0] * drawn.weights[0] * drawn.score[r];
        slope[r] += one / kCount;
        square[r] += one * one / kCount;
      }
    }
    for (std::size_t r = 0; r < 4; ++r) EXPECT_NEAR(mean[r], weights[r], 0.005 * weights[r]);
    // E[w_0^2]: w^2 exp(sigma^2); of a Dirichlet share, p (1 + c p) / (1 + c), where moving p_s
    // at a fixed sum also moves the others.
    const double c = 2.0 / (0.4 * 0.4) - 1.0, p = weights[0];
    const double in_share = (1.0 + 2.0 * c * p) / (1.0 + c);
    for (std::size_t r = 0; r < 4; ++r) {
      double expected = 0.0;
      if (kind == WeightPolicy::kLogNormal && r == 0) expected = 2.0 * p * std::exp(0.4 * 0.4);
      if (kind == WeightPolicy::kDirichlet && r < 3)
        expected = in_share * ((r == 0 ? 1.0 : 0.0) - p);
      EXPECT_NEAR(slope[r], expected, 5.0 * std::sqrt(square[r] / kCount) + 1e-9)
          << name_of(WeightDomain::kNonNegative) << r;
    }
  }
}

TEST(WeightPolicy, DigammaIsTheSlopeOfTheLogarithmOfGamma) {
  for (const double x : {0.05, 0.5, 1.0, 3.7, 25.0, 400.0}) {
    const double step = 1e-5 * x;
    EXPECT_NEAR(digamma(x),
                (std::lgamma(x + step) - std::lgamma(x - step)) / (2.0 * step),
                1e-6 * (1.0 + std::abs(digamma(x))));
  }
  EXPECT_NEAR(digamma(1.0), -0.57721566490153286, 1e-12);
}

TEST(Policy, LearnsWeightsByTheirExpectedLoss) {
  int better = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Task task(seed);
    task.sample().choices.clear();
    LearnOptions options = policy(PolicyEstimator::kReinforce, 8);
    options.loss = {.squared_error = 1.0};
    options.policy.weights = WeightPolicy::kLogNormal;
    options.policy.deviation = 0.2;
    options.domain = WeightDomain::kNonNegative;
    options.optimizer = WeightOptimizer::kAdam;
    options.step_size = 0.03;
    options.regularizers.relative_log = 0.0;
    options.max_epochs = 60;
    const std::vector<bool> fixed(task.random.model.rules.size(), false);
    const LearnResult result =
        learn(task.set, nullptr, task.random.parameters.weights, fixed, options);
    const LearnResult again =
        learn(task.set, nullptr, task.random.parameters.weights, fixed, options);
    EXPECT_EQ(result.weights, again.weights);
    EXPECT_GT(*result.state.history.front().gradient_variance, 0.0);
    better += result.state.history.back().loss < result.state.history.front().loss ? 1 : 0;
  }
  EXPECT_GE(better, 10);
}

}  // namespace
}  // namespace sorites
