#include "meanfield/mean_field_energy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "meanfield/random_mean_field.h"
#include "sorites/learn.h"

namespace sorites {
namespace {

// So many damped iterations that the marginals are those of a stationary point of the free energy.
const MeanFieldOptions kConverged{
    .iterations = 3000, .tolerance = 1e-14, .damping = 0.5, .hard_weight = 1.0, .threads = 1};

struct Sample {
  std::unique_ptr<Energy> energy;
  std::vector<double> weights, outputs;
  MeanFieldModel model;
  MeanFieldTask task;

  Parameters parameters() const {
    return {.weights = weights, .outputs = outputs, .weight_scale = 0.3};
  }
};

// Targets and outputs: all unknown atoms of one predicate (with classes: and values).
Sample random_sample(std::uint64_t seed) {
  RandomMeanField random(seed);
  Sample sample;
  sample.model = random.model();
  MeanFieldModel& model = sample.model;
  for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
    if (model.predicates[p].closed) continue;
    const std::size_t classes = model.predicates[p].num_classes();
    std::size_t atoms = 1;
    for (const std::uint32_t type : model.predicates[p].arguments)
      atoms *= model.domains[type].size();
    for (std::size_t atom = 0; atom < atoms; ++atom) {
      const auto label = static_cast<std::uint32_t>(random.upto(classes == 0 ? 1 : classes - 1));
      const bool labelled = random.chance(0.5);
      for (std::uint32_t value = classes == 0 ? 1 : 0; value < std::max<std::size_t>(classes, 2);
           ++value) {
        sample.task.targets.push_back({p, atom, value});
        const double truth = (classes == 0 ? label == 1 : label == value) ? 1.0 : 0.0;
        sample.task.labels.push_back(labelled ? truth : kLatent);
      }
    }
    model.facts[p] = {};  // else labels could contradict them
  }
  for (const MeanFieldAtom& target : sample.task.targets) {
    if (random.chance(0.5)) sample.task.outputs.push_back(target);
  }
  sample.weights = model.weights;
  for (std::size_t i = 0; i < sample.task.outputs.size(); ++i) {
    sample.outputs.push_back(0.2 + 0.6 * static_cast<double>(random.upto(100)) / 100.0);
  }
  model.task = sample.task;
  sample.energy = make_mean_field_energy(model, kConverged);
  return sample;
}

// Of a function of the sample's parameters, by central differences.
template <class Function>
double slope(double& number, const Function& function) {
  constexpr double kStep = 1e-5;
  const double before = number;
  number = before + kStep;
  const double above = function();
  number = before - kStep;
  const double below = function();
  number = before;
  return (above - below) / (2.0 * kStep);
}

template <class Function>
void expect_slopes(Sample& sample,
                   const std::vector<double>& in_weights,
                   const std::vector<double>& in_outputs,
                   const Function& function,
                   double tolerance) {
  ASSERT_EQ(in_weights.size(), sample.weights.size());
  ASSERT_EQ(in_outputs.size(), sample.outputs.size());
  for (std::size_t i = 0; i < sample.weights.size(); ++i) {
    const double expected = slope(sample.weights[i], function);
    ASSERT_NEAR(in_weights[i], expected, tolerance * (1.0 + std::abs(expected))) << "weight " << i;
  }
  for (std::size_t i = 0; i < sample.outputs.size(); ++i) {
    const double expected = slope(sample.outputs[i], function);
    ASSERT_NEAR(in_outputs[i], expected, tolerance * (1.0 + std::abs(expected))) << "output " << i;
  }
}

TEST(MeanFieldEnergy, ValuesHaveTheirSlopes) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Sample sample = random_sample(seed);
    const EnergyValue full = sample.energy->full(sample.parameters());
    expect_slopes(
        sample,
        full.in_weights,
        full.in_outputs,
        [&] { return sample.energy->full(sample.parameters()).value; },
        1e-6);
    const EnergyValue latent = sample.energy->latent(sample.parameters());
    expect_slopes(
        sample,
        latent.in_weights,
        latent.in_outputs,
        [&] { return sample.energy->latent(sample.parameters()).value; },
        1e-6);
    if (HasFatalFailure()) return;
  }
}

TEST(MeanFieldEnergy, LatentTargetsMoveAndLabelsDoNot) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Sample sample = random_sample(seed);
    const EnergyValue latent = sample.energy->latent(sample.parameters());
    ASSERT_EQ(latent.state.size(), sample.task.targets.size());
    for (std::size_t t = 0; t < latent.state.size(); ++t) {
      const double label = sample.energy->labels()[t];
      if (std::isnan(label)) {
        EXPECT_GT(latent.state[t], 0.0);
        EXPECT_LT(latent.state[t], 1.0);
      } else {
        EXPECT_EQ(latent.state[t], label);
      }
    }
  }
}

