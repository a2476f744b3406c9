#include "hinge/energy/given_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/peak_memory.h"
#include "base/sanitized.h"
#include "hinge/energy/random_energy.h"
#include "hinge/model/split_components.h"

namespace sorites {
namespace {

// The definition of include/sorites/model.h, one term at a time.
struct Slow {
  double value = 0.0, squares = 0.0, violation = 0.0;
};

Slow slow_energy(const Model& model,
                 const Parameters& parameters,
                 std::span<const double> state,
                 double eps = 0.0) {
  Slow result;
  for (const TermBlock& block : model.blocks) {
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      double r = block.offset_of(t);
      for (std::size_t k = 0; k < block.width(); ++k) {
        r += block.coefficients[k] * state[block.atoms_of(t)[k]];
      }
      for (std::size_t k = 0; k < block.output_coefficients.size(); ++k) {
        r += block.output_coefficients[k] * parameters.outputs[block.outputs_of(t)[k]];
      }
      const double distance = std::max(r, 0.0), weight = parameters.weights[block.rule];
      if (block.kind == TermKind::kAtMost) result.violation = std::max(result.violation, distance);
      if (block.kind == TermKind::kHinge) result.value += weight * distance;
      if (block.kind == TermKind::kSquaredHinge) result.value += weight * distance * distance;
      if (block.kind == TermKind::kAtMost) continue;
      result.squares += r * r;
      result.value += eps * distance * distance;
    }
  }
  for (const double y : state) result.value += eps * y * y;
  return result;
}

std::vector<double> random_state(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> state;
  for (std::size_t i = 0; i < size; ++i) {
    state.push_back(std::uniform_real_distribution<>(-0.1, 1.1)(random));  // also outside
  }
  return state;
}

TEST(EnergyOfAState, IsTheSumOfThePotentials) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const RandomEnergy random = random_energy(seed);
    const auto energy = make_hinge_energy(random.model, random.labels);
    const std::vector<double> state = random_state(random.model.num_atoms, seed);
    const StateValue found = energy->at(random.parameters, state);
    const Slow slow = slow_energy(random.model, random.parameters, state);
    EXPECT_NEAR(found.value, slow.value, 1e-12 * (1.0 + slow.value));
    EXPECT_NEAR(found.squares, slow.squares, 1e-12 * (1.0 + slow.squares));
    EXPECT_NEAR(found.violation, slow.violation, 1e-12);
    EXPECT_EQ(found.state, state);
  }
}

TEST(EnergyOfAState, HasTheSquaresOfRegularisedInference) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const RandomEnergy random = random_energy(seed);
    HingeEnergyOptions options;
    options.solve.regularization = 0.3;
    const auto energy = make_hinge_energy(random.model, random.labels, options);
    const std::vector<double> state = random_state(random.model.num_atoms, seed);
    const Slow slow = slow_energy(random.model, random.parameters, state, 0.3);
    const StateValue found = energy->at(random.parameters, state);
    // Of targets below 0 the square is not needed: no inference has them.
    double below = 0.0;
    for (const double y : state) below += y < 0.0 ? 0.3 * y * y : 0.0;
    EXPECT_NEAR(found.value, slow.value - below, 1e-12 * (1.0 + slow.value));
    EXPECT_NEAR(found.squares, slow.squares, 1e-12 * (1.0 + slow.squares));
    EXPECT_EQ(found.in_weights.size(), random.model.rules.size());
  }
}

TEST(EnergyOfAState, OfTheMinimiserIsTheMinimum) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const RandomEnergy random = random_energy(seed);
    const auto energy = make_hinge_energy(random.model, random.labels, exact());
    const EnergyValue full = energy->full(random.parameters);
    const StateValue there = energy->at(random.parameters, full.state);
    EXPECT_NEAR(there.value, full.value, 1e-9);
    EXPECT_LE(there.violation, 1e-8);
    for (std::size_t r = 0; r < full.in_weights.size(); ++r) {
      EXPECT_NEAR(there.in_weights[r], full.in_weights[r], 1e-9);
    }
  }
}

