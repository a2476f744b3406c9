// Inference that goes on from where it was, against inference from nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "base/thread_pool.h"
#include "hinge/problem/certificate.h"
#include "hinge/problem/random_feasible_model.h"
#include "hinge/solve/inference.h"
#include "sorites/solve.h"

namespace sorites {
namespace {

SolveOptions brief(double gap = 1e-6) {
  SolveOptions options;
  options.gap = gap;
  options.violation = 1e-7;
  options.multipliers = false;
  return options;
}

double uniform(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

// Hundreds of terms of their own on each atom, pairs of atoms that are to be alike: windows are
// small beside that, and weights can move every atom from one end to the other.
Model crowded_model(std::uint64_t seed) {
  constexpr AtomId kAtoms = 12;
  std::mt19937_64 random(seed);
  Model model;
  model.num_atoms = kAtoms;
  const auto add_rule = [&](TermKind kind, std::vector<double> coefficients) -> TermBlock& {
    model.rules.push_back({1.0, false, "", {}});
    TermBlock& block = model.blocks.emplace_back();
    block.rule = static_cast<std::uint32_t>(model.rules.size() - 1);
    block.kind = kind;
    block.coefficients = std::move(coefficients);
    return block;
  };
  for (int rule = 0; rule < 4; ++rule) {
    const double a = rule % 2 == 0 ? 1.0 : -1.0;
    TermBlock& block = add_rule(rule < 2 ? TermKind::kHinge : TermKind::kSquaredHinge, {a});
    for (AtomId atom = 0; atom < kAtoms; ++atom) {
      for (int t = 0; t < 60; ++t)
        add_term(block, std::vector{atom}, {}, -a * uniform(random, 0.0, 1.0));
    }
  }
  TermBlock& alike = add_rule(TermKind::kSquaredHinge, {1.0, -1.0});
  for (AtomId atom = 0; atom < kAtoms; ++atom) {
    for (int t = 0; t < 2; ++t) {
      const auto other = static_cast<AtomId>((atom + 1 + random() % (kAtoms - 1)) % kAtoms);
      add_term(alike, std::vector{atom, other}, {}, 0.0);
    }
  }
  return model;
}

// Choices among six atoms each, that a network has a say in; parts of neighbouring choices have the
// same sum. All of it can be kept by choices that waver evenly.
Model choice_model(std::uint64_t seed, bool linear) {
  constexpr AtomId kChoices = 4, kAtoms = 6;
  std::mt19937_64 random(seed);
  Model model;
  model.num_atoms = model.num_outputs = kChoices * kAtoms;
  const auto add_rule = [&](bool hard) {
    model.rules.push_back({hard ? 0.0 : 1.0, hard, "", {}});
    return static_cast<std::uint32_t>(model.rules.size() - 1);
  };
  const auto add = [&](std::uint32_t rule, TermKind kind, const std::vector<AtomId>& atoms) {
    TermBlock& block = model.blocks.emplace_back();
    block.rule = rule;
    block.kind = kind;
    block.coefficients.assign(atoms.size(), 1.0);
    return &block;
  };
  for (const double sign : {1.0, -1.0}) {
    TermBlock* block = add(add_rule(false), TermKind::kSquaredHinge, {0});
    block->coefficients = {sign};
    block->output_coefficients = {-sign};
    for (AtomId i = 0; i < model.num_atoms; ++i) {
      add_term(*block, std::vector{i}, std::vector{std::uint32_t{i}}, 0.0);
    }
  }
  const std::uint32_t sums = add_rule(true), parts = add_rule(true), likes = add_rule(false);
  for (AtomId c = 0; c < kChoices; ++c) {
    std::vector<AtomId> choice;
    for (AtomId i = 0; i < kAtoms; ++i) choice.push_back(c * kAtoms + i);
    add_term(*add(sums, TermKind::kEqual, choice), choice, {}, -1.0);
    if (c + 1 == kChoices) continue;
    std::shuffle(choice.begin(), choice.end(), random);
    for (const std::size_t size : {std::size_t{1}, std::size_t{3}}) {
      std::vector<AtomId> both(choice.begin(), choice.begin() + static_cast<std::ptrdiff_t>(size));
      for (std::size_t k = 0; k < size; ++k)
        both.push_back((c + 1) * kAtoms + static_cast<AtomId>(k));
      TermBlock* block = add(parts, random() % 3 == 0 ? TermKind::kAtMost : TermKind::kEqual, both);
      std::fill(block->coefficients.begin() + static_cast<std::ptrdiff_t>(size),
                block->coefficients.end(),
                -1.0);
      add_term(*block, both, {}, 0.0);
    }
    const std::vector<AtomId> pair{choice[4], (c + 1) * kAtoms + 5};
    add_term(
        *add(likes, linear ? TermKind::kHinge : TermKind::kSquaredHinge, pair), pair, {}, -0.3);
  }
  return model;
}

// Truth alone gives the objective; the bound must be that of no better state than the fresh one.
void expect_as_good_as_fresh(const Model& model,
                             const Parameters& parameters,
                             const Solution& solution,
                             const SolveOptions& options) {
  ThreadPool pool(1);
  const Certificate certificate = certify(model, parameters, solution.truth, {}, pool);
  const Solution fresh = solve(model, parameters, {.gap = options.gap, .violation = 1e-7});
  ASSERT_EQ(solution.status, SolveStatus::kOptimal);
  ASSERT_EQ(fresh.status, SolveStatus::kOptimal);
  const double scale = 1.0 + std::abs(fresh.objective);
  EXPECT_NEAR(solution.objective, certificate.objective, 1e-9 * scale);
  EXPECT_LE(solution.max_violation, 1.02e-7);
  EXPECT_LE(certificate.max_violation, 1e-6);  // sums count once, whatever their coefficient
  EXPECT_NEAR(solution.objective, fresh.objective, 10 * options.gap * scale);
  EXPECT_LE(solution.lower_bound, fresh.objective + 1e-6 * scale);
  EXPECT_LE(std::abs(solution.relative_gap), 1.02 * options.gap + 1e-9);
}

void jump(std::vector<double>& weights, std::mt19937_64& random) {
  for (double& weight : weights) weight = random() % 6 == 0 ? 0.0 : uniform(random, 0.0, 1.0);
}
void drift(std::vector<double>& weights, std::mt19937_64& random) {
  for (double& weight : weights) weight *= std::exp(uniform(random, -0.1, 0.1));
}

TEST(Resolve, FollowsWeightsOfRandomModels) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const FeasibleModel random_model = RandomModel(seed).take();
    Parameters parameters = parameters_of(random_model.model);
    std::mt19937_64 random(seed);
    Inference inference(random_model.model, 1);
    inference.resolve(parameters, brief());
    for (int round = 0; round < 4; ++round) {
      (round % 2 == 0 ? jump : drift)(parameters.weights, random);
      const Solution solution = inference.resolve(parameters, brief());
      EXPECT_TRUE(solution.multipliers.empty());
      expect_as_good_as_fresh(random_model.model, parameters, solution, brief());
    }
  }
}

TEST(Resolve, FollowsStatesThatLeaveTheirWindow) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = crowded_model(seed);
    Parameters parameters = parameters_of(model);
    std::mt19937_64 random(seed);
    Inference inference(model, 1);
    inference.resolve(parameters, brief());
    for (int round = 0; round < 8; ++round) {
      (round % 3 == 0 ? jump : drift)(parameters.weights, random);
      expect_as_good_as_fresh(model, parameters, inference.resolve(parameters, brief()), brief());
    }
  }
}

