// Weights of very different sizes: "optimal" must mean it for the smallest of them, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hinge/problem/random_feasible_model.h"
#include "hinge/solve/inference.h"
#include "sorites/solve.h"

namespace sorites {
namespace {

constexpr Solver kAllSolvers[] = {Solver::kAuto,
                                  Solver::kAdmm,
                                  Solver::kCoordinateDescent,
                                  Solver::kDualBcd,
                                  Solver::kDualBcdLockFree,
                                  Solver::kGradient,
                                  Solver::kStochasticGradient,
                                  Solver::kPdhg,
                                  Solver::kInteriorPoint};

// What the terms of the first `num_rules` rules cost, in weights as written.
double cost_of(const Model& model, std::size_t num_rules, const std::vector<double>& truth) {
  double sum = 0.0;
  for (const TermBlock& block : model.blocks) {
    if (block.rule >= num_rules || model.rules[block.rule].hard) continue;
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      double r = block.offset_of(t);
      for (std::size_t k = 0; k < block.width(); ++k) {
        r += block.coefficients[k] * truth[block.atoms_of(t)[k]];
      }
      r = std::max(r, 0.0);
      sum += model.rules[block.rule].weight * (block.kind == TermKind::kHinge ? r : r * r);
    }
  }
  return sum;
}

// Adds a rule of one term.
void add_rule(Model& model,
              double weight,
              const std::vector<double>& coefficients,
              const std::vector<AtomId>& atoms,
              double offset) {
  TermBlock block;
  block.rule = static_cast<std::uint32_t>(model.rules.size());
  block.coefficients = coefficients;
  add_term(block, atoms, {}, offset);
  model.rules.push_back({weight, false, "", {}});
  model.blocks.push_back(std::move(block));
}

// The same of 1 - y in place of every atom y.
void mirror(Model& model) {
  for (TermBlock& block : model.blocks) {
    for (double& a : block.coefficients) {
      block.offset += a;
      a = -a;
    }
  }
}

double smallest_weight(const Model& model) {
  double smallest = 1.0;
  for (const GroundRule& rule : model.rules) {
    if (rule.weight > 0.0) smallest = std::min(smallest, rule.weight);
  }
  return smallest;
}

Solution solve_with(const Model& model, Solver solver, bool normalize = true) {
  SolveOptions options;
  options.solver = solver;
  options.threads = 2;
  return solve(model, parameters_of(model, normalize), options);
}

double best_cost(const Model& model) {
  SolveOptions options;
  options.gap = 1e-9;
  options.violation = 1e-9;
  options.threads = 1;
  const Solution solution = solve(model, parameters_of(model), options);
  return cost_of(model, model.rules.size(), solution.truth);
}

// How far a state of gap 1e-4 may be from the best: of that, of a hundredth of a violated rule, and
// of hard rules that are kept to 1e-4.
double allowed(const Model& model, double best) {
  return 2e-4 * std::max(best, 0.01 * smallest_weight(model)) + 5e-3;
}

class Scales : public testing::TestWithParam<double> {};

// The first rules cost what they cost at best, whatever the weights of those behind them.
void expect_solved_by_all(const Model& model, std::size_t num_rules, double best, double slack) {
  for (const Solver solver : kAllSolvers) {
    SCOPED_TRACE(std::string(name_of(solver)));
    const Solution solution = solve_with(model, solver);
    if (solver != Solver::kStochasticGradient) {
      EXPECT_EQ(solution.status, SolveStatus::kOptimal) << solution.relative_gap;
    }
    if (solution.status != SolveStatus::kOptimal) continue;
    EXPECT_NEAR(cost_of(model, num_rules, solution.truth), best, slack);
  }
}

// `heavy: !H(A)` holds; the model beside it has nothing to do with it.
TEST_P(Scales, AHeavyRuleDoesNotHideAModelBesideIt) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Model model = RandomModel(seed).take().model;
    const std::size_t num_rules = model.rules.size();
    const double best = best_cost(model), slack = allowed(model, best);
    const auto extra = static_cast<AtomId>(model.num_atoms++);
    add_rule(model, GetParam(), {1.0}, {extra}, 0.0);
    expect_solved_by_all(model, num_rules, best, slack);
  }
}

