// Regularised inference (hinge/problem/regularize.h), by every solver. tests/oracle compares it
// with eq. 13 of Dickens et al. (2024a), solved by others.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "hinge/model/residual.h"
#include "hinge/model/term_kind.h"
#include "hinge/problem/random_feasible_model.h"
#include "hinge/solve/inference.h"
#include "sorites/solve.h"

namespace sorites {
namespace {

constexpr Solver kExactSolvers[] = {Solver::kAuto,
                                    Solver::kAdmm,
                                    Solver::kCoordinateDescent,
                                    Solver::kDualBcd,
                                    Solver::kDualBcdLockFree,
                                    Solver::kPdhg,
                                    Solver::kInteriorPoint};

SolveOptions exactly(Solver solver, double regularization) {
  SolveOptions options;
  options.solver = solver;
  options.regularization = regularization;
  options.gap = 1e-8;
  options.violation = 1e-8;
  options.threads = 2;
  return options;
}

// `1: X -> P ^2`, `1: !P ^2` with X = 1: 2 (1 - p) = 3 p with eps = 1.
TEST(Regularization, SquaresTargetsAndSlacks) {
  const Model model = ModelBuilder(1)
                          .add(TermKind::kSquaredHinge, 1.0, {-1.0}, {0}, 1.0)
                          .add(TermKind::kSquaredHinge, 1.0, {1.0}, {0}, 0.0)
                          .take();
  for (const Solver solver : kExactSolvers) {
    SCOPED_TRACE(std::string(name_of(solver)));
    const Solution solution = solve(model, parameters_of(model), exactly(solver, 1.0));
    EXPECT_EQ(solution.status, SolveStatus::kOptimal);
    EXPECT_NEAR(solution.truth[0], 0.4, 1e-6);
    EXPECT_NEAR(solution.objective, 2.0 * 0.36 + 3.0 * 0.16, 1e-6);
    ASSERT_EQ(solution.multipliers.size(), 2U);
    EXPECT_NEAR(solution.multipliers[0], 4.0 * 0.6, 1e-5);  // slopes of both squares
  }
}

// As in examples/mnist-addition/add2.json: uncertain digits imply sums a little, sums add to 1, and
// nothing says where the rest of them goes.
TEST(Regularization, MakesTiedSumsTheSameByEverySolver) {
  ModelBuilder builder(19);
  const double digits[] = {0.45, 0.35, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.0};
  std::vector<AtomId> sums(19);
  std::iota(sums.begin(), sums.end(), 0U);
  for (AtomId x = 0; x < 10; ++x) {
    for (AtomId y = 0; y < 10; ++y) {
      builder.add(TermKind::kHinge, 0.1, {-1.0}, {x + y}, digits[x] + digits[9 - y] - 0.4);
    }
  }
  builder.add(TermKind::kEqual, 0.0, std::vector<double>(19, 1.0), sums, -1.0);
  const Model model = builder.take();
  const auto spread = [&](double eps) {
    double largest = 0.0;
    const auto first = solve(model, parameters_of(model), exactly(Solver::kAdmm, eps)).truth;
    for (const Solver solver : kExactSolvers) {
      const auto other = solve(model, parameters_of(model), exactly(solver, eps)).truth;
      for (std::size_t i = 0; i < first.size(); ++i) {
        largest = std::max(largest, std::abs(first[i] - other[i]));
      }
    }
    return largest;
  };
  EXPECT_GT(spread(0.0), 0.01);
  EXPECT_LT(spread(0.001), 0.001);
}

TEST(Regularization, StopsAtAnAbsoluteGap) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Model model = RandomModel(seed).take().model;
    const Parameters parameters = parameters_of(model);
    const double exact = solve(model, parameters, exactly(Solver::kAuto, 0.1)).objective;
    for (const double allowed : {1.0, 0.01}) {
      SolveOptions options = exactly(Solver::kDualBcd, 0.1);
      options.absolute_gap = allowed * parameters.weight_scale;
      const Solution rough = solve(model, parameters, options);
      EXPECT_EQ(rough.status, SolveStatus::kOptimal);
      EXPECT_LE(rough.objective, exact + allowed);
      EXPECT_LE(rough.objective - rough.lower_bound, allowed);
      EXPECT_LE(rough.lower_bound, exact + 1e-6 * (1.0 + std::abs(exact)));
    }
  }
}

