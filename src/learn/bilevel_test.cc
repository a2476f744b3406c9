// The bilevel algorithm on small models: that it moves what it is made of, and ends where a search
// over all weights does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "hinge/energy/random_energy.h"
#include "learn/descent.h"
#include "learn/learning.h"
#include "learn/losses.h"

namespace sorites {
namespace {

// Small models of squared and plain hinges; labels are the state that other weights give.
struct Task {
  RandomEnergy random;
  std::vector<double> labels;
};

HingeEnergyOptions regularized() {
  HingeEnergyOptions options;
  options.solve.gap = 1e-8;
  options.solve.threads = 1;
  options.solve.regularization = 1e-3;
  return options;
}

Task task_of(std::uint64_t seed) {
  EnergyShape shape;
  shape.num_atoms = 3 + seed % 48;  // terms have up to 3 atoms
  shape.num_outputs = 0;
  shape.num_rules = 2 + seed % 3;
  shape.terms_per_rule = std::max<std::size_t>(2, shape.num_atoms);
  shape.hard_rules = false;
  shape.latent_share = 0.0;
  Task task{random_energy(seed, shape), {}};
  std::mt19937_64 random(seed + 1000);
  Parameters hidden = task.random.parameters;
  for (double& weight : hidden.weights)
    weight = std::exp(std::normal_distribution<>(0, 1.5)(random));
  const std::vector<double> unknown(task.random.model.num_atoms, kLatent);
  task.labels = make_hinge_energy(task.random.model, unknown, regularized())->full(hidden).state;
  return task;
}

LearnOptions bilevel(LossMix loss) {
  LearnOptions options;
  options.algorithm = LearnAlgorithm::kBilevel;
  options.loss = loss;
  options.regularizers.relative_log = 0.0;
  options.max_epochs = 200;
  return options;
}

LearnResult learn_task(const Task& task, const LearnOptions& options) {
  const auto energy = make_hinge_energy(task.random.model, task.labels, regularized());
  const LearnSet set{.samples = {{energy.get(), {}, 1.0}}};
  const std::size_t count = task.random.model.rules.size();
  return learn(set, nullptr, std::vector<double>(count, 1.0), std::vector<bool>(count), options);
}

double loss_of(const Task& task, const LossMix& loss, Energy& energy, std::vector<double> weights) {
  return state_loss(loss, energy.full({std::move(weights), {}, 1.0}).state, task.labels).value;
}

TEST(Bilevel, MovesItsPenaltiesItsRelaxationAndTheWeights) {
  Task task = task_of(7);
  for (std::size_t i = 0; i < task.labels.size(); ++i) {  // labels that no weights give
    task.labels[i] = std::clamp(task.labels[i] + (i % 2 == 0 ? 0.3 : -0.2), 0.0, 1.0);
  }
  LearnOptions options = bilevel({.squared_error = 1.0});
  options.bilevel.relaxation = 1.0;  // a loose start: then there is something to move
  options.bilevel.proximity = 1.0;
  options.bilevel.squared_penalty = 0.1;
  const LearnResult result = learn_task(task, options);
  const LearnEpoch& first = result.state.history.front();
  const LearnEpoch& last = result.state.history.back();
  ASSERT_TRUE(first.bilevel && last.bilevel);
  EXPECT_LT(last.bilevel->relaxation, 0.1 * first.bilevel->relaxation);
  EXPECT_GT(last.bilevel->linear_penalty, 2.0 * first.bilevel->linear_penalty);
  EXPECT_LT(result.state.best_loss, 0.99 * first.loss);
  EXPECT_NE(result.weights[0], 1.0 / static_cast<double>(result.weights.size()));
  double falls = 0.0;  // a multiplier that only grows holds what needs no holding
  for (std::size_t e = 1; e < result.state.history.size(); ++e) {
    falls += std::max(0.0,
                      result.state.history[e - 1].bilevel->linear_penalty -
                          result.state.history[e].bilevel->linear_penalty);
  }
  EXPECT_GT(falls, 0.0);
}

// All weights on a grid of ratios.
double least_on_grid(const Task& task, const LossMix& loss, Energy& energy) {
  const double ratios[] = {0.02, 0.1, 0.3, 1.0, 3.0, 10.0, 50.0};
  const std::size_t count = task.random.model.rules.size();
  double least = loss_of(task, loss, energy, std::vector<double>(count, 1.0));
  std::vector<std::size_t> at(count, 0);
  for (;;) {
    std::vector<double> weights;
    double sum = 0.0;
    for (const std::size_t k : at) sum += ratios[k];
    for (const std::size_t k : at) weights.push_back(ratios[k] / sum);
    least = std::min(least, loss_of(task, loss, energy, std::move(weights)));
    std::size_t r = 1;  // the first stays: only ratios count
    while (r < count && ++at[r] == std::size(ratios)) at[r++] = 0;
    if (r == count) return least;
  }
}

// What a search finds among all weights, the algorithm finds by its steps; whatever the size.
TEST(Bilevel, LearnsWhatAGridSearchLearns) {
  double first = 0.0, learned = 0.0, least = 0.0;
  std::size_t worse = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Task task = task_of(seed);
    const LossMix loss{.squared_error = 1.0};
    const auto energy = make_hinge_energy(task.random.model, task.labels, regularized());
    const std::size_t count = task.random.model.rules.size();
    const std::vector<double> equal(count, 1.0 / static_cast<double>(count));
    const double before = loss_of(task, loss, *energy, equal);
    const double after = loss_of(task, loss, *energy, learn_task(task, bilevel(loss)).weights);
    if (after > before + 1e-3 * (1.0 + before)) ++worse;
    first += before;
    learned += after;
    least += least_on_grid(task, loss, *energy);
  }
  EXPECT_EQ(worse, 0U);
  EXPECT_LT(learned - least, 0.05 * (first - least)) << first << ' ' << learned << ' ' << least;
}

// Weights a thousand times as large, or data twice: the same steps.
TEST(Bilevel, DoesNotSeeTheScaleOfAModel) {
  Task task = task_of(11);
  const LearnOptions options = bilevel({.squared_error = 1.0});
  const LearnResult one = learn_task(task, options);
  const auto energy = make_hinge_energy(task.random.model, task.labels, regularized());
  const auto twin = make_hinge_energy(task.random.model, task.labels, regularized());
  const LearnSet twice{.samples = {{energy.get(), {}, 1.0}, {twin.get(), {}, 1.0}}};
  const std::size_t count = task.random.model.rules.size();
  const LearnResult two =
      learn(twice, nullptr, std::vector<double>(count, 1.0), std::vector<bool>(count), options);
  for (std::size_t r = 0; r < count; ++r) EXPECT_NEAR(one.weights[r], two.weights[r], 1e-3);
}

double cosine(std::span<const double> a, std::span<const double> b) {
  double product = 0.0, of_a = 0.0, of_b = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += a[i] * b[i];
    of_a += a[i] * a[i];
    of_b += b[i] * b[i];
  }
  return product / std::sqrt(of_a * of_b);
}

