#include "hinge/integer/integer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <thread>

#include "base/sanitized.h"
#include "hinge/problem/problem.h"
#include "hinge/problem/random_model.h"

namespace sorites {
namespace {

using testing::HasSubstr;

struct Value {
  double objective = 0.0, violation = 0.0;
};

// By the definition in sorites/model.h.
Value value_of(const Model& model, const std::vector<double>& truth) {
  Value value;
  for (const TermBlock& block : model.blocks) {
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      double r = block.offset_of(t);
      for (std::size_t k = 0; k < block.width(); ++k) {
        r += block.coefficients[k] * truth[block.atoms_of(t)[k]];
      }
      const double w = model.rules[block.rule].weight;
      if (block.kind == TermKind::kHinge) value.objective += w * std::max(r, 0.0);
      if (block.kind == TermKind::kSquaredHinge) {
        value.objective += w * std::max(r, 0.0) * std::max(r, 0.0);
      }
      if (block.kind == TermKind::kAtMost) value.violation = std::max(value.violation, r);
      if (block.kind == TermKind::kEqual) value.violation = std::max(value.violation, std::abs(r));
    }
  }
  return value;
}

// Calls visit(truth) for all states whose atoms are multiples of 1 / steps[i].
void for_states(const std::vector<int>& steps,
                const std::function<void(const std::vector<double>&)>& visit) {
  std::vector<int> at(steps.size(), 0);
  std::vector<double> truth(steps.size(), 0.0);
  while (true) {
    visit(truth);
    std::size_t i = 0;
    for (; i < at.size(); ++i) {
      at[i] = at[i] == steps[i] ? 0 : at[i] + 1;
      truth[i] = static_cast<double>(at[i]) / steps[i];
      if (at[i] != 0) break;
    }
    if (i == at.size()) return;
  }
}

double best_on_grid(const Model& model, const std::vector<int>& steps) {
  double best = INFINITY;
  for_states(steps, [&](const std::vector<double>& truth) {
    const Value value = value_of(model, truth);
    if (value.violation <= 1e-7) best = std::min(best, value.objective);
  });
  return best;
}

Model random_model(std::mt19937_64& random, std::size_t num_atoms) {
  RandomTerms terms{random, num_atoms};
  const double unit = std::pow(10.0, static_cast<double>(terms.below(5)) - 2.0);  // of weights
  ModelBuilder builder(num_atoms);
  const std::size_t count = 1 + terms.below(3 * num_atoms + 2);
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t draw = terms.below(20);
    const TermKind kind = draw < 8    ? TermKind::kHinge
                          : draw < 16 ? TermKind::kSquaredHinge
                          : draw < 19 ? TermKind::kAtMost
                                      : TermKind::kEqual;
    const std::vector<AtomId> atoms = terms.atoms(1 + terms.below(4));
    const double weight = terms.below(8) == 0 ? 0.0 : unit * terms.uniform(0.01, 2.0);
    std::vector<double> coefficients = terms.coefficients(atoms.size());
    double offset =
        terms.below(2) == 0 ? terms.uniform(-1.5, 1.0) : static_cast<double>(terms.below(4)) - 2.0;
    if (is_hard(kind)) offset = -static_cast<double>(terms.below(3));
    if (kind == TermKind::kEqual) coefficients.assign(atoms.size(), 1.0);
    builder.add(kind, weight, coefficients, atoms, offset);
  }
  return builder.take();
}

Solution solve_with(const Model& model, std::uint32_t num_integer, double gap = 1e-6) {
  ThreadPool pool(1);
  SolveOptions options;
  options.gap = gap;
  if (num_integer > 0) options.integer = {{0, 0, num_integer}};
  Parameters parameters;
  for (const GroundRule& rule : model.rules) parameters.weights.push_back(rule.weight);
  return solve_integer(model, parameters, options, pool);
}

