// What every solver must do, on the same random problems.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "hinge/methods/active_set.h"
#include "hinge/methods/admm.h"
#include "hinge/methods/coordinate_descent.h"
#include "hinge/methods/dual_bcd.h"
#include "hinge/methods/dual_newton.h"
#include "hinge/methods/gradient.h"
#include "hinge/methods/interior_point.h"
#include "hinge/methods/pdhg.h"
#include "hinge/methods/stochastic_gradient.h"
#include "hinge/problem/random_problem.h"

namespace sorites {
namespace {

using SolveFunction = SolverResult (*)(const Problem&,
                                       PrimalDual,
                                       const SolveOptions&,
                                       ThreadPool&);

SolverResult solve_by_interior_point(const Problem& problem,
                                     PrimalDual start,
                                     const SolveOptions& options,
                                     ThreadPool& pool) {
  return solve_interior_point(problem, std::move(start), options, pool);
}

SolverResult solve_by_active_set(const Problem& problem,
                                 PrimalDual start,
                                 const SolveOptions& options,
                                 ThreadPool& pool) {
  const auto pattern = kkt_pattern_of(problem, 100'000);
  return solve_active_set(problem, pattern.value(), std::move(start), options, pool);
}

SolverResult solve_by_dual_newton(const Problem& problem,
                                  PrimalDual start,
                                  const SolveOptions& options,
                                  ThreadPool& pool) {
  const auto pattern = kkt_pattern_of(problem, 100'000);
  return solve_dual_newton(problem, pattern.value(), std::move(start), options, pool);
}

constexpr std::uint64_t kNumProblems = 400;

struct Method {
  const char* name;
  SolveFunction solve;
  std::uint64_t most_misses = 0;  // of kNumProblems: not certified within its own limit
  bool deterministic = true;      // for a given number of threads
  bool completes_starts = true;   // starts that do not fit the problem
};
void PrintTo(const Method& method, std::ostream* out) { *out << method.name; }

constexpr Method kMethods[] = {
    {"active_set", solve_by_active_set, 250, true, false},  // left to dual_newton soon
    {"admm", solve_admm, 5, true, false},
    {"coordinate_descent", solve_coordinate_descent, 4, true, false},
    {"dual_bcd", solve_dual_bcd},
    {"dual_bcd_lock_free", solve_dual_bcd_lock_free, 0, false},
    {"dual_newton", solve_by_dual_newton, 8, true, false},
    {"gradient", solve_gradient, 5},
    {"interior_point", solve_by_interior_point, 9, true, false},
    {"pdhg", solve_pdhg},
    {"stochastic_gradient", solve_stochastic_gradient, kNumProblems},
};

constexpr double kGap = 1e-6, kViolation = 1e-6;

SolveOptions precise() {
  SolveOptions options;
  options.gap = kGap;
  options.violation = kViolation;
  return options;
}

void expect_within_bounds(const Problem& problem, const PrimalDual& point) {
  ASSERT_EQ(point.x.size(), problem.num_variables);
  ASSERT_EQ(point.multipliers.size(), problem.num_rows());
  ASSERT_EQ(point.group_multipliers.size(), problem.groups.size());
  for (std::size_t i = 0; i < problem.num_variables; ++i) {
    ASSERT_GE(point.x[i], problem.lower[i]);
    ASSERT_LE(point.x[i], problem.upper[i]);
  }
  for (const RowBlock& block : problem.blocks) {
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const Interval domain = domain_of(block.kind, problem.weight[row]);
      ASSERT_TRUE(std::isfinite(point.multipliers[row]));
      ASSERT_GE(point.multipliers[row], domain.low);
      ASSERT_LE(point.multipliers[row], domain.high);
    }
  }
}

// The optimality conditions, as Fenchel gaps: of every row phi(r) + phi*(mu) - mu r, of every
// variable f(x) + g x - min(f(x) + g x). All are 0 at the optimum.
double largest_fenchel_gap(const Problem& problem, const PrimalDual& point) {
  std::vector<double> gradient(problem.num_variables, 0.0);
  double largest = 0.0;
  for (const RowBlock& block : problem.blocks) {
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const auto variables = problem.variables_of(block, row);
      const double w = problem.weight[row], mu = point.multipliers[row];
      double residual = problem.offset[row];
      for (std::size_t k = 0; k < variables.size(); ++k) {
        residual += block.coefficients[k] * point.x[variables[k]];
        gradient[variables[k]] += block.coefficients[k] * mu;
      }
      largest = std::max(largest,
                         std::abs(potential(block.kind, w, residual) +
                                  conjugate(block.kind, w, mu) - mu * residual));
    }
  }
  for (std::size_t g = 0; g < problem.groups.size(); ++g) {
    const Group& group = problem.groups[g];
    for (std::size_t k = 0; k < group.count; ++k) {
      gradient[problem.group_variables[group.first + k]] += point.group_multipliers[g];
    }
  }
  for (std::size_t i = 0; i < problem.num_variables; ++i) {
    const auto segments = problem.folded.of(i);
    const auto value = [&](double x) {
      return segments[segment_at(segments, x)].value(x) + gradient[i] * x;
    };
    std::uint32_t hint = 0;
    const double lowest = value(minimise(segments, problem.upper[i], gradient[i], 0.0, hint).x);
    largest = std::max(largest, value(point.x[i]) - lowest);
  }
  return largest;
}

double sum_of_hard_multipliers(const Problem& problem, const PrimalDual& point) {
  double sum = 0.0;
  for (const RowBlock& block : problem.blocks) {
    if (!is_hard(block.kind)) continue;
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      sum += std::abs(point.multipliers[row]);
    }
  }
  for (const double lambda : point.group_multipliers) sum += std::abs(lambda);
  return sum;
}

class EverySolver : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Solvers, EverySolver, testing::ValuesIn(kMethods), [](const auto& of) {
  return std::string(of.param.name);
});

