#include "hinge/energy/hinge_energy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "hinge/energy/potentials.h"
#include "hinge/energy/random_energy.h"

namespace sorites {
namespace {

constexpr double kStep = 1e-4;

// Gradients from the left and from the right: where they differ, the function has a kink.
struct Differences {
  double left, right;
  bool has_kink() const { return std::abs(left - right) > 1e-3 * (1.0 + std::abs(right)); }
  double mean() const { return (left + right) / 2.0; }
};

Differences differences(const std::function<double()>& value, double& at) {
  const double kept = at, middle = value();
  at = kept + kStep;
  const double above = value();
  at = kept - kStep;
  const double below = value();
  at = kept;
  return {(middle - below) / kStep, (above - middle) / kStep};
}

using Value = std::function<EnergyValue(Energy&, const Parameters&)>;

// How many of the derivatives could be checked: those without a kink.
std::size_t expect_gradients(const Value& value, const HingeEnergyOptions& options = exact()) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomEnergy random = random_energy(seed);
    const auto energy = make_hinge_energy(random.model, random.labels, options);
    const EnergyValue here = value(*energy, random.parameters);
    const auto again = [&] { return value(*energy, random.parameters).value; };
    const auto check = [&](double& at, double gradient) {
      const Differences numeric = differences(again, at);
      if (numeric.has_kink()) return;
      EXPECT_NEAR(gradient, numeric.mean(), 2e-4 * (1.0 + std::abs(gradient)));
      ++checked;
    };
    for (std::size_t r = 0; r < random.model.rules.size(); ++r) {
      if (!random.model.rules[r].hard) check(random.parameters.weights[r], here.in_weights[r]);
    }
    for (std::size_t j = 0; j < random.model.num_outputs; ++j) {
      check(random.parameters.outputs[j], here.in_outputs[j]);
    }
  }
  return checked;
}

TEST(HingeEnergy, GradientOfTheFullValueIsThatOfDifferences) {
  EXPECT_GT(expect_gradients([](Energy& energy, const Parameters& p) { return energy.full(p); }),
            1000U);
}

TEST(HingeEnergy, GradientOfTheLatentValueIsThatOfDifferences) {
  EXPECT_GT(expect_gradients([](Energy& energy, const Parameters& p) { return energy.latent(p); }),
            1000U);
}

TEST(HingeEnergy, GradientOfTheProximalValueIsThatOfDifferences) {
  EXPECT_GT(expect_gradients([](Energy& energy, const Parameters& p) -> EnergyValue {
              return energy.proximal(p, 0.3, std::vector<double>(energy.labels().size(), 0.4));
            }),
            1000U);
}

TEST(HingeEnergy, MoreauEnvelopeIsSmoothInItsCentre) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomEnergy random = random_energy(seed);
    const auto energy = make_hinge_energy(random.model, random.labels, exact());
    std::vector<double> centre(random.model.num_atoms);
    for (std::size_t i = 0; i < centre.size(); ++i) centre[i] = 0.1 * static_cast<double>(i + 1);
    const ProximalValue here = energy->proximal(random.parameters, 0.3, centre);
    for (std::size_t i = 0; i < centre.size(); ++i) {
      const Differences numeric = differences(
          [&] { return energy->proximal(random.parameters, 0.3, centre).value; }, centre[i]);
      if (energy->statistics().unfinished > 0) break;  // differences would tell nothing
      ++checked;
      EXPECT_FALSE(numeric.has_kink());
      EXPECT_NEAR(here.in_centre[i], numeric.mean(), 3e-4) << "seed " << seed;
      EXPECT_NEAR(here.in_centre[i], 0.6 * (centre[i] - here.state[i]), 1e-4);
    }
  }
  EXPECT_GT(checked, 500U);
}

TEST(HingeEnergy, LatentValueIsTheEnergyOfItsState) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomEnergy random = random_energy(seed);
    const auto energy = make_hinge_energy(random.model, random.labels, exact());
    const EnergyValue latent = energy->latent(random.parameters);
    ThreadPool pool(1);
    const auto potentials =
        potentials_by_rule(random.model, latent.state, random.parameters.outputs, pool);
    double value = 0.0;
    for (std::size_t r = 0; r < potentials.size(); ++r) {
      value += random.parameters.weights[r] * potentials[r];
      EXPECT_NEAR(potentials[r], latent.in_weights[r], 1e-9);
    }
    EXPECT_NEAR(value, latent.value, 1e-9);
    EXPECT_GE(latent.value, energy->full(random.parameters).value - 1e-8);
    for (std::size_t i = 0; i < random.labels.size(); ++i) {
      if (std::isnan(random.labels[i])) continue;
      EXPECT_EQ(latent.state[i], random.labels[i]);
    }
  }
}

