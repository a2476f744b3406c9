#include <gtest/gtest.h>

#include <cmath>

#include "hinge/energy/random_energy.h"
#include "learn/descent.h"
#include "learn/losses.h"

namespace sorites {
namespace {

LearnOptions following(double step, double squares = 0.0) {
  LearnOptions options;
  options.algorithm = LearnAlgorithm::kGradientFollowing;
  options.loss = {.squared_error = 1.0};
  options.following_step = step;
  options.following_squares = squares;
  return options;
}

// A model of squared potentials with a unique minimiser, and all that a descent looks at.
struct Task {
  RandomEnergy random;
  std::unique_ptr<Energy> energy;
  LearnSet set;

  explicit Task(std::uint64_t seed) {
    random = random_energy(seed, {.hinges = false, .hard_rules = false});
    make_minimiser_unique(random);
    energy = make_hinge_energy(random.model, random.labels, exact());
    set.samples = {{.energy = energy.get(), .outputs = random.parameters.outputs}};
  }

  LossGradient look(Descent& descent) const {
    const std::size_t all[] = {0};
    std::vector<std::vector<double>> states(1);
    return descent.evaluate(random.parameters.weights, all, 1.0, states);
  }

  double loss(const Parameters& parameters) const {
    return state_loss({.squared_error = 1.0}, energy->full(parameters).state, random.labels).value;
  }
};

// (E(y') - E(y) + mu (Omega(y') - Omega(y))) / alpha with y and y' as they are, by the definition.
double followed(const Task& task,
                const Parameters& parameters,
                const std::vector<double>& from,
                const std::vector<double>& to,
                const LearnOptions& options) {
  const StateValue a = task.energy->at(parameters, to), b = task.energy->at(parameters, from);
  return (a.value - b.value + options.following_squares * (a.squares - b.squares)) /
         options.following_step;
}

TEST(GradientFollowing, HasTheSlopesOfDifferences) {
  constexpr double kStep = 1e-6;
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Task task(seed);
    const LearnOptions options = following(0.05, 0.3);
    const auto descent = make_gradient_following(task.set, options);
    const LossGradient found = task.look(*descent);
    const std::vector<double> from = task.energy->full(task.random.parameters).state;
    std::vector<double> to = from;
    const StateLoss loss = state_loss(options.loss, from, task.random.labels);
    add_scaled(-options.following_step, loss.in_state, to);
    EXPECT_NEAR(found.of_inference, loss.value, 1e-9);
    const auto expect = [&](double& at, double slope) {
      const double kept = at;
      at = kept + kStep;
      const double above = followed(task, task.random.parameters, from, to, options);
      at = kept - kStep;
      const double below = followed(task, task.random.parameters, from, to, options);
      at = kept;
      EXPECT_NEAR(slope, (above - below) / (2.0 * kStep), 1e-5 * (1.0 + std::abs(slope)));
      ++checked;
    };
    Parameters& parameters = task.random.parameters;
    for (std::size_t r = 0; r < parameters.weights.size(); ++r) {
      expect(parameters.weights[r], found.in_weights[r]);
    }
    for (std::size_t j = 0; j < parameters.outputs.size(); ++j) {
      expect(parameters.outputs[j], found.in_outputs[0][j]);
    }
  }
  EXPECT_GT(checked, 500U);
}

// The direction is that of the gradient with the inverse curvature of the energy left out: where
// curvatures differ much it can be wrong, on most models it is right.
TEST(GradientFollowing, LowersTheLossOfTheSolvedModel) {
  int lowered = 0, tried = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Task task(seed);
    const auto descent = make_gradient_following(task.set, following(1e-3));
    const LossGradient found = task.look(*descent);
    double norm = 0.0;
    for (const double g : found.in_weights) norm += g * g;
    for (const double g : found.in_outputs[0]) norm += g * g;
    if (norm < 1e-12) continue;
    Parameters moved = task.random.parameters;
    const double length = 1e-3 / std::sqrt(norm);
    add_scaled(-length, found.in_weights, moved.weights);
    add_scaled(-length, found.in_outputs[0], moved.outputs);
    ++tried;
    lowered += task.loss(moved) < task.loss(task.random.parameters) ? 1 : 0;
  }
  RecordProperty("lowered", lowered);
  RecordProperty("tried", tried);
  EXPECT_GT(tried, 150);
  EXPECT_GT(lowered, 9 * tried / 10) << "of " << tried;
}

TEST(GradientFollowing, StepsAgainAtTheSameStates) {
  Task task(5);
  const LearnOptions options = following(0.05);
  const auto descent = make_gradient_following(task.set, options);
  const LossGradient first = task.look(*descent);
  const std::uint64_t solves = task.energy->statistics().solves;
  const std::size_t all[] = {0};
  const LossGradient again = descent->evaluate_again(task.random.parameters.weights, all);
  EXPECT_EQ(first.in_weights, again.in_weights);
  EXPECT_EQ(first.in_outputs, again.in_outputs);
  EXPECT_EQ(task.energy->statistics().solves, solves);
}

TEST(GradientFollowing, LearnsTheWeightsOfAModel) {
  int better = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Task task(seed);
    LearnOptions options = following(0.01);
    options.domain = WeightDomain::kNonNegative;
    options.optimizer = WeightOptimizer::kAdam;
    options.step_size = 0.02;
    options.regularizers.relative_log = 0.0;
    options.steps_per_inference = 3;
    options.max_epochs = 40;
    const std::vector<bool> fixed(task.random.model.rules.size(), false);
    const LearnResult result =
        learn(task.set, nullptr, task.random.parameters.weights, fixed, options);
    Parameters learned = task.random.parameters;
    learned.weights = result.weights;
    const double before = task.loss(task.random.parameters), after = task.loss(learned);
    EXPECT_LE(after, before + 1e-9) << "seed " << seed;  // the best is kept
    better += after < 0.9 * before ? 1 : 0;
  }
  EXPECT_GT(better, 15);
}

TEST(StepsPerInference, FollowTheEnergyAtTheStateThatWasFound) {
  Task task(3);
  LearnOptions options;
  options.loss = {.structured_perceptron = 1.0};
  options.steps_per_inference = 2;
  const auto descent = make_gradient_descent(task.set, options);
  const LossGradient first = task.look(*descent);
  const std::size_t all[] = {0};
  const LossGradient again = descent->evaluate_again(task.random.parameters.weights, all);
  for (std::size_t r = 0; r < first.in_weights.size(); ++r) {
    EXPECT_NEAR(first.in_weights[r], again.in_weights[r], 1e-7);
  }
  for (std::size_t j = 0; j < first.in_outputs[0].size(); ++j) {
    EXPECT_NEAR(first.in_outputs[0][j], again.in_outputs[0][j], 1e-5);
  }
}

TEST(StepsPerInference, AreRefusedWhereEveryStepNeedsItsInference) {
  Task task(3);
  LearnOptions options;
  options.loss = {.squared_error = 1.0};
  options.steps_per_inference = 2;
  const std::vector<bool> fixed(task.random.model.rules.size(), false);
  EXPECT_THROW(learn(task.set, nullptr, task.random.parameters.weights, fixed, options),
               LearnError);
}

}  // namespace
}  // namespace sorites
