#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>

#include "hinge/energy/random_energy.h"
#include "learn/learning.h"
#include "learn/losses.h"
#include "learn/weight_space.h"

namespace sorites {
namespace {

// Two rules pull every atom to 1 and to 0, with squared hinges: y* = w_0 / (w_0 + w_1).
Model tug_of_war(std::size_t num_atoms) {
  Model model;
  model.num_atoms = num_atoms;
  for (std::uint32_t rule = 0; rule < 2; ++rule) {
    model.rules.push_back({1.0, false, "", {}});
    TermBlock block;
    block.rule = rule;
    block.kind = TermKind::kSquaredHinge;
    block.coefficients = {rule == 0 ? -1.0 : 1.0};
    for (AtomId i = 0; i < num_atoms; ++i) {
      add_term(block, std::vector<AtomId>{i}, {}, rule == 0 ? 1.0 : 0.0);
    }
    model.blocks.push_back(std::move(block));
  }
  return model;
}

HingeEnergyOptions precise() {
  HingeEnergyOptions options;
  options.solve.gap = 1e-8;
  options.solve.threads = 1;
  return options;
}

LearnOptions plain(LossMix loss) {
  LearnOptions options;
  options.loss = loss;
  options.regularizers = {.relative_log = 0.0};
  options.domain = WeightDomain::kMirrorSimplex;
  options.step_size = 0.05;
  options.max_epochs = 400;
  options.movement_tolerance = 0.0;
  return options;
}

LearnResult learn_from(Energy& energy, std::vector<double> first, const LearnOptions& options) {
  LearnSet set;
  set.samples = {{&energy, std::vector<double>(energy.num_outputs(), 0.0)}};
  const std::vector<bool> fixed(first.size());
  return learn(set, nullptr, std::move(first), fixed, options);
}

LearnResult learn_one(Energy& energy, const LearnOptions& options) {
  return learn_from(energy, std::vector<double>(energy.num_weights(), 1.0), options);
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Minimiser-based losses bring y* to the labels, by either algorithm and in every domain.
TEST(Learn, FindsTheWeightsWhoseMinimiserIsTheLabels) {
  const Model model = tug_of_war(5);
  const auto energy = make_hinge_energy(model, std::vector<double>(5, 0.8), precise());
  for (const WeightDomain domain : {WeightDomain::kMirrorSimplex,
                                    WeightDomain::kProjectedSimplex,
                                    WeightDomain::kNonNegative,
                                    WeightDomain::kSoftmaxSimplex}) {
    for (const LossMix loss : {LossMix{.squared_error = 1.0}, LossMix{.cross_entropy = 1.0}}) {
      LearnOptions options = plain(loss);
      options.domain = domain;
      const LearnResult result = learn_one(*energy, options);
      EXPECT_NEAR(result.weights[0] / sum_of(result.weights), 0.8, 0.01) << name_of(domain);
    }
  }
}

TEST(Learn, BilevelComesNearTheSameWeights) {
  const Model model = tug_of_war(5);
  const auto energy = make_hinge_energy(model, std::vector<double>(5, 0.8), precise());
  for (const LossMix loss : {LossMix{.squared_error = 1.0}, LossMix{.cross_entropy = 1.0}}) {
    LearnOptions options = plain(loss);
    options.algorithm = LearnAlgorithm::kBilevel;
    options.bilevel.energy_loss = 0.0;
    options.max_epochs = 3000;
    options.bilevel.proximity = 0.1;
    options.bilevel.constraint_tolerance = 1e-4;
    options.bilevel.movement_tolerance = 1e-3;
    const LearnResult result = learn_one(*energy, options);
    EXPECT_NEAR(result.weights[0], 0.8, 0.05) << name_of(result.stop);
  }
}

TEST(Learn, RealWeightsMayBecomeNegative) {
  LearnOptions options;
  options.domain = WeightDomain::kReal;
  options.regularizers = {.relative_log = 0.0, .pull_to_start = 2.0};
  WeightSpace space(options, {false, true, false});
  std::vector<double> weights = {0.5, 1.0, -0.5}, gradient(3, 0.0);
  space.enter(weights);
  EXPECT_EQ(weights, (std::vector<double>{0.5, 1.0, -0.5}));
  space.step(weights, std::vector<double>{3.0, 3.0, 0.0}, 1.0);
  EXPECT_EQ(weights, (std::vector<double>{-2.5, 1.0, -0.5}));
  EXPECT_EQ(space.regularize(weights, gradient), 9.0);
  EXPECT_EQ(gradient, (std::vector<double>{-6.0, 0.0, 0.0}));
  options.regularizers.negative_log = 1.0;
  EXPECT_THROW(WeightSpace(options, {false}), std::invalid_argument);
}

// By their own labels the weights would be other ones than by those that judge.
TEST(Learn, KeepsTheEpochOfTheSmallestValidationLoss) {
  const Model model = tug_of_war(5);
  const auto energy = make_hinge_energy(model, std::vector<double>(5, 0.9), precise());
  const auto judge = make_hinge_energy(model, std::vector<double>(5, 0.7), precise());
  const LearnSet training{.samples = {{.energy = energy.get()}}};
  const LearnSet validation{.samples = {{.energy = judge.get()}}};
  LearnOptions options = plain({.squared_error = 1.0});
  options.validation_patience = 5;
  const LearnResult result = learn(training, &validation, {1.0, 1.0}, {false, false}, options);
  EXPECT_EQ(result.stop, LearnStop::kValidationMetric);
  EXPECT_NEAR(result.weights[0], 0.7, 0.02);
  EXPECT_EQ(result.state.history.back().epoch, result.state.best_epoch + 5);
}

// A probability that is all wrong costs no more than a number can say, and still pulls.
TEST(Losses, LogOddsTellWhereProbabilitiesEnd) {
  EnergyValue sure;
  sure.state = {1.0, 0.5};
  sure.log_odds = {800.0, 0.0};
  const std::vector<double> labels = {0.0, kLatent};
  const StateLoss loss = state_loss({.cross_entropy = 2.0}, sure, labels);
  EXPECT_EQ(loss.value, 1600.0);
  EXPECT_EQ(loss.in_log_odds, (std::vector<double>{2.0, 0.0}));
  EXPECT_EQ(loss.in_state, (std::vector<double>{0.0, 0.0}));
}

// Dickens et al. 2022, section 3.3: without regularisation the value-based losses have degenerate
// solutions: weights of 0, and for the energy a corner of the simplex.
TEST(Learn, ValueBasedLossesCollapseWithoutRegularisation) {
  const Model model = tug_of_war(6);
  const std::vector<double> labels = {0.9, 0.2, 0.9, 0.4, 0.8, 0.9};  // of no minimiser
  const auto smallest = [](const std::vector<double>& weights) {
    return *std::min_element(weights.begin(), weights.end());
  };
  for (const bool perceptron : {false, true}) {
    const auto energy = make_hinge_energy(model, labels, precise());
    LearnOptions options =
        plain(perceptron ? LossMix{.structured_perceptron = 1.0} : LossMix{.energy = 1.0});
    options.max_epochs = 4000;
    options.step_size = 0.005;  // near 0, longer steps jump to and fro
    if (!perceptron) {
      EXPECT_LT(smallest(learn_one(*energy, options).weights), 1e-3);
    }
    options.domain = WeightDomain::kNonNegative;
    EXPECT_LT(sum_of(learn_one(*energy, options).weights), 0.05) << perceptron;

    options.regularizers.negative_log = 1.0;
    EXPECT_GT(smallest(learn_one(*energy, options).weights), 0.2) << perceptron;
    options.domain = WeightDomain::kMirrorSimplex;
    EXPECT_GT(smallest(learn_one(*energy, options).weights), 0.2) << perceptron;
  }
}

TEST(Learn, EnergyLossFindsItsRegularisedMinimum) {
  // On the simplex: min c_0 w_0 + c_1 w_1 - log w_0 - log w_1, with c the potentials of the labels.
  const Model model = tug_of_war(10);
  const auto energy = make_hinge_energy(model, std::vector<double>(10, 0.7), precise());
  LearnOptions options = plain({.energy = 1.0});
  options.regularizers.negative_log = 1.0;
  options.max_epochs = 3000;
  const LearnResult result = learn_one(*energy, options);
  const double c0 = 10 * 0.09, c1 = 10 * 0.49, w = result.weights[0];
  EXPECT_NEAR(c0 - 1.0 / w, c1 - 1.0 / (1.0 - w), 1e-3);
}

// Twice the data is twice the loss, and so is what regularises it.
TEST(Learn, RelativeLogarithmsDoNotSeeHowMuchDataThereIs) {
  std::vector<double> learned;
  for (const std::size_t size : {10U, 20U}) {
    const Model model = tug_of_war(size);
    const auto energy = make_hinge_energy(model, std::vector<double>(size, 0.7), precise());
    LearnOptions options = plain({.energy = 1.0});
    options.regularizers.relative_log = 0.5;
    options.step_size = 0.005;
    options.max_epochs = 3000;
    learned.push_back(learn_one(*energy, options).weights[0]);
    // min c_0 w_0 + c_1 w_1 - u (log w_0 + log w_1), u = 0.5 (c_0 + c_1) / 2 / 2: w is 1/2 at
    // first.
    const auto n = static_cast<double>(size);
    const double c0 = n * 0.09, c1 = n * 0.49, u = 0.125 * (c0 + c1), w = learned.back();
    EXPECT_NEAR(c0 - u / w, c1 - u / (1.0 - w), 1e-2 * n);
  }
  EXPECT_NEAR(learned[0], learned[1], 1e-6);
}

// They pull towards the weights that learning starts from, not towards equal ones.
TEST(Learn, RelativeLogarithmsHoldTheRatiosOfTheFirstWeights) {
  const Model model = tug_of_war(5);
  const auto energy = make_hinge_energy(model, std::vector<double>(5, 0.3), precise());
  for (const WeightDomain domain : {WeightDomain::kMirrorSimplex, WeightDomain::kSoftmaxSimplex}) {
    LearnOptions options = plain({.energy = 1.0});
    options.domain = domain;
    options.regularizers.relative_log = 100.0;
    options.step_size = 0.001;
    options.max_epochs = 300;
    const std::vector<double> weights = learn_from(*energy, {4.0, 1.0}, options).weights;
    EXPECT_NEAR(weights[0] / weights[1], 4.0, 0.1) << name_of(domain);
  }
}

std::vector<bool> hard_rules(const Model& model) {
  std::vector<bool> hard;
  for (const GroundRule& rule : model.rules) hard.push_back(rule.hard);
  return hard;
}

LearnSet set_of(const RandomEnergy& random, Energy& energy) {
  LearnSet set;
  set.samples = {{&energy, random.parameters.outputs}};
  set.metric = [labels = random.labels](std::span<const std::vector<double>> states, const auto&) {
    double error = 0.0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (!std::isnan(labels[i])) error += std::abs(states[0][i] - labels[i]);
    }
    return -error;
  };
  return set;
}

// Learning that is stopped and resumed ends with the same bits, whatever the algorithm.
TEST(Learn, ResumesBitForBit) {
  const RandomEnergy random = random_energy(3);
  for (const LearnAlgorithm algorithm : kLearnAlgorithms) {
    LearnOptions options = plain({.structured_perceptron = 1.0, .squared_error = 1.0});
    options.domain = WeightDomain::kSoftmaxSimplex;
    options.algorithm = algorithm;
    options.regularizers.relative_log = 0.1;
    options.search.max_points = 20;
    options.max_epochs = 20;
    const auto run = [&](std::uint64_t stop_at, const LearnState* resume) {
      const auto energy = make_hinge_energy(random.model, random.labels, precise());
      std::stop_source stop;
      LearnOptions stopping = options;
      stopping.stop = stop.get_token();
      LearnHooks hooks;
      hooks.keep_memory = true;
      hooks.resume = resume;
      hooks.epoch = [&](const LearnEpoch& epoch, const LearnState&) {
        if (epoch.epoch == stop_at) stop.request_stop();
      };
      return learn(set_of(random, *energy),
                   nullptr,
                   random.parameters.weights,
                   hard_rules(random.model),
                   stopping,
                   hooks);
    };
    const LearnResult whole = run(~std::uint64_t{0}, nullptr);
    const LearnResult first = run(7, nullptr);
    EXPECT_EQ(first.stop, LearnStop::kInterrupted);
    const LearnResult second = run(~std::uint64_t{0}, &first.state);
    EXPECT_EQ(whole.weights, second.weights) << name_of(algorithm);
    ASSERT_EQ(whole.state.history.size(), second.state.history.size()) << name_of(algorithm);
    for (std::size_t e = 0; e < whole.state.history.size(); ++e) {
      EXPECT_EQ(whole.state.history[e].loss, second.state.history[e].loss) << name_of(algorithm);
      EXPECT_EQ(whole.state.history[e].movement, second.state.history[e].movement);
    }
  }
}

TEST(Learn, KeepsTheBestWeightsOfAllAlgorithms) {
  const RandomEnergy random = random_energy(11);
  for (const LearnAlgorithm algorithm : kLearnAlgorithms) {
    const auto energy = make_hinge_energy(random.model, random.labels, precise());
    LearnOptions options = plain({.squared_error = 1.0});
    options.algorithm = algorithm;
    options.max_epochs = 30;
    options.search.max_points = 30;
    const LearnSet set = set_of(random, *energy);
    const LearnResult result =
        learn(set, nullptr, random.parameters.weights, hard_rules(random.model), options);
    const auto states = [&](const std::vector<double>& weights) {
      Parameters parameters = random.parameters;
      parameters.weights = weights;
      return std::vector<std::vector<double>>{energy->full(parameters).state};
    };
    EXPECT_NEAR(set.metric(states(result.weights), {}), *result.state.best_metric, 1e-3);
    EXPECT_GE(*result.state.best_metric, *result.state.history[0].training_metric);
  }
}

TEST(Learn, StopsForEveryReason) {
  const RandomEnergy random = random_energy(5);
  const auto energy = make_hinge_energy(random.model, random.labels, precise());
  const auto stop_of = [&](const LearnOptions& options) {
    const LearnSet set = set_of(random, *energy);
    return learn(set, &set, random.parameters.weights, hard_rules(random.model), options).stop;
  };
  LearnOptions options = plain({.squared_error = 1.0});
  options.max_epochs = 3;
  EXPECT_EQ(stop_of(options), LearnStop::kEpochs);
  options.max_epochs = 100000;
  options.time_limit_seconds = 0.0;
  EXPECT_EQ(stop_of(options), LearnStop::kTime);
  options.time_limit_seconds = INFINITY;
  options.movement_tolerance = 1.0;
  EXPECT_EQ(stop_of(options), LearnStop::kMovement);
  options.movement_tolerance = 0.0;
  options.step_size = 0.0;
  options.training_patience = 4;
  EXPECT_EQ(stop_of(options), LearnStop::kTrainingMetric);
  options.validation_patience = 3;
  EXPECT_EQ(stop_of(options), LearnStop::kValidationMetric);
}

TEST(Learn, SeveralSamplesAndStepsAfterEach) {
  const Model small = tug_of_war(2), large = tug_of_war(6);
  const auto one = make_hinge_energy(small, std::vector<double>(2, 0.3), precise());
  const auto two = make_hinge_energy(large, std::vector<double>(6, 0.7), precise());
  LearnSet set;
  set.samples = {{one.get(), {}}, {two.get(), {}}};
  LearnOptions options = plain({.squared_error = 1.0});
  for (const bool incremental : {false, true}) {
    options.samples_per_step = incremental ? 1 : 0;
    if (incremental) options.schedule = StepSchedule::kInverse;
    options.step_size = incremental ? 0.5 : 0.05;
    const LearnResult result = learn(set, nullptr, {1.0, 1.0}, {false, false}, options);
    EXPECT_NEAR(result.weights[0], 0.6, 0.02) << incremental;  // (2 * 0.3 + 6 * 0.7) / 8
  }
}

// Samples are shared among threads by both algorithms that take steps.
TEST(Learn, ThreadsChangeNothing) {
  for (const LearnAlgorithm algorithm : {LearnAlgorithm::kGradient, LearnAlgorithm::kBilevel}) {
    const auto run = [&](unsigned threads) {
      const RandomEnergy random = random_energy(3);
      std::vector<std::unique_ptr<Energy>> energies;
      LearnSet set;
      std::mt19937_64 draw(3);
      for (int s = 0; s < 7; ++s) {
        energies.push_back(make_hinge_energy(random.model, random.labels, precise()));
        std::vector<double> outputs = random.parameters.outputs;
        std::shuffle(outputs.begin(), outputs.end(), draw);
        set.samples.push_back({energies.back().get(), outputs});
      }
      LearnOptions options = plain({.energy = 0.5, .squared_error = 1.0});
      options.algorithm = algorithm;
      options.threads = threads;
      options.samples_per_step = 3;
      options.max_epochs = 10;
      set.metric = [](const auto& states, const auto&) {
        double sum = 0.0;
        for (const std::vector<double>& state : states) sum += sum_of(state);
        return sum;
      };
      return learn(set, nullptr, random.parameters.weights, hard_rules(random.model), options);
    };
    const LearnResult one = run(1), several = run(3);
    EXPECT_GT(one.state.history.back().movement, 0.0);
    EXPECT_EQ(one.weights, several.weights) << name_of(algorithm);
    ASSERT_EQ(one.state.history.size(), several.state.history.size());
    for (std::size_t e = 0; e < one.state.history.size(); ++e) {
      EXPECT_EQ(one.state.history[e].loss, several.state.history[e].loss) << name_of(algorithm);
      EXPECT_EQ(one.state.history[e].training_metric, several.state.history[e].training_metric);
    }
  }
}

TEST(Learn, RefusesWhatCannotBeLearned) {
  const Model model = tug_of_war(2);
  const auto latent = make_hinge_energy(model, {kLatent, kLatent}, precise());
  EXPECT_THROW(learn_one(*latent, plain({.energy = 1.0})), LearnError);
  const auto energy = make_hinge_energy(model, {0.5, 0.5}, precise());
  LearnSet set;
  set.samples = {{energy.get(), {}}};
  const LearnOptions options = plain({.energy = 1.0});
  EXPECT_THROW(learn(set, nullptr, {1.0, 1.0}, {true, true}, options), LearnError);
  EXPECT_THROW(learn(set, nullptr, {1.0, NAN}, {false, false}, options), LearnError);
  EXPECT_THROW(learn(set, nullptr, {1.0}, {false}, options), std::invalid_argument);
  EXPECT_THROW(learn({}, nullptr, {1.0}, {false}, options), std::invalid_argument);
}

TEST(Learn, FixedRulesKeepTheirRatio) {
  const Model model = tug_of_war(2);
  const auto energy = make_hinge_energy(model, {0.5, 0.5}, precise());
  LearnSet set;
  set.samples = {{energy.get(), {}}};
  LearnOptions options = plain({.squared_error = 1.0});
  options.max_epochs = 0;
  EXPECT_EQ(learn(set, nullptr, {4.0, 2.0}, {false, true}, options).weights,
            (std::vector<double>{1.0, 0.5}));
}

}  // namespace
}  // namespace sorites