// A hinge w r is w r + eps r^2: from eps = 0.5 on, the slope of eps y^2 reaches that of the hinge.
TEST(Regularization, BendsHinges) {
  const Model model = ModelBuilder(1).add(TermKind::kHinge, 1.0, {-1.0}, {0}, 1.0).take();
  const auto value_at = [&](double eps) {
    return solve(model, parameters_of(model), exactly(Solver::kAuto, eps)).truth[0];
  };
  EXPECT_NEAR(value_at(0.1), 1.0, 1e-6);
  EXPECT_NEAR(value_at(2.0), 0.625, 1e-6);  // 2 eps y = 1 + 2 eps (1 - y)
  EXPECT_NEAR(value_at(1e6), 0.5, 1e-6);    // large ones end as well
}

// Weights are divided by the largest, eps with them.
TEST(Regularization, IsInUnitsOfTheWeightsAsWritten) {
  for (const double scale : {1e-3, 1.0, 50.0}) {
    const Model model = ModelBuilder(1)
                            .add(TermKind::kSquaredHinge, scale, {-1.0}, {0}, 1.0)
                            .add(TermKind::kSquaredHinge, 0.5 * scale, {1.0}, {0}, 0.0)
                            .take();
    const Solution solution = solve(model, parameters_of(model), exactly(Solver::kAuto, scale));
    EXPECT_NEAR(solution.truth[0], 2.0 / 4.5, 1e-6) << scale;
  }
}

double regularized_objective(const Model& model,
                             const Parameters& parameters,
                             double eps,
                             const std::vector<double>& truth) {
  double sum = 0.0;
  for (const TermBlock& block : model.blocks) {
    if (is_hard(block.kind)) continue;
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      const double r = residual_of(block, t, truth, parameters.outputs);
      sum += potential(block.kind, parameters.weights[block.rule], r) +
             eps * potential(TermKind::kSquaredHinge, 1.0, r);
    }
  }
  return sum + eps * std::inner_product(truth.begin(), truth.end(), truth.begin(), 0.0);
}

// Ties are broken the same way by all solvers: the state is unique.
TEST(Regularization, MakesTheStateUnique) {
  constexpr double kEps = 0.05;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const FeasibleModel random = RandomModel(seed).take();
    const Parameters parameters = parameters_of(random.model, false);
    const Solution first = solve(random.model, parameters, exactly(Solver::kInteriorPoint, kEps));
    ASSERT_EQ(first.status, SolveStatus::kOptimal);
    EXPECT_NEAR(first.objective,
                regularized_objective(random.model, parameters, kEps, first.truth),
                1e-9 * (1.0 + first.objective));
    for (const Solver solver : kExactSolvers) {
      SCOPED_TRACE(std::string(name_of(solver)));
      const Solution other = solve(random.model, parameters, exactly(solver, kEps));
      if (other.status != SolveStatus::kOptimal) continue;  // told, and not all are that exact
      for (std::size_t i = 0; i < first.truth.size(); ++i) {
        EXPECT_NEAR(first.truth[i], other.truth[i], 2e-3) << "atom " << i;
      }
    }
  }
}

// From where it was, with and without: the answer is that of a fresh run.
TEST(Regularization, GoesOnFromWhereItWas) {
  const FeasibleModel random = RandomModel(3).take();
  Parameters parameters = parameters_of(random.model, false);
  Inference inference(random.model, 1);
  for (int step = 0; step < 20; ++step) {
    for (double& weight : parameters.weights) weight *= step % 2 == 0 ? 1.1 : 0.95;
    const SolveOptions options = exactly(Solver::kAuto, step % 3 == 0 ? 0.0 : 0.1);
    const Solution warm = inference.resolve(parameters, options);
    const Solution fresh = solve(random.model, parameters, options);
    ASSERT_EQ(warm.status, SolveStatus::kOptimal);
    EXPECT_NEAR(warm.objective, fresh.objective, 1e-6 * (1.0 + fresh.objective));
    const Solution again = solve(random.model, parameters, options, &fresh);
    EXPECT_NEAR(again.objective, fresh.objective, 1e-6 * (1.0 + fresh.objective));
  }
}

}  // namespace
}  // namespace sorites