TEST(SolveInteger, EqualsEnumerationOnRandomModels) {
  std::size_t num_infeasible = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const std::size_t n = 1 + seed % 11;
    const Model model = random_model(random, n);
    const double best = best_on_grid(model, std::vector<int>(n, 1));
    const Solution solution = solve_with(model, static_cast<std::uint32_t>(n));
    if (std::isinf(best)) {
      ++num_infeasible;
      EXPECT_EQ(solution.status, SolveStatus::kInfeasible);
      continue;
    }
    ASSERT_EQ(solution.status, SolveStatus::kOptimal) << solution.message;
    EXPECT_NEAR(solution.objective, best, 1e-6 * (1.0 + best));
    EXPECT_LE(solution.lower_bound, best + 1e-9 * (1.0 + best));
    EXPECT_TRUE(solution.multipliers.empty());
    const Value value = value_of(model, solution.truth);
    EXPECT_NEAR(value.objective, solution.objective, 1e-9);
    EXPECT_LE(value.violation, 1e-6);
    for (const double y : solution.truth) EXPECT_TRUE(y == 0.0 || y == 1.0) << y;
  }
  EXPECT_GT(num_infeasible, 20U);
  EXPECT_LT(num_infeasible, 500U);
}

TEST(SolveInteger, IsNoWorseThanAGridAndBoundsItWhereSomeAtomsAreContinuous) {
  constexpr int kSteps = 20;
  for (std::uint64_t seed = 1000; seed < 1300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const std::size_t num_integer = seed % 5, n = num_integer + 1 + seed % 2;
    const Model model = random_model(random, n);
    std::vector<int> steps(n, kSteps);
    std::fill_n(steps.begin(), num_integer, 1);
    const double best = best_on_grid(model, steps);
    const Solution solution = solve_with(model, static_cast<std::uint32_t>(num_integer), 1e-5);
    if (solution.status == SolveStatus::kInfeasible) {
      EXPECT_TRUE(std::isinf(best));
      continue;
    }
    ASSERT_EQ(solution.status, SolveStatus::kOptimal) << solution.message;
    EXPECT_LE(solution.lower_bound, best + 1e-7);
    EXPECT_LE(solution.objective, best + 2e-5 * (0.01 + best));
    EXPECT_LE(value_of(model, solution.truth).violation, 1e-6);
    for (std::size_t i = 0; i < num_integer; ++i) {
      EXPECT_TRUE(solution.truth[i] == 0.0 || solution.truth[i] == 1.0);
    }
  }
}

TEST(SolveInteger, FindsClosedFormsOfSquaredHinges) {
  // 1 (0.3 - y)^2 + 1 (y - 0.1)^2: y = 0.2, 0.02 in all.
  Model model = ModelBuilder(1)
                    .add(TermKind::kSquaredHinge, 1.0, {-1.0}, {0}, 0.3)
                    .add(TermKind::kSquaredHinge, 1.0, {1.0}, {0}, -0.1)
                    .take();
  const Solution continuous = solve_with(model, 0);
  EXPECT_EQ(continuous.status, SolveStatus::kOptimal);
  EXPECT_NEAR(continuous.objective, 0.02, 1e-6);
  EXPECT_NEAR(continuous.truth[0], 0.2, 1e-3);
  const Solution integer = solve_with(model, 1);  // y = 0: 0.09; y = 1: 0.81
  EXPECT_EQ(integer.status, SolveStatus::kOptimal);
  EXPECT_NEAR(integer.objective, 0.09, 1e-12);
  EXPECT_EQ(integer.truth[0], 0.0);
}

TEST(SolveInteger, HandlesModelsWithoutAtomsOrTerms) {
  const Solution nothing = solve_with(Model{}, 0);
  EXPECT_EQ(nothing.status, SolveStatus::kOptimal);
  EXPECT_EQ(nothing.objective, 0.0);
  const Solution idle = solve_with(ModelBuilder(3).take(), 2);
  EXPECT_EQ(idle.status, SolveStatus::kOptimal);
  EXPECT_EQ(idle.truth.size(), 3U);
  const Solution constant =
      solve_with(ModelBuilder(1).add(TermKind::kHinge, 2.0, {}, {}, 0.5).take(), 1);
  EXPECT_EQ(constant.status, SolveStatus::kOptimal);
  EXPECT_EQ(constant.objective, 1.0);
  EXPECT_EQ(constant.lower_bound, 1.0);
}