std::vector<double> slopes_by_differences(const RandomEnergy& random, Energy& energy) {
  constexpr double kStep = 1e-4;
  std::vector<double> slopes;
  for (std::size_t j = 0; j < random.model.num_outputs; ++j) {
    const auto loss_at = [&](double change) {
      Parameters near = random.parameters;
      near.outputs[j] += change;
      return state_loss({.squared_error = 1.0}, energy.full(near).state, random.labels).value;
    };
    slopes.push_back((loss_at(kStep) - loss_at(-kStep)) / (2.0 * kStep));
  }
  return slopes;
}

// Tight constraints pull at a network as the loss of what is inferred does; also just after its
// outputs have changed much, when states that lag behind would pull it back.
TEST(Bilevel, PullsOutputsAsTheLossOfInferredValuesDoes) {
  int tried = 0, agree = 0;  // where a kink is near, differences are no slope
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RandomEnergy random = random_energy(seed, {.hinges = false, .hard_rules = false});
    make_minimiser_unique(random);
    HingeEnergyOptions precise;
    precise.solve.gap = 1e-10;
    precise.solve.threads = 1;
    const auto energy = make_hinge_energy(random.model, random.labels, precise);
    LearnSet set{.samples = {{energy.get(), random.parameters.outputs, 1.0}}};
    for (std::size_t j = 0; j < random.model.num_outputs; ++j) {
      set.samples[0].outputs[j] += j % 2 == 0 ? 0.4 : -0.4;
    }
    const auto descent = make_bilevel_descent(set, bilevel({.squared_error = 1.0}));
    std::vector<std::vector<double>> states(1);
    const std::size_t all[] = {0};
    descent->evaluate(random.parameters.weights, all, 1.0, states);
    set.samples[0].outputs = random.parameters.outputs;
    const LossGradient found = descent->evaluate(random.parameters.weights, all, 1.0, states);
    const std::vector<double> expected = slopes_by_differences(random, *energy);
    const auto is_flat = [](double slope) { return std::abs(slope) < 1e-6; };
    if (std::all_of(expected.begin(), expected.end(), is_flat)) continue;
    ++tried;
    if (cosine(found.in_outputs[0], expected) > 0.95) ++agree;
  }
  EXPECT_GT(tried, 20);
  EXPECT_GE(agree, tried - 2);
}

TEST(ProximalState, IsWhereLossAndStrengthBalance) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int run = 0; run < 300; ++run) {
    const LossMix mix{.squared_error = run % 3 == 0 ? 0.0 : unit(random),
                      .cross_entropy = run % 3 == 1 ? 0.0 : unit(random)};
    const std::vector<double> labels = {run % 2 == 0 ? 1.0 : 0.0, unit(random), kLatent};
    const std::vector<double> centre = {unit(random), unit(random), unit(random)};
    const double base = 3.0 * unit(random) - 1.0, slope = 10.0 * unit(random);
    const auto strength_at = [&](std::span<const double> y) {
      double distance = 0.0;
      for (std::size_t i = 0; i < y.size(); ++i)
        distance += (y[i] - centre[i]) * (y[i] - centre[i]);
      return std::max(0.0, base + slope * distance);
    };
    const std::vector<double> state = proximal_state(mix, labels, centre, strength_at);
    const double strength = strength_at(state);
    EXPECT_EQ(state[2], centre[2]);
    const auto value = [&](std::vector<double> y) {
      double sum = state_loss(mix, y, labels).value;
      for (std::size_t i = 0; i < 2; ++i) sum += strength * (y[i] - centre[i]) * (y[i] - centre[i]);
      return sum;
    };
    for (std::size_t i = 0; i < 2; ++i) {
      for (const double change : {-1e-3, 1e-3}) {
        std::vector<double> other = state;
        other[i] = std::clamp(other[i] + change, 0.0, 1.0);
        EXPECT_LE(value(state), value(other) + 1e-7);
      }
    }
  }
}

}  // namespace
}  // namespace sorites