// The same where the heavy rules cannot all hold, so that their cost is most of the objective.
TEST_P(Scales, AHeavyConflictDoesNotHideAModelBesideIt) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Model model = RandomModel(seed).take().model;
    const std::size_t num_rules = model.rules.size();
    const double best = best_cost(model), slack = allowed(model, best);
    const auto h = static_cast<AtomId>(model.num_atoms);
    model.num_atoms += 2;
    add_rule(model, GetParam(), {1.0}, {h}, 0.0);
    add_rule(model, GetParam(), {1.0}, {h + 1}, 0.0);
    add_rule(model, GetParam(), {-1.0, -1.0}, {h, h + 1}, 1.0);
    expect_solved_by_all(model, num_rules, best, slack);
  }
}

// The heavy rules keep an atom of the model at the value 0: all are one component.
TEST_P(Scales, AHeavyRuleInTheSameComponentDoesNotHideTheOthers) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Model model = RandomModel(seed).take().model;
    const std::size_t num_rules = model.rules.size();
    const auto h = static_cast<AtomId>(model.num_atoms++);
    add_rule(model, 0.3, {-1.0, 1.0}, {h, 0}, 0.2);
    const double best = [&] {  // H is 0
      Model held = model;
      TermBlock block;
      block.rule = static_cast<std::uint32_t>(held.rules.size());
      block.kind = TermKind::kEqual;
      block.coefficients = {1.0};
      add_term(block, std::vector<AtomId>{h}, {}, 0.0);
      held.rules.push_back({0.0, true, "", {}});
      held.blocks.push_back(std::move(block));
      return best_cost(held);
    }();
    const double slack = allowed(model, best);
    add_rule(model, GetParam(), {1.0}, {h}, 0.0);
    for (const Solver solver : kAllSolvers) {
      SCOPED_TRACE(std::string(name_of(solver)));
      const Solution solution = solve_with(model, solver);
      if (solver == Solver::kAuto && GetParam() < 1e12) {
        EXPECT_EQ(solution.status, SolveStatus::kOptimal) << solution.relative_gap;
      }
      if (solution.status != SolveStatus::kOptimal) continue;  // rounding errors are in the way
      EXPECT_NEAR(cost_of(model, num_rules + 1, solution.truth), best, slack);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Weights, Scales, testing::Values(1e3, 1e6, 1e9, 1e12));

// The answer does not depend on the unit of the weights.
TEST(Scales, OfAllWeightsTogetherChangeNothing) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = RandomModel(seed).take().model;
    const double best = best_cost(model), slack = allowed(model, best);
    for (const double factor : {1e-6, 1.0, 1e6}) {
      SCOPED_TRACE(factor);
      Model scaled = model;
      for (GroundRule& rule : scaled.rules) rule.weight *= factor;
      for (const Solver solver : kAllSolvers) {
        if (solver == Solver::kStochasticGradient) continue;
        SCOPED_TRACE(std::string(name_of(solver)));
        const Solution solution = solve_with(scaled, solver, false);
        EXPECT_EQ(solution.status, SolveStatus::kOptimal) << solution.relative_gap;
        EXPECT_NEAR(cost_of(model, model.rules.size(), solution.truth), best, slack);
      }
    }
  }
}

// All rules can hold: the objective is 0, and so must be what is found, in the lightest rule's
// unit.
TEST(Scales, AnObjectiveOfNothingIsFoundForTheLightestRuleToo) {
  for (const double light : {1.0, 1e-3, 1e-6}) {
    Model model;
    model.num_atoms = 3;
    add_rule(model, 1.0, {1.0, -1.0}, {0, 1}, 0.0);
    add_rule(model, light, {1.0, -1.0}, {1, 2}, 0.0);
    add_rule(model, light, {-1.0}, {0}, 0.7);
    for (const Solver solver : kAllSolvers) {
      SCOPED_TRACE(std::string(name_of(solver)));
      const Solution solution = solve_with(model, solver);
      if (solution.status != SolveStatus::kOptimal) {
        EXPECT_EQ(solver, Solver::kStochasticGradient);
        continue;
      }
      EXPECT_LE(cost_of(model, 3, solution.truth), 2e-6 * light);
    }
  }
}