TEST(SolveInteger, TellsWhetherFractionsWouldKeepTheHardRules) {
  const Model half = ModelBuilder(2).add(TermKind::kEqual, 0, {2.0, 2.0}, {0, 1}, -1.0).take();
  const Solution integer = solve_with(half, 2);
  EXPECT_EQ(integer.status, SolveStatus::kInfeasible);
  EXPECT_THAT(integer.message, HasSubstr("between 0 and 1 they would not"));
  for (const double y : integer.truth) EXPECT_TRUE(y == 0.0 || y == 1.0);
  EXPECT_EQ(solve_with(half, 1).status, SolveStatus::kOptimal);

  const Model never = ModelBuilder(2).add(TermKind::kAtMost, 0, {-1.0, -1.0}, {0, 1}, 2.5).take();
  const Solution contradictory = solve_with(never, 2);
  EXPECT_EQ(contradictory.status, SolveStatus::kInfeasible);
  EXPECT_EQ(contradictory.message, "the hard rules contradict each other");
}

// Without a look at the steps of the sum, branching would try half of all 2^24 states.
TEST(SolveInteger, SeesThatASumOfIntegersIsNoFraction) {
  std::vector<AtomId> atoms(24);
  std::iota(atoms.begin(), atoms.end(), 0U);
  for (const double step : {1.0, 0.3, 4.0}) {
    const std::vector<double> coefficients(24, step);
    const auto sum_is = [&](double total) {
      return solve_with(ModelBuilder(24)
                            .add(TermKind::kEqual, 0, coefficients, atoms, -total * step)
                            .add(TermKind::kHinge, 1.0, {1.0}, {3}, 0.0)
                            .take(),
                        24);
    };
    const Solution between = sum_is(9.5);
    EXPECT_EQ(between.status, SolveStatus::kInfeasible);
    ASSERT_EQ(between.conflict.size(), 1U);
    EXPECT_EQ(between.conflict[0], (TermId{0, 0}));
    EXPECT_THAT(between.message, HasSubstr("between 0 and 1 they would not"));
    EXPECT_EQ(sum_is(9.0).status, SolveStatus::kOptimal);
  }
}

// `heavy: !H` beside a model of ordinary weights: what is said of the whole holds for both.
TEST(SolveInteger, AHeavyRuleDoesNotHideAModelBesideIt) {
  for (const double heavy : {1e6, 1e9, 1e12}) {
    const auto model = [&](double weight) {
      return ModelBuilder(6)
          .add(TermKind::kHinge, 1.0, {-1.0, -1.0}, {0, 1}, 1.0)
          .add(TermKind::kHinge, 0.7, {-1.0, -1.0}, {1, 2}, 1.0)
          .add(TermKind::kHinge, 0.6, {1.0, 1.0}, {0, 2}, -1.0)
          .add(TermKind::kSquaredHinge, 0.4, {1.0, 1.0, 1.0}, {0, 1, 2}, -0.5)
          .add(TermKind::kHinge, weight, {1.0, 1.0}, {3, 4}, 0.0)
          .add(TermKind::kHinge, weight, {-1.0, -1.0}, {4, 5}, 0.5)
          .take();
    };
    const Solution ordinary = solve_with(model(1.0), 6), beside = solve_with(model(heavy), 6);
    EXPECT_EQ(beside.status, SolveStatus::kOptimal) << beside.relative_gap;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(beside.truth[i], ordinary.truth[i]) << i;
  }
}

// The same for any model whose weights are a billionth of the heavy ones: neither its values nor
// the bound are off by what it weighs.
TEST(SolveInteger, SolvesALightModelBesideAHeavyRuleInItsOwnUnit) {
  constexpr double kLight = 1e-9;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    Model model = random_model(random, 6);
    const double best = best_on_grid(model, std::vector<int>(6, 1));
    if (best == INFINITY) continue;
    double lightest = INFINITY;
    for (GroundRule& rule : model.rules) {
      if (!rule.hard) lightest = std::min(lightest, rule.weight);
      rule.weight *= kLight;
    }
    TermBlock heavy;
    heavy.rule = static_cast<std::uint32_t>(model.rules.size());
    heavy.coefficients = {1.0, -1.0};
    add_term(heavy, std::vector<AtomId>{6, 7}, {}, 0.0);
    model.num_atoms = 8;
    model.rules.push_back({1e3, false, "", {}});
    model.blocks.push_back(std::move(heavy));
    const Solution solution = solve_with(model, 8);
    ASSERT_EQ(solution.status, SolveStatus::kOptimal) << solution.message;
    const double slack = 1e-6 * std::max(best, lightest);
    EXPECT_NEAR(value_of(model, solution.truth).objective / kLight, best, slack);
    EXPECT_LE(solution.lower_bound / kLight, best + slack);
  }
}