// Dickens et al. 2024a, theorem 5.2: V is concave in the weights, and convex in what enters the
// offsets. A gap that will do saves iterations; what was asked for holds again after it.
TEST(HingeEnergy, SolvesNoFurtherThanSuffices) {
  const RandomEnergy random = random_energy(1, {.num_atoms = 60, .terms_per_rule = 80});
  HingeEnergyOptions options;
  options.solve.solver = Solver::kAdmm;
  options.solve.gap = 1e-6;
  const auto energy = make_hinge_energy(random.model, random.labels, options);
  const double rough = energy->full(random.parameters, 0.1).value;
  EXPECT_GT(energy->statistics().relative_gap, 1e-6);
  EXPECT_LE(energy->statistics().relative_gap, 0.1);
  const double exact = energy->full(random.parameters).value;
  EXPECT_LE(energy->statistics().relative_gap, 1e-6);
  EXPECT_NEAR(rough, exact, 0.1 * exact);
}

TEST(HingeEnergy, ValueIsConcaveInWeightsAndConvexInOutputs) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    RandomEnergy one = random_energy(seed);
    const auto energy = make_hinge_energy(one.model, one.labels, exact());
    Parameters other = one.parameters, middle = one.parameters;
    for (std::size_t r = 0; r < other.weights.size(); ++r) {
      other.weights[r] *= r % 2 == 0 ? 3.0 : 0.2;
      middle.weights[r] = (one.parameters.weights[r] + other.weights[r]) / 2.0;
    }
    const auto value = [&](const Parameters& p) { return energy->full(p).value; };
    EXPECT_GE(value(middle), (value(one.parameters) + value(other)) / 2.0 - 1e-8);
    other.weights = middle.weights = one.parameters.weights;
    for (std::size_t j = 0; j < other.outputs.size(); ++j) {
      other.outputs[j] = 1.0 - other.outputs[j];
      middle.outputs[j] = (one.parameters.outputs[j] + other.outputs[j]) / 2.0;
    }
    EXPECT_LE(value(middle), (value(one.parameters) + value(other)) / 2.0 + 1e-8);
  }
}

double squared_error(const std::vector<double>& state) {
  double sum = 0.0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const double error = state[i] - 0.1 * static_cast<double>(i);
    sum += error * error;
  }
  return sum;
}

double cross_entropy(const std::vector<double>& state) {
  double sum = 0.0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const double t = i % 2 == 0 ? 1.0 : 0.0, y = std::clamp(state[i], 0.01, 0.99);
    sum -= t * std::log(y) + (1.0 - t) * std::log(1.0 - y);
  }
  return sum;
}

// Differentiates a loss of the minimiser, which is unique by a proximity of its own or by
// regularised inference; nothing is smoothed then.
void expect_implicit_gradients(double (*loss)(const std::vector<double>&),
                               const HingeEnergyOptions& options = exact()) {
  std::size_t checked = 0, skipped = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomEnergy random = random_energy(seed);
    if (options.solve.regularization == 0.0) make_minimiser_unique(random);
    const auto energy = make_hinge_energy(random.model, random.labels, options);
    const EnergyValue minimum = energy->full(random.parameters);
    std::vector<double> state = minimum.state, slope(state.size());
    for (std::size_t i = 0; i < state.size(); ++i) {
      slope[i] = differences([&] { return loss(state); }, state[i]).mean();
    }
    // The cross-entropy is clamped at 0.01: too steep for differences there.
    if (std::any_of(state.begin(), state.end(), [](double y) {
          return std::abs(std::min(y, 1.0 - y) - 0.01) < 0.009;
        })) {
      continue;
    }
    const ParameterGradient gradient =
        energy->through_minimiser(random.parameters, minimum, {slope});
    const auto again = [&] { return loss(energy->full(random.parameters).state); };
    const auto check = [&](double& at, double expected) {
      const Differences numeric = differences(again, at);
      if (std::abs(numeric.left - numeric.right) > 0.02 * (1.0 + std::abs(numeric.mean()))) {
        ++skipped;
        return;
      }
      EXPECT_NEAR(expected, numeric.mean(), 0.02 * (1.0 + std::abs(expected)));
      ++checked;
    };
    for (std::size_t r = 0; r < random.model.rules.size(); ++r) {
      if (!random.model.rules[r].hard) check(random.parameters.weights[r], gradient.in_weights[r]);
    }
    for (std::size_t j = 0; j < random.model.num_outputs; ++j) {
      check(random.parameters.outputs[j], gradient.in_outputs[j]);
    }
  }
  EXPECT_GT(checked, 20 * skipped);
  EXPECT_GT(checked, 1000U);
}