// What the solver says of its point is so, and optimality is what it says it is.
void expect_honest(const Problem& problem, SolverResult result, ThreadPool& pool) {
  expect_within_bounds(problem, result.point);
  const PrimalDual given = result.point;
  std::vector<double> gradient;
  const Bounds bounds = evaluate(problem, result.point, gradient, pool);
  const double size = std::max({std::abs(bounds.objective), std::abs(bounds.lower_bound), 0.01});
  ASSERT_NEAR(bounds.objective, result.bounds.objective, 1e-9 * size);
  ASSERT_NEAR(bounds.lower_bound, result.bounds.lower_bound, 1e-9 * size);
  ASSERT_NEAR(bounds.violation, result.bounds.violation, 1e-9);
  if (result.status != SolveStatus::kOptimal) return;
  ASSERT_LE(std::abs(relative_gap(bounds.objective, bounds.lower_bound)), kGap * 1.01);
  ASSERT_LE(bounds.violation, kViolation);
  ASSERT_LE(largest_fenchel_gap(problem, given),
            1.01 * kGap * size + 1e-9 + 2.0 * kViolation * sum_of_hard_multipliers(problem, given));
}

TEST_P(EverySolver, ClosesTheGapOnRandomProblems) {
  ThreadPool pool(1);
  const Method& method = GetParam();
  std::vector<std::uint64_t> missed;
  for (std::uint64_t seed = 0; seed < kNumProblems; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Problem problem = random_problem(seed).problem;
    const SolverResult result = method.solve(problem, cold_start(problem), precise(), pool);
    if (result.status != SolveStatus::kOptimal) missed.push_back(seed);
    ASSERT_NE(result.status, SolveStatus::kInfeasible);
    expect_honest(problem, result, pool);
    if (HasFatalFailure()) return;
  }
  EXPECT_LE(missed.size(), method.most_misses) << testing::PrintToString(missed);
}

TEST(Solvers, AgreeOnRandomProblems) {
  ThreadPool pool(1);
  for (std::uint64_t seed = 1000; seed < 1100; ++seed) {
    const Problem problem = random_problem(seed).problem;
    std::vector<SolverResult> results;
    for (const Method& method : kMethods) {
      results.push_back(method.solve(problem, cold_start(problem), precise(), pool));
    }
    for (const SolverResult& one : results) {
      for (const SolverResult& other : results) {
        // A state that violates a little may lie below the bound by as much as that is worth.
        const double slack =
            1e-9 + one.bounds.violation * sum_of_hard_multipliers(problem, other.point);
        EXPECT_LE(other.bounds.lower_bound, one.bounds.objective + slack) << "seed " << seed;
      }
    }
  }
}