// A heavy rule whose atoms hard rules fix is part of the objective, but not of what a light part
// may leave of it.
TEST(SolveInteger, AFixedHeavyRuleDoesNotHideAModelBesideIt) {
  ModelBuilder builder(4);
  builder.add(TermKind::kAtMost, 0.0, {-1.0}, {3}, 1.0);
  builder.add(TermKind::kHinge, 1e9, {1.0}, {3}, 0.0);
  for (std::size_t k = 0; k < 3; ++k) {  // the sum is 1: at best it is 0
    std::vector<double> up(3, 2.0), down(3, -2.0);
    up[k] = 3.0;
    down[k] = -3.0;
    builder.add(TermKind::kSquaredHinge, 5.0, up, {0, 1, 2}, -1.0);
    builder.add(TermKind::kSquaredHinge, 5.0, down, {0, 1, 2}, 1.0);
  }
  const Solution solution = solve_with(builder.take(), 4);
  EXPECT_EQ(solution.status, SolveStatus::kOptimal);
  EXPECT_EQ(solution.truth, (std::vector<double>{0.0, 0.0, 0.0, 1.0}));
}

// What linear programs cannot see is not called optimal.
TEST(SolveInteger, SaysThatWeightsInOnePartAreTooFarApart) {
  const auto model = [](double heavy) {
    return ModelBuilder(3)
        .add(TermKind::kHinge, heavy, {1.0, 1.0}, {0, 1}, -1.5)
        .add(TermKind::kSquaredHinge, 0.3, {-1.0, -1.0}, {1, 2}, 1.5)
        .take();
  };
  EXPECT_EQ(solve_with(model(1e5), 3).status, SolveStatus::kOptimal);
  const Solution wide = solve_with(model(1e9), 3);
  EXPECT_EQ(wide.status, SolveStatus::kNumericalError);
  EXPECT_THAT(wide.message,
              AllOf(HasSubstr("3.3e+09 times the smallest, more than 1e+07"),
                    HasSubstr("does not see the small ones")));
  EXPECT_EQ(wide.lower_bound, 0.0);
  // A light rule of one atom, which becomes part of its cost.
  const Model cost = ModelBuilder(2)
                         .add(TermKind::kHinge, 1e10, {1.0, 1.0}, {0, 1}, -1.0)
                         .add(TermKind::kHinge, 0.3, {-1.0}, {1}, 1.0)
                         .take();
  EXPECT_EQ(solve_with(cost, 2).status, SolveStatus::kNumericalError);
}

// A continuous atom between rules whose weights are far apart lies closer to the heavy one than
// linear programs are exact.
TEST(SolveInteger, NamesTheRulesWhoseWeightsAreTooFarApart) {
  const Model model = ModelBuilder(1)
                          .add(TermKind::kSquaredHinge, 1e9, {-1.0}, {0}, 1.0)
                          .add(TermKind::kSquaredHinge, 100.0, {1.0}, {0}, 0.0)
                          .take();
  const Solution solution = solve_with(model, 0);
  EXPECT_LE(solution.lower_bound, 1e11 / (1e9 + 100.0));  // the optimum
  EXPECT_NE(solution.status, SolveStatus::kOptimal);
  EXPECT_THAT(solution.message, HasSubstr("rule 1 weighs 1e+09 and rule 2 100"));
  const Model closer = ModelBuilder(2)
                           .add(TermKind::kSquaredHinge, 1e9, {2.0, 1.0}, {0, 1}, -0.5)
                           .add(TermKind::kSquaredHinge, 1e4, {-0.5, -0.5}, {0, 1}, 0.5)
                           .add(TermKind::kSquaredHinge, 1e4, {-0.5}, {1}, 0.25)
                           .take();
  const Solution found = solve_with(closer, 0);
  EXPECT_TRUE(found.status == SolveStatus::kOptimal || !found.message.empty());
}