TEST(MeanFieldEnergy, MinimisersAreDifferentiatedThroughAllIterations) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Sample sample = random_sample(seed);
    std::vector<double> slopes;
    for (std::size_t t = 0; t < sample.task.targets.size(); ++t) {
      slopes.push_back(std::sin(static_cast<double>(t) + 1.0));
    }
    const EnergyValue minimum = sample.energy->full(sample.parameters());
    const ParameterGradient gradient =
        sample.energy->through_minimiser(sample.parameters(), minimum, {slopes});
    expect_slopes(
        sample,
        gradient.in_weights,
        gradient.in_outputs,
        [&] {
          const EnergyValue full = sample.energy->full(sample.parameters());
          double sum = 0.0;
          for (std::size_t t = 0; t < slopes.size(); ++t) sum += slopes[t] * full.state[t];
          return sum;
        },
        1e-5);
    if (HasFatalFailure()) return;
  }
}

TEST(MeanFieldEnergy, ProximalValuesAreThoseOfTheirState) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Sample sample = random_sample(seed);
    std::vector<double> centre;
    for (std::size_t t = 0; t < sample.task.targets.size(); ++t) {
      centre.push_back(0.5 + 0.4 * std::sin(static_cast<double>(t)));
    }
    const auto value = [&] { return sample.energy->proximal(sample.parameters(), 1.5, centre); };
    const ProximalValue proximal = value();
    expect_slopes(
        sample, proximal.in_weights, proximal.in_outputs, [&] { return value().value; }, 1e-5);
    for (std::size_t t = 0; t < centre.size(); ++t) {
      const double expected = slope(centre[t], [&] { return value().value; });
      ASSERT_NEAR(proximal.in_centre[t], expected, 1e-5) << "centre " << t;
    }
    if (HasFatalFailure()) return;
    // Without a pull it is the energy itself, and a pull costs.
    EXPECT_NEAR(sample.energy->proximal(sample.parameters(), 0.0, centre).value,
                sample.energy->full(sample.parameters()).value,
                1e-7);
    EXPECT_GE(proximal.value, sample.energy->full(sample.parameters()).value - 1e-7);
  }
}

TEST(MeanFieldEnergy, AGivenStateHasTheValueAndTheSlopesOfItsFreeEnergy) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Sample sample = random_sample(seed);
    if (sample.task.targets.empty()) continue;
    const EnergyValue full = sample.energy->full(sample.parameters());
    const StateValue there = sample.energy->at(sample.parameters(), full.state);
    EXPECT_NEAR(there.value, full.value, 1e-9 * (1.0 + std::abs(full.value)));
    std::vector<double> state = full.state;  // of classes too it need not sum up to 1
    for (double& q : state) q = 0.15 + 0.7 * q;
    const StateValue here = sample.energy->at(sample.parameters(), state);
    for (std::size_t t = 0; t < state.size(); ++t) {
      const double expected =
          slope(state[t], [&] { return sample.energy->at(sample.parameters(), state).value; });
      EXPECT_NEAR(here.in_state[t], expected, 1e-6 * (1.0 + std::abs(expected)));
      ++checked;
    }
    for (std::size_t w = 0; w < sample.weights.size(); ++w) {
      const double expected = slope(
          sample.weights[w], [&] { return sample.energy->at(sample.parameters(), state).value; });
      EXPECT_NEAR(here.in_weights[w], expected, 1e-6 * (1.0 + std::abs(expected)));
    }
    for (std::size_t k = 0; k < sample.outputs.size(); ++k) {
      const double expected = slope(
          sample.outputs[k], [&] { return sample.energy->at(sample.parameters(), state).value; });
      EXPECT_NEAR(here.in_outputs[k], expected, 1e-6 * (1.0 + std::abs(expected)));
    }
  }
  EXPECT_GT(checked, 100U);
}

TEST(MeanFieldEnergy, AGivenStateWithoutValuesOfUnknownAtomsIsRefused) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Sample sample = random_sample(seed);
    if (sample.task.targets.empty()) continue;
    sample.model.task.targets.pop_back();
    sample.model.task.labels.pop_back();
    const auto energy = make_mean_field_energy(sample.model, kConverged);
    const std::vector<double> state(sample.model.task.targets.size(), 0.5);
    EXPECT_THROW(energy->at(sample.parameters(), state), LearnError) << "seed " << seed;
    return;
  }
}

TEST(MeanFieldEnergy, WantsALabelPerTarget) {
  MeanFieldModel model;
  model.task.targets = {{}};
  EXPECT_THROW(make_mean_field_energy(model), std::invalid_argument);
}

}  // namespace
}  // namespace sorites