TEST_P(EverySolver, RepeatsItselfForAGivenNumberOfThreads) {
  const Method& method = GetParam();
  if (!method.deterministic) GTEST_SKIP() << "threads race by design";
  for (const unsigned threads : {1U, 3U}) {
    ThreadPool pool(threads);
    for (std::uint64_t seed = 2000; seed < 2010; ++seed) {
      const Problem problem = random_problem(seed).problem;
      SolverResult first = method.solve(problem, cold_start(problem), precise(), pool);
      SolverResult second = method.solve(problem, cold_start(problem), precise(), pool);
      EXPECT_EQ(first.iterations, second.iterations);
      EXPECT_EQ(first.point.x, second.point.x);
      EXPECT_EQ(first.point.multipliers, second.point.multipliers);
    }
  }
}

TEST_P(EverySolver, EndsOnInfeasibleProblems) {
  ThreadPool pool(1);
  const Method& method = GetParam();
  std::size_t num_proven = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomProblem random = random_problem(seed);
    if (random.problem.num_variables < 2) continue;
    const Problem problem = made_infeasible(random.problem);
    SolveOptions options = precise();
    options.max_iterations = 2000;
    const SolverResult result = method.solve(problem, cold_start(problem), options, pool);
    EXPECT_NE(result.status, SolveStatus::kOptimal);
    num_proven += result.status == SolveStatus::kInfeasible;
    expect_within_bounds(problem, result.point);
  }
  RecordProperty("proven", static_cast<int>(num_proven));
}

TEST_P(EverySolver, EndsWhereTheToleranceCannotBeReached) {
  ThreadPool pool(1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem problem = random_problem(seed).problem;
    SolveOptions options;
    options.gap = 0.0;
    options.violation = 0.0;
    options.max_iterations = 300;
    const SolverResult result = GetParam().solve(problem, cold_start(problem), options, pool);
    EXPECT_LE(result.iterations, 300U);
    expect_within_bounds(problem, result.point);
  }
}

TEST_P(EverySolver, StopsAtOnceWhenAsked) {
  ThreadPool pool(1);
  const Problem problem = random_problem(11).problem;
  std::stop_source source;
  source.request_stop();
  SolveOptions options;
  options.gap = -1.0;
  options.stop = source.get_token();
  const SolverResult result = GetParam().solve(problem, cold_start(problem), options, pool);
  EXPECT_EQ(result.status, SolveStatus::kInterrupted);
  expect_within_bounds(problem, result.point);
}

TEST_P(EverySolver, TakesAnyStart) {
  ThreadPool pool(1);
  const Method& method = GetParam();
  if (!method.completes_starts) GTEST_SKIP() << "presolve gives starts that fit";
  const Problem problem = random_problem(12).problem;
  ASSERT_GT(problem.num_rows(), 3U);
  PrimalDual wild;
  wild.x.assign(problem.num_variables, 7.0);
  wild.x[0] = std::nan("");
  wild.multipliers.assign(problem.num_rows() - 2, -3.0);
  const SolverResult result = method.solve(problem, wild, precise(), pool);
  expect_within_bounds(problem, result.point);
  if (method.most_misses == kNumProblems) return;  // it seldom closes a gap so far
  EXPECT_EQ(result.status, SolveStatus::kOptimal);
  const SolverResult again = method.solve(problem, result.point, precise(), pool);
  EXPECT_EQ(again.status, SolveStatus::kOptimal);
  EXPECT_LE(again.iterations, result.iterations);
}

TEST(StochasticGradient, IsRoughlyOptimalWithoutHardRows) {
  ThreadPool pool(1);
  const RandomShape shape{.num_variables = 12, .num_rows = 20, .num_groups = 0, .hard_rows = false};
  std::vector<double> errors;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Problem problem = random_problem(seed, shape).problem;
    const SolverResult rough =
        solve_stochastic_gradient(problem, cold_start(problem), precise(), pool);
    const SolverResult exact = solve_pdhg(problem, cold_start(problem), precise(), pool);
    errors.push_back(relative_gap(rough.bounds.objective, exact.bounds.objective));
  }
  std::sort(errors.begin(), errors.end());
  EXPECT_LE(errors[150], 0.01);
  EXPECT_LE(errors[270], 0.1);
}

TEST_P(EverySolver, SolvesTheEmptyProblem) {
  ThreadPool pool(2);
  Problem problem;
  problem.folded.begin.push_back(0);
  const SolverResult result = GetParam().solve(problem, {}, {}, pool);
  EXPECT_EQ(result.status, SolveStatus::kOptimal);
  EXPECT_EQ(result.bounds.objective, 0.0);
}

}  // namespace
}  // namespace sorites