// Calls of all kinds may follow each other.
TEST(Resolve, MixesWithSolvesThatGiveMultipliers) {
  const Model model = crowded_model(1);
  Parameters parameters = parameters_of(model);
  std::mt19937_64 random(1);
  Inference inference(model, 1);
  SolveOptions full = brief();
  full.multipliers = true;
  for (int round = 0; round < 12; ++round) {
    drift(parameters.weights, random);
    Solution solution;
    switch (random() % 3) {
      case 0:
        solution = inference.resolve(parameters, brief());
        break;
      case 1:
        solution = inference.resolve(parameters, full);
        EXPECT_EQ(solution.multipliers.size(), model.num_terms());
        break;
      default:
        solution = inference.solve(parameters, full);
    }
    expect_as_good_as_fresh(model, parameters, solution, brief());
  }
}

TEST(Resolve, GoesOnBitForBitInAnotherInference) {
  const Model model = crowded_model(2);
  Parameters parameters = parameters_of(model);
  std::mt19937_64 random(2);
  Inference first(model, 1);
  first.resolve(parameters, brief(1e-4));
  for (int round = 0; round < 10; ++round) {
    drift(parameters.weights, random);
    const Solution one = first.resolve(parameters, brief(1e-4));
    Inference second(model, 1, first.memory());
    EXPECT_EQ(second.memory(), first.memory());
    drift(parameters.weights, random);
    const Solution here = first.resolve(parameters, brief(1e-4));
    const Solution there = second.resolve(parameters, brief(1e-4));
    EXPECT_EQ(here.truth, there.truth);
    EXPECT_EQ(here.objective, there.objective);
    EXPECT_EQ(here.lower_bound, there.lower_bound);
    EXPECT_EQ(first.memory(), second.memory());
  }
}

