#include "hinge/methods/dual_bcd.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hinge/methods/regularised_dual.h"
#include "hinge/problem/random_problem.h"

namespace sorites {
namespace {

// D by its definition, on a problem without groups.
double dual_value(const Problem& problem,
                  const std::vector<double>& multipliers,
                  double eps,
                  double centre) {
  std::vector<double> gradient(problem.num_variables, 0.0);
  double sum = problem.constant;
  for (const RowBlock& block : problem.blocks) {
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const double mu = multipliers[row];
      sum += mu * problem.offset[row] - conjugate(block.kind, problem.weight[row], mu);
      const auto variables = problem.variables_of(block, row);
      for (std::size_t k = 0; k < variables.size(); ++k) {
        gradient[variables[k]] += mu * block.coefficients[k];
      }
    }
  }
  for (std::size_t i = 0; i < problem.num_variables; ++i) {
    const auto segments = problem.folded.of(i);
    std::uint32_t hint = 0;
    const double linear = gradient[i] - 2.0 * eps * centre;
    const double x = minimise(segments, problem.upper[i], linear, 2.0 * eps, hint).x;
    sum += segments[hint].value(x) + gradient[i] * x + eps * (x - centre) * (x - centre);
  }
  return sum;
}

TEST(RegularisedDual, AscendsToTheMaximumAtEveryStep) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Problem problem = with_groups_as_rows(random_problem(seed).problem);
    const double eps = std::pow(10.0, -static_cast<double>(seed % 5)), centre = 0.3;
    RegularisedDual dual(problem, std::vector<double>(problem.num_rows(), 0.0));
    dual.regularise(std::vector<double>(problem.num_variables, eps),
                    std::vector<double>(problem.num_variables, centre));
    RegularisedDual::Scratch scratch;
    double value = dual_value(problem, dual.multipliers(), eps, centre);
    for (int sweep = 0; sweep < 5; ++sweep) {
      for (const RowBlock& block : problem.blocks) {
        for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
          dual.ascend(block, row, scratch);
          const double next = dual_value(problem, dual.multipliers(), eps, centre);
          const double rounding = 1e-11 * (1.0 + std::abs(next));
          ASSERT_NEAR(dual.value(), next, rounding);
          ASSERT_GE(next, value - rounding);
          value = next;
          // No other multiplier of this row is better.
          const Interval domain = domain_of(block.kind, problem.weight[row]);
          for (const double change : {-1e-3, 1e-3}) {
            std::vector<double> other = dual.multipliers();
            other[row] = std::clamp(other[row] + change, domain.low, domain.high);
            ASSERT_LE(dual_value(problem, other, eps, centre), value + rounding);
          }
        }
      }
    }
  }
}

TEST(DualBcd, DoesNotDependOnTheNumberOfThreads) {
  ThreadPool one(1), three(3);
  SolveOptions options;
  options.gap = 1e-5;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem problem =
        random_problem(seed, {.num_variables = 60, .num_rows = 80, .cluster = 5}).problem;
    options.max_iterations = 50;
    const SolverResult a = solve_dual_bcd(problem, cold_start(problem), options, one);
    const SolverResult b = solve_dual_bcd(problem, cold_start(problem), options, three);
    EXPECT_EQ(a.point.multipliers, b.point.multipliers) << "seed " << seed;
  }
}

TEST(DualBcdLockFree, ClosesTheGapWithThreadsThatRace) {
  ThreadPool pool(4);
  SolveOptions options;
  options.gap = 1e-3;
  const RandomShape shape{
      .num_variables = 1500, .num_rows = 4000, .num_groups = 0, .hard_rows = false};
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Problem problem = random_problem(seed, shape).problem;
    const SolverResult result =
        solve_dual_bcd_lock_free(problem, cold_start(problem), options, pool);
    EXPECT_EQ(result.status, SolveStatus::kOptimal) << "seed " << seed;
    PrimalDual point = result.point;
    std::vector<double> gradient;
    const Bounds bounds = evaluate(problem, point, gradient, pool);
    EXPECT_LE(relative_gap(bounds.objective, bounds.lower_bound), 1.01e-3);
  }
}

}  // namespace
}  // namespace sorites