// A column that breaks a row by what the simplex method lets it, times a weight of a million, is a
// ten-millionth here, and much more where CBC has made the program smaller. The bound is none the
// less one, and what is not reached is not called so.
TEST(SolveInteger, ABoundBesideAHeavyRuleIsNotOffByWhatLinearProgramsAreExactTo) {
  constexpr double kLight = 0.123456789;
  const auto squared = TermKind::kSquaredHinge;
  const Model model = ModelBuilder(5)
                          .add(squared, 0.5, {-1.0}, {4}, 1.0)
                          .add(squared, 0.5, {-1.0, -1.0}, {0, 4}, 1.0)  // atom 0 is best at 0
                          .add(TermKind::kHinge, 1.0, {1.0}, {0}, 0.0)
                          .add(squared, 10.0, {-1.0, -1.0}, {1, 2}, 1.0)
                          .add(squared, 1e6, {1.0}, {1}, 0.0)
                          .add(squared, 1e6, {2.0, 1.0}, {4, 1}, -2.0)
                          .add(squared, 1e6, {1.0}, {1}, -0.5)
                          .add(squared, kLight, {1.0}, {2}, 0.0)
                          .add(squared, kLight, {1.0}, {3}, 0.0)
                          .add(squared, kLight, {1.0, -1.0}, {2, 3}, 0.0)
                          .take();
  const std::vector<double> good{0.0, 1.8181e-7, 0.981818, 0.490909, 1.0 - 1e-7};
  const double cost = value_of(model, good).objective;
  for (const std::uint32_t num_integer : {0, 1}) {
    SCOPED_TRACE(num_integer);
    const Solution solution = solve_with(model, num_integer);
    EXPECT_LE(solution.lower_bound, cost + 1e-12);
    EXPECT_GE(solution.lower_bound, cost * (1.0 - 0.01));
    if (solution.status == SolveStatus::kOptimal) {
      EXPECT_LE(solution.objective, cost * (1.0 + 1e-6));
    } else {
      EXPECT_THAT(solution.message, HasSubstr("weighs 1e+06"));
    }
  }
}

TEST(SolveInteger, RefusesNumbersThatAreNotFinite) {
  for (const double bad : {std::nan(""), double{INFINITY}, -1.0}) {
    const Model model = ModelBuilder(1).add(TermKind::kHinge, bad, {1.0}, {0}, 0.0).take();
    const Solution solution = solve_with(model, 1);
    EXPECT_EQ(solution.status, SolveStatus::kNumericalError);
    EXPECT_THAT(solution.message, HasSubstr("the weight of rule 0 is"));
    EXPECT_EQ(solution.truth.size(), 1U);
  }
  const Model model = ModelBuilder(1).add(TermKind::kAtMost, 0, {1.0}, {0}, std::nan("")).take();
  EXPECT_EQ(solve_with(model, 1).status, SolveStatus::kNumericalError);
}

TEST(SolveInteger, ThrowsForAtomsThatAreNotThere) {
  ThreadPool pool(1);
  SolveOptions options;
  options.integer = {{0, 1, 2}};
  EXPECT_THROW(solve_integer(ModelBuilder(2).take(), {}, options, pool), std::invalid_argument);
}

// Sets of three to be split evenly, with weights that leave many near ties: no search is short.
Model hard_model(std::size_t num_atoms, std::uint64_t seed = 7) {
  std::mt19937_64 random(seed);
  RandomTerms terms{random, num_atoms};
  ModelBuilder builder(num_atoms);
  for (std::size_t t = 0; t < 6 * num_atoms; ++t) {
    const std::vector<AtomId> atoms = terms.atoms(3);
    const double weight = terms.uniform(0.9, 1.1);
    builder.add(TermKind::kHinge, weight, {1, 1, 1}, atoms, -1.0);
    builder.add(TermKind::kSquaredHinge, weight, {-1, -1, -1}, atoms, 2.0);
  }
  std::vector<AtomId> all = terms.atoms(num_atoms);
  builder.add(TermKind::kEqual,
              0,
              std::vector<double>(num_atoms, 1.0),
              all,
              -std::floor(0.4 * static_cast<double>(num_atoms)));
  return builder.take();
}

TEST(SolveInteger, EqualsEnumerationWhereItMustBranch) {
  std::uint64_t num_nodes = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = hard_model(12, seed);
    const double best = best_on_grid(model, std::vector<int>(12, 1));
    const Solution solution = solve_with(model, 12);
    ASSERT_EQ(solution.status, SolveStatus::kOptimal) << solution.message;
    EXPECT_NEAR(solution.objective, best, 1e-6 * best);
    EXPECT_LE(solution.lower_bound, best * (1.0 + 1e-9));
    num_nodes += solution.iterations;
  }
  EXPECT_GT(num_nodes, 100U);  // or the models are too easy to test anything
}