// What a network says changes a little or much: few steps, all digits, the same as from nothing.
TEST(Resolve, FollowsOutputsByActiveSets) {
  int others = 0, rounds = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = choice_model(seed, seed % 2 == 0);
    Parameters parameters = parameters_of(model);
    std::mt19937_64 random(seed);
    Inference inference(model, 1);
    SolveOptions full = brief();
    full.multipliers = true;
    for (int round = 0; round < 20; ++round, ++rounds) {
      const double most = round % 5 == 0 ? 1.0 : 0.2;
      for (double& g : parameters.outputs) {
        g = std::clamp(g + uniform(random, -most, most), 0.0, 1.0);
      }
      if (round % 4 == 0) drift(parameters.weights, random);
      const Solution solution = inference.resolve(parameters, full);
      expect_as_good_as_fresh(model, parameters, solution, full);
      if (solution.solver != "active-set") {
        ++others;
        continue;
      }
      ThreadPool pool(1);
      const Certificate certificate =
          certify(model, parameters, solution.truth, solution.multipliers, pool);
      EXPECT_LE(relative_gap(certificate.objective, certificate.lower_bound), 1.1e-7);
      EXPECT_LE(certificate.max_violation, 1.02e-7);
    }
  }
  EXPECT_LE(others, rounds / 20);
}

// Two numbers that a network has a say in, all pairs of them, and sums of the pairs: most atoms
// have no potential of their own.
Model sum_model() {
  constexpr AtomId kNumbers = 7, kPairs = 2 * kNumbers, kSums = kPairs + kNumbers * kNumbers;
  Model model;
  model.num_outputs = 2 * kNumbers;
  model.num_atoms = kSums + 2 * kNumbers - 1;
  model.rules = {{1.0, false, "", {}}, {0.0, true, "", {}}};
  for (const double sign : {1.0, -1.0}) {
    TermBlock& block = model.blocks.emplace_back();
    block.kind = TermKind::kSquaredHinge;
    block.coefficients = {sign};
    block.output_coefficients = {-sign};
    for (AtomId i = 0; i < 2 * kNumbers; ++i) {
      add_term(block, std::vector{i}, std::vector{std::uint32_t{i}}, 0.0);
    }
  }
  // An atom is the sum of some pairs.
  const auto add = [&](AtomId atom, const auto& has_pair) {
    TermBlock& block = model.blocks.emplace_back();
    block.rule = 1;
    block.kind = TermKind::kEqual;
    std::vector<AtomId> atoms{atom};
    for (AtomId x = 0; x < kNumbers; ++x) {
      for (AtomId y = 0; y < kNumbers; ++y) {
        if (has_pair(x, y)) atoms.push_back(kPairs + x * kNumbers + y);
      }
    }
    block.coefficients.assign(atoms.size(), 1.0);
    block.coefficients[0] = -1.0;
    add_term(block, atoms, {}, 0.0);
  };
  for (AtomId i = 0; i < kNumbers; ++i) {
    add(i, [&](AtomId x, AtomId) { return x == i; });
    add(kNumbers + i, [&](AtomId, AtomId y) { return y == i; });
  }
  for (AtomId z = 0; z < 2 * kNumbers - 1; ++z) {
    add(kSums + z, [&](AtomId x, AtomId y) { return x + y == z; });
  }
  TermBlock& one = model.blocks.emplace_back();  // all sums
  one.rule = 1;
  one.kind = TermKind::kEqual;
  std::vector<AtomId> sums;
  for (AtomId atom = kSums; atom < model.num_atoms; ++atom) sums.push_back(atom);
  one.coefficients.assign(sums.size(), 1.0);
  add_term(one, sums, {}, -1.0);
  return model;
}