TEST(ImplicitGradient, OfSquaredErrorIsThatOfDifferences) {
  expect_implicit_gradients(squared_error);
}

TEST(ImplicitGradient, OfCrossEntropyIsThatOfDifferences) {
  expect_implicit_gradients(cross_entropy);
}

HingeEnergyOptions exact_and_regularized() {
  HingeEnergyOptions options = exact();
  options.solve.regularization = 0.2;
  options.smoothing = 0.0;
  return options;
}

TEST(RegularizedEnergy, GradientsOfValuesAreThoseOfDifferences) {
  const HingeEnergyOptions options = exact_and_regularized();
  const auto full = [](Energy& energy, const Parameters& p) { return energy.full(p); };
  const auto latent = [](Energy& energy, const Parameters& p) { return energy.latent(p); };
  const auto near = [](Energy& energy, const Parameters& p) -> EnergyValue {
    return energy.proximal(p, 0.3, std::vector<double>(energy.labels().size(), 0.4));
  };
  EXPECT_GT(expect_gradients(full, options), 1000U);
  EXPECT_GT(expect_gradients(latent, options), 1000U);
  EXPECT_GT(expect_gradients(near, options), 1000U);
}

TEST(RegularizedEnergy, ImplicitGradientsAreThoseOfDifferences) {
  expect_implicit_gradients(squared_error, exact_and_regularized());
  expect_implicit_gradients(cross_entropy, exact_and_regularized());
}

// With the labels fixed, the squares of labelled targets count as well.
TEST(RegularizedEnergy, LatentValueIsNotBelowTheFullOne) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EnergyShape shape;
    shape.hard_rules = false;
    const RandomEnergy random = random_energy(seed, shape);
    const auto energy = make_hinge_energy(random.model, random.labels, exact_and_regularized());
    EXPECT_GE(energy->latent(random.parameters).value,
              energy->full(random.parameters).value - 1e-8);
  }
}

TEST(HingeEnergy, GoesOnFromItsMemoryBitForBit) {
  const RandomEnergy random = random_energy(7);
  HingeEnergyOptions options;
  options.solve.threads = 1;
  const auto first = make_hinge_energy(random.model, random.labels, options);
  first->full(random.parameters);
  first->latent(random.parameters);
  const auto second = make_hinge_energy(random.model, random.labels, options);
  second->restore(first->memory());
  Parameters changed = random.parameters;
  for (double& w : changed.weights) w *= 1.1;
  EXPECT_EQ(first->full(changed).state, second->full(changed).state);
  EXPECT_EQ(first->latent(changed).value, second->latent(changed).value);
  EXPECT_EQ(first->memory(), second->memory());
  EnergyMemory other = first->memory();
  other.full.variables.push_back(0.5);
  EXPECT_THROW(second->restore(other), std::invalid_argument);
}

// Whatever was solved in between, a gradient is that of the parameters it is asked for.
TEST(ImplicitGradient, DoesNotDependOnOtherCalls) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomEnergy random = random_energy(seed);
    make_minimiser_unique(random);
    const auto energy = make_hinge_energy(random.model, random.labels, exact());
    const EnergyValue minimum = energy->full(random.parameters);
    const std::vector<double> slope(minimum.state.size(), 1.0);
    const ParameterGradient here = energy->through_minimiser(random.parameters, minimum, {slope});
    Parameters others = random.parameters;
    for (std::size_t r = 0; r < others.weights.size(); ++r) {
      others.weights[r] *= 0.5 + static_cast<double>(r % 3);
    }
    energy->full(others);
    energy->proximal(others, 0.5, minimum.state);
    const ParameterGradient again = energy->through_minimiser(random.parameters, minimum, {slope});
    for (std::size_t r = 0; r < here.in_weights.size(); ++r) {
      EXPECT_NEAR(
          here.in_weights[r], again.in_weights[r], 1e-2 * (1 + std::abs(here.in_weights[r])));
    }
  }
}

}  // namespace
}  // namespace sorites