TEST(EnergyOfAState, HasTheSlopesOfDifferences) {
  constexpr double kStep = 1e-6;
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomEnergy random = random_energy(seed);
    const auto energy = make_hinge_energy(random.model, random.labels);
    std::vector<double> state = random_state(random.model.num_atoms, seed);
    const StateValue here = energy->at(random.parameters, state);
    const auto expect = [&](double& at, double slope, double StateValue::*value) {
      const double kept = at;
      at = kept + kStep;
      const double above = energy->at(random.parameters, state).*value;
      at = kept - kStep;
      const double below = energy->at(random.parameters, state).*value;
      at = kept;
      EXPECT_NEAR(slope, (above - below) / (2.0 * kStep), 1e-5 * (1.0 + std::abs(slope)));
      ++checked;
    };
    const auto value = static_cast<double StateValue::*>(&StateValue::value);
    for (std::size_t i = 0; i < state.size(); ++i) expect(state[i], here.in_state[i], value);
    for (std::size_t r = 0; r < here.in_weights.size(); ++r) {
      if (random.model.rules[r].hard) continue;
      expect(random.parameters.weights[r], here.in_weights[r], value);
    }
    for (std::size_t j = 0; j < here.in_outputs.size(); ++j) {
      expect(random.parameters.outputs[j], here.in_outputs[j], value);
      expect(random.parameters.outputs[j], here.squares_in_outputs[j], &StateValue::squares);
    }
  }
  EXPECT_GT(checked, 1000U);
}

TEST(EnergyOfAState, NeedsNoMemoryPerGroundRule) {
  if (kSanitized) GTEST_SKIP() << "sanitizers keep memory of their own for all that is looked at";
  constexpr std::uint32_t kTerms = 3000000;
  RandomEnergy random = random_energy(1);
  TermBlock block;
  block.kind = TermKind::kSquaredHinge;
  block.coefficients = {1.0, -1.0};
  block.output_coefficients = {1.0};
  for (std::uint32_t t = 0; t < kTerms; ++t) {
    const AtomId atoms[] = {t % 5, t % 5 + 1};
    const std::uint32_t output[] = {t % 4};
    add_term(block, atoms, output, 0.1);
  }
  random.model.blocks.push_back(std::move(block));
  const auto energy = make_hinge_energy(random.model, random.labels);
  const std::vector<double> state(random.model.num_atoms, 0.5);
  const auto before = static_cast<double>(peak_memory_bytes());
  EXPECT_GT(energy->at(random.parameters, state).value, 0.0);
  // A byte per ground rule would be more.
  EXPECT_LT(static_cast<double>(peak_memory_bytes()) - before, 1e6);
}

TEST(EnergyOfAState, WantsAValuePerAtom) {
  const RandomEnergy random = random_energy(0);
  const auto energy = make_hinge_energy(random.model, random.labels);
  EXPECT_THROW(energy->at(random.parameters, {}), std::invalid_argument);
}

TEST(ComponentEnergies, AreThoseOfThePartsOfTheModel) {
  std::size_t several = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomEnergy random = random_energy(
        seed, {.num_atoms = 12, .num_outputs = 3, .num_rules = 3, .terms_per_rule = 2});
    TermBlock of_outputs;  // terms without atoms: of an output, and of a number
    of_outputs.kind = TermKind::kHinge;
    of_outputs.output_coefficients = {1.0};
    add_term(of_outputs, {}, std::vector<std::uint32_t>{2}, 0.1);
    random.model.blocks.push_back(of_outputs);
    TermBlock number;
    number.kind = TermKind::kHinge;
    add_term(number, {}, {}, 0.25);
    random.model.blocks.push_back(number);
    const std::vector<double> state = random_state(random.model.num_atoms, seed);
    const auto found = component_energies(random.model, random.parameters, state);
    const auto parts = split_by_components(random.model, 1);
    ASSERT_EQ(found.size(), parts.size() + 1);  // the last is the number
    double sum = 0.0;
    std::size_t terms = 0;
    for (const ComponentEnergy& one : found) {
      sum += one.energy;
      terms += one.terms;
    }
    EXPECT_NEAR(sum, slow_energy(random.model, random.parameters, state).value, 1e-12);
    EXPECT_EQ(terms, random.model.num_terms());
    EXPECT_NEAR(found.back().energy, 0.25 * random.parameters.weights[0], 1e-15);
    for (std::size_t p = 1; p < parts.size(); ++p) {
      std::vector<double> own;
      for (const AtomId atom : parts[p].atoms) own.push_back(state[atom]);
      Parameters parameters = random.parameters;
      parameters.outputs.clear();
      for (const auto j : parts[p].outputs) {
        parameters.outputs.push_back(random.parameters.outputs[j]);
      }
      const Slow slow = slow_energy(parts[p].model, parameters, own);
      EXPECT_EQ(found[p].atoms, parts[p].atoms);
      EXPECT_NEAR(found[p].energy, slow.value, 1e-12);
      EXPECT_NEAR(found[p].violation, slow.violation, 1e-12);
    }
    several += parts.size() > 2 ? 1 : 0;
  }
  EXPECT_GT(several, 50U);
}

}  // namespace
}  // namespace sorites