void expect_usable(const Solution& solution) {
  for (const double y : solution.truth) EXPECT_TRUE(y == 0.0 || y == 1.0) << y;
  EXPECT_TRUE(std::isfinite(solution.objective));
  EXPECT_GE(solution.lower_bound, 0.0);
  EXPECT_LE(solution.lower_bound, solution.objective);
}

constexpr double kSlowness = kSanitized ? 5.0 : 1.0;

TEST(SolveInteger, StopsAtTheTimeLimitWithBoundAndState) {
  const Model model = hard_model(150);
  ThreadPool pool(1);
  Parameters parameters;
  for (const GroundRule& rule : model.rules) parameters.weights.push_back(rule.weight);
  constexpr double kTimeForABound = 6.0 * kSlowness;
  for (const double limit : {0.0, 0.05, kTimeForABound}) {
    SCOPED_TRACE(limit);
    SolveOptions options;
    options.integer = {{0, 0, 150}};
    options.time_limit_seconds = limit;
    const Solution solution = solve_integer(model, parameters, options, pool);
    EXPECT_EQ(solution.status, SolveStatus::kTimeLimit);
    EXPECT_LT(solution.seconds, limit + 2.0);
    expect_usable(solution);
    if (limit == 0.0) {
      EXPECT_THAT(solution.message, HasSubstr("rounded greedily"));
    }
    if (limit == kTimeForABound) {
      EXPECT_GT(solution.lower_bound, 0.0);
      EXPECT_LE(solution.max_violation, 1e-6);
    }
  }
}

TEST(SolveInteger, StopsWhenAskedTo) {
  const Model model = hard_model(150);
  ThreadPool pool(1);
  Parameters parameters;
  for (const GroundRule& rule : model.rules) parameters.weights.push_back(rule.weight);
  std::stop_source source;
  SolveOptions options;
  options.integer = {{0, 0, 150}};
  options.stop = source.get_token();
  const std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    source.request_stop();
  });
  const Solution solution = solve_integer(model, parameters, options, pool);
  EXPECT_EQ(solution.status, SolveStatus::kInterrupted);
  EXPECT_LT(solution.seconds, 1.3);
  expect_usable(solution);
}

TEST(SolveInteger, StopsAfterTheNodesThatWereAskedFor) {
  const Model model = hard_model(60);
  ThreadPool pool(1);
  Parameters parameters;
  for (const GroundRule& rule : model.rules) parameters.weights.push_back(rule.weight);
  SolveOptions options;
  options.integer = {{0, 0, 60}};
  options.max_iterations = 5;
  const Solution solution = solve_integer(model, parameters, options, pool);
  EXPECT_EQ(solution.status, SolveStatus::kIterationLimit);
  EXPECT_LE(solution.iterations, 10U);
  expect_usable(solution);
}

TEST(SolveInteger, SolvesManySmallPartsOneByOne) {
  constexpr std::size_t kParts = 1000;
  ModelBuilder builder(3 * kParts);
  for (AtomId p = 0; p < kParts; ++p) {
    // Of three that want to be 1 and exclude each other, one may be: 0.2 + 0.3, and 0.25 for the
    // squared rule that wants the first.
    const AtomId a = 3 * p, b = a + 1, c = a + 2;
    builder.add(TermKind::kAtMost, 0, {1, 1}, {a, b}, -1);
    builder.add(TermKind::kAtMost, 0, {1, 1}, {b, c}, -1);
    builder.add(TermKind::kAtMost, 0, {1, 1}, {a, c}, -1);
    builder.add(TermKind::kHinge, 0.2, {-1}, {a}, 1);
    builder.add(TermKind::kHinge, 0.3, {-1}, {b}, 1);
    builder.add(TermKind::kHinge, 0.4, {-1}, {c}, 1);
    builder.add(TermKind::kSquaredHinge, 1.0, {-1, -1}, {a, b}, 0.5);
  }
  const Solution solution = solve_with(builder.take(), 3 * kParts, 1e-4);
  EXPECT_EQ(solution.status, SolveStatus::kOptimal);
  // c alone: 0.5 + 0.25; b alone: 0.6; a alone: 0.7.
  EXPECT_NEAR(solution.objective, 0.6 * kParts, 1e-6);
  EXPECT_LT(solution.seconds, 30.0 * kSlowness);
}

}  // namespace
}  // namespace sorites