// Active sets go round in circles there; what follows them does not.
TEST(Resolve, FollowsOutputsWhereMostAtomsAreFlat) {
  const Model model = sum_model();
  Parameters parameters = parameters_of(model);
  std::mt19937_64 random(1);
  Inference inference(model, 1);
  SolveOptions full = brief();
  full.multipliers = true;
  int by_newton = 0;
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE(round);
    const double most = round % 5 == 0 ? 1.0 : 0.2;
    for (double& g : parameters.outputs) {
      g = std::clamp(g + uniform(random, -most, most), 0.0, 1.0);
    }
    const Solution solution = inference.resolve(parameters, full);
    expect_as_good_as_fresh(model, parameters, solution, full);
    EXPECT_EQ(solution.solver.find("admm"), std::string::npos) << solution.solver;
    if (solution.solver == "active-set, dual-newton") ++by_newton;
  }
  EXPECT_GT(by_newton, 0);
}

TEST(Resolve, FollowsOutputsBitForBitInAnotherInference) {
  const Model model = choice_model(7, true);
  Parameters parameters = parameters_of(model);
  std::mt19937_64 random(7);
  SolveOptions full = brief();
  full.multipliers = true;
  Inference first(model, 1);
  for (int round = 0; round < 20; ++round) {
    for (double& g : parameters.outputs) g = uniform(random, 0.0, 1.0);
    first.resolve(parameters, full);
    Inference second(model, 1, first.memory());
    for (double& g : parameters.outputs) g = std::clamp(g + uniform(random, -0.1, 0.1), 0.0, 1.0);
    const Solution here = first.resolve(parameters, full);
    const Solution there = second.resolve(parameters, full);
    EXPECT_EQ(here.solver, there.solver);
    EXPECT_EQ(here.truth, there.truth);
    EXPECT_EQ(here.multipliers, there.multipliers);
    EXPECT_EQ(first.memory(), second.memory());
  }
}

TEST(Resolve, NeedsNoIterationWhereOnlyTheScaleOfWeightsHasChanged) {
  const Model model = crowded_model(3);
  Parameters parameters = parameters_of(model);
  Inference inference(model, 1);
  EXPECT_GT(inference.resolve(parameters, brief()).iterations, 0U);
  for (double& weight : parameters.weights) weight *= 0.3;
  EXPECT_EQ(inference.resolve(parameters, brief(2e-6)).iterations, 0U);
}

TEST(Resolve, RefusesMemoryOfAnotherModel) {
  const Model model = crowded_model(4);
  const Parameters parameters = parameters_of(model);
  Inference inference(model, 1);
  inference.resolve(parameters, brief());
  const InferenceMemory good = inference.memory();
  EXPECT_EQ(Inference(model, 1, good).memory(), good);
  const auto refuses = [&](const auto& change) {
    InferenceMemory memory = good;
    change(memory);
    EXPECT_THROW(Inference(model, 1, memory), std::invalid_argument);
  };
  refuses([](InferenceMemory& memory) { memory.variables.pop_back(); });
  refuses([](InferenceMemory& memory) { memory.variables[0] = NAN; });
  refuses([](InferenceMemory& memory) { memory.row_multipliers.push_back(0.0); });
  refuses([](InferenceMemory& memory) { memory.group_multipliers.push_back(0.0); });
  refuses([](InferenceMemory& memory) { memory.window_centres = {0.5}; });
}

}  // namespace
}  // namespace sorites
