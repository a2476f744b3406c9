// Models that are made from models: some atoms fixed, parts, proximity.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hinge/model/fix_atoms.h"
#include "hinge/model/proximity.h"
#include "hinge/model/residual.h"
#include "hinge/model/split_components.h"
#include "hinge/model/term_block.h"
#include "hinge/model/term_kind.h"

namespace sorites {
namespace {

double uniform(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

// Sparse, so that there are several components and idle atoms.
Model random_model(std::mt19937_64& random) {
  Model model;
  model.num_atoms = 12;
  model.num_outputs = 3;
  for (std::uint32_t rule = 0; rule < 4; ++rule) {
    model.rules.push_back({uniform(random, 0.1, 2.0), rule == 3, "", {}});
    BlockSet blocks;
    for (int t = 0; t < 3; ++t) {
      const std::vector<double> a = {1.0, random() % 2 == 0 ? 1.0 : -1.0};
      const auto first = static_cast<AtomId>(random() % 6 * 2);
      const TermKind kind = rule == 3           ? TermKind::kAtMost
                            : random() % 2 == 0 ? TermKind::kHinge
                                                : TermKind::kSquaredHinge;
      const std::vector<AtomId> atoms = {first, static_cast<AtomId>(first + 1)};
      const std::vector<std::uint32_t> outputs = {static_cast<std::uint32_t>(random() % 3)};
      const double b[] = {0.5};
      add_term(blocks.find(kind, a, b), atoms, outputs, uniform(random, -1.0, 1.0));
    }
    for (TermBlock& block : blocks.blocks()) {
      block.rule = rule;
      model.blocks.push_back(std::move(block));
    }
  }
  return model;
}

double energy(const Model& model, const std::vector<double>& y, const std::vector<double>& g) {
  double sum = 0.0;
  for (const TermBlock& block : model.blocks) {
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      sum += potential(block.kind, model.rules[block.rule].weight, residual_of(block, t, y, g));
    }
  }
  return sum;
}

std::vector<double> random_values(std::mt19937_64& random, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = uniform(random, 0.0, 1.0);
  return values;
}

TEST(FixAtoms, KeepsTheEnergyOfEveryState) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const Model model = random_model(random);
    const auto y = random_values(random, model.num_atoms), g = random_values(random, 3);
    std::vector<double> values = y, free;
    for (double& value : values) value = random() % 2 == 0 ? NAN : value;
    const FixedModel fixed = fix_atoms(model, values);
    for (const AtomId atom : fixed.atoms) free.push_back(y[atom]);
    EXPECT_EQ(free.size(), fixed.open.num_atoms);
    EXPECT_NEAR(
        energy(model, y, g), energy(fixed.open, free, g) + energy(fixed.settled, {}, g), 1e-12);
    for (const TermBlock& block : fixed.open.blocks) EXPECT_GT(block.width(), 0U);
  }
}

TEST(FixAtoms, LeavesOutHardRulesThatFixedAtomsBreak) {
  Model model;
  model.num_atoms = 2;
  model.rules.push_back({0.0, true, "", {}});
  TermBlock block;
  block.kind = TermKind::kEqual;
  block.coefficients = {1.0, 1.0};
  add_term(block, std::vector<AtomId>{0, 1}, {}, -1.0);  // y_0 + y_1 = 1
  model.blocks.push_back(std::move(block));
  EXPECT_EQ(fix_atoms(model, std::vector<double>{0.25, NAN}).open.num_terms(), 1U);
  const auto broken = [&](std::vector<double> values) {
    return broken_hard_terms(model, values, 1e-4).at(0);
  };
  EXPECT_EQ(broken({0.25, 0.75}), 0U);
  EXPECT_EQ(broken({0.333333, 0.666666}), 0U);  // as files write thirds
  EXPECT_EQ(broken({1.0, 1.0}), 1U);
  EXPECT_EQ(broken({1.0, NAN}), 0U);
  EXPECT_EQ(broken({1.5, NAN}), 1U);
}

TEST(SplitByComponents, KeepsTheEnergyOfEveryState) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const Model model = random_model(random);
    const auto y = random_values(random, model.num_atoms), g = random_values(random, 3);
    for (const std::size_t size : {1U, 2U, 100U}) {
      double sum = 0.0;
      std::vector<int> seen(model.num_atoms, 0);
      const auto parts = split_by_components(model, size);
      for (const ModelPart& part : parts) {
        std::vector<double> state;
        for (const AtomId atom : part.atoms) {
          state.push_back(y[atom]);
          ++seen[atom];
        }
        std::vector<double> outputs;
        for (const std::uint32_t j : part.outputs) outputs.push_back(g[j]);
        sum += energy(part.model, state, outputs);
      }
      EXPECT_NEAR(sum, energy(model, y, g), 1e-12);
      EXPECT_EQ(seen, std::vector<int>(model.num_atoms, 1));
      if (size == 100) {
        EXPECT_EQ(parts.size(), 1U);
      }
      if (size == 1) {
        EXPECT_GT(parts.size(), 1U);
      }
    }
  }
}

// max(0, g_j - y_i), and max(0, g_j + g_k - 1) without an atom.
TEST(SplitByComponents, PutsTermsWithoutAtomsWhereTheirOutputsAre) {
  Model model;
  model.num_atoms = 2;
  model.num_outputs = 6;
  model.rules.push_back({1.0, false, "", {}});
  BlockSet blocks;
  const std::vector<double> minus = {-1.0}, one = {1.0}, two = {1.0, 1.0}, none;
  for (const AtomId i : {0U, 1U}) {
    const std::vector<AtomId> atom = {i};
    const std::vector<std::uint32_t> output = {i};
    add_term(blocks.find(TermKind::kHinge, minus, one), atom, output, 0.0);
  }
  const auto add_pair = [&](std::uint32_t j, std::uint32_t k) {
    const std::vector<std::uint32_t> outputs = {j, k};
    add_term(blocks.find(TermKind::kHinge, none, two), {}, outputs, -1.0);
  };
  add_pair(1, 2);  // with atom 1
  add_pair(3, 4);  // with no atom
  model.blocks = blocks.blocks();
  const auto parts = split_by_components(model, 1);
  ASSERT_EQ(parts.size(), 3U);
  using Outputs = std::vector<std::uint32_t>;
  EXPECT_EQ(parts[0].outputs, (Outputs{0}));
  EXPECT_EQ(parts[1].outputs, (Outputs{1, 2}));
  EXPECT_EQ(parts[2].outputs, (Outputs{3, 4}));
  EXPECT_EQ(parts[1].model.num_terms(), 2U);
  EXPECT_EQ(parts[2].model.num_atoms, 0U);
}

TEST(WithProximity, AddsTheDistanceToTheCentre) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    const Model model = random_model(random);
    const auto y = random_values(random, model.num_atoms), g = random_values(random, 3);
    const auto centre = random_values(random, model.num_atoms);
    std::vector<double> outputs = g;
    outputs.insert(outputs.end(), centre.begin(), centre.end());
    double distance = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) distance += (y[i] - centre[i]) * (y[i] - centre[i]);
    EXPECT_NEAR(energy(with_proximity(model), y, outputs), energy(model, y, g) + distance, 1e-12);
  }
}

}  // namespace
}  // namespace sorites