// A heavy rule that holds beside light ones that cost something: what is left of its violation, if
// it is little beside its own weight, is not little beside what the model costs.
TEST(Scales, AHeavyRuleAddsNothingToWhatAModelBesideItCosts) {
  Model model;
  model.num_atoms = 3;
  add_rule(model, 1e9, {-1.0}, {0}, 1.0);
  add_rule(model, 100.0, {-1.0, 1.0}, {1, 2}, 1.5);
  add_rule(model, 10.0, {-1.0, -1.0}, {1, 2}, 1.0);
  for (const Solver solver : kAllSolvers) {
    SCOPED_TRACE(std::string(name_of(solver)));
    SolveOptions options;
    options.solver = solver;
    options.gap = 1e-6;
    const Solution solution = solve(model, parameters_of(model), options);
    if (solver != Solver::kStochasticGradient) {
      EXPECT_EQ(solution.status, SolveStatus::kOptimal);
    }
    if (solution.status != SolveStatus::kOptimal) continue;
    EXPECT_NEAR(cost_of(model, 3, solution.truth), 50.0, 1e-4);
    EXPECT_NEAR(solution.lower_bound * 1e9, 50.0, 1e-4);
  }
}

// Light rules that a heavy one of a single atom is between.
Model light_rules_around_a_heavy_one() {
  constexpr double kLight = 0.001, kHeavy = 1e9;
  Model model;
  model.num_atoms = 7;
  for (const AtomId other : {2, 3, 4}) {
    add_rule(model, kLight, {-2.0, -0.25, 2.0}, {0, 1, other}, -0.6);
    add_rule(model, kLight, {-2.0, 2.0}, {5, other}, -0.85);
  }
  add_rule(model, kHeavy, {-1.0}, {5}, 1.0);
  add_rule(model, 5.0, {-1.0, -1.0}, {1, 6}, 0.7);
  return model;
}

Solution solve_closely(const Model& model) {
  SolveOptions options;
  options.gap = 1e-6;
  options.violation = 1e-7;
  options.threads = 1;
  return solve(model, parameters_of(model, false), options);
}

TEST(Scales, AStateOfNoCostIsOptimalWhateverTheWeights) {
  const Model model = light_rules_around_a_heavy_one();
  const Solution solution = solve_closely(model);
  EXPECT_EQ(solution.status, SolveStatus::kOptimal) << solution.message;
  EXPECT_LE(cost_of(model, model.rules.size(), solution.truth), 1e-11);
  EXPECT_NEAR(solution.lower_bound, 0.0, 1e-11);
}

// A heavy rule that holds at a bound of its atom is part of the bound with what it is pulled by,
// not with its weight, of which the rounding errors alone are more than what light rules cost.
TEST(Scales, AHeavyRuleThatHoldsLeavesNoRoundingInTheBound) {
  for (const bool is_negative : {false, true}) {
    for (double light = 1.0; light > 1e-9; light *= 0.1) {
      SCOPED_TRACE(light);
      Model pulled = light_rules_around_a_heavy_one(), beside = pulled;
      add_rule(pulled, light, {1.0}, {5}, 0.0);  // at best 1
      beside.num_atoms = 9;
      add_rule(beside, light, {-1.0, -1.0}, {7, 8}, 2.0);  // at best 0
      add_rule(beside, 2.0 * light, {1.0}, {7}, 0.0);
      add_rule(beside, 2.0 * light, {1.0}, {8}, 0.0);
      for (Model* model : {&pulled, &beside}) {
        if (is_negative) mirror(*model);
        const Solution solution = solve_closely(*model);
        EXPECT_EQ(solution.status, SolveStatus::kOptimal) << solution.message;
        const double best = model == &pulled ? light : 2.0 * light;
        EXPECT_NEAR(solution.objective, best, 1e-6 * best);
        EXPECT_NEAR(solution.lower_bound, best, 1e-6 * best);
      }
    }
  }
}

// What cannot be reached is not called optimal, and the rules whose weights are the cause are
// named.
TEST(Scales, NamesTheRulesWhoseWeightsAreTooFarApart) {
  Model model = RandomModel(3).take().model;
  const auto h = static_cast<AtomId>(model.num_atoms++);
  add_rule(model, 1e15, {1.0, -1.0}, {h, 0}, 0.1);
  add_rule(model, 0.3, {-1.0, 1.0}, {h, 0}, 0.2);
  SolveOptions options;
  options.solver = Solver::kGradient;
  options.max_iterations = 20;
  const Solution solution = solve(model, parameters_of(model), options);
  ASSERT_NE(solution.status, SolveStatus::kOptimal);
  EXPECT_GT(solution.relative_gap, 1e-4);
  EXPECT_NE(solution.message.find("weighs 1e+15"), std::string::npos) << solution.message;
}

}  // namespace
}  // namespace sorites
