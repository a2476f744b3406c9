#include "hinge/problem/component_problem.h"

#include <gtest/gtest.h>

#include <random>

#include "base/thread_pool.h"
#include "hinge/problem/random_problem.h"

namespace sorites {
namespace {

// Any values of the variables and multipliers that are allowed.
PrimalDual random_point(const Problem& problem, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  PrimalDual point = cold_start(problem);
  for (std::size_t i = 0; i < problem.num_variables; ++i) {
    const double lower = problem.folded.of(i).front().start;
    point.x[i] = lower + unit(random) * (problem.upper[i] - lower);
  }
  for (const RowBlock& block : problem.blocks) {
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const double largest = block.kind == TermKind::kHinge ? problem.weight[row] : 1.0;
      point.multipliers[row] = unit(random) * largest;
    }
  }
  return point;
}

TEST(BoundsOfComponents, AreInSumThoseOfTheWhole) {
  ThreadPool pool(2);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = random_problem(seed).problem;
    const Components components = components_of(problem);
    PrimalDual point = random_point(problem, seed);
    std::vector<double> gradient;
    const Bounds whole = evaluate(problem, point, gradient, pool);
    Bounds sum{problem.constant, problem.constant, 0.0};
    for (const ComponentBounds& part :
         bounds_by_component(problem, components.of_variable, components.count(), point, pool)) {
      sum.objective += part.objective;
      sum.lower_bound += part.lower_bound;
      sum.violation = std::max(sum.violation, part.violation);
    }
    EXPECT_NEAR(sum.objective, whole.objective, 1e-9 * (1.0 + std::abs(whole.objective)));
    EXPECT_NEAR(sum.lower_bound, whole.lower_bound, 1e-9 * (1.0 + std::abs(whole.lower_bound)));
    EXPECT_NEAR(sum.violation, whole.violation, 1e-12);
  }
}

TEST(BoundsOfComponents, OfMarkedOnesAreTheSame) {
  ThreadPool pool(2);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = random_problem(seed).problem;
    const Components components = components_of(problem);
    PrimalDual point = random_point(problem, seed);
    const auto all =
        bounds_by_component(problem, components.of_variable, components.count(), point, pool);
    std::mt19937_64 random(seed);
    std::vector<bool> marked(components.count());
    for (std::size_t c = 0; c < marked.size(); ++c) marked[c] = random() % 2 == 0;
    const auto some = bounds_of_marked(problem, components.of_variable, marked, point);
    for (std::size_t c = 0; c < marked.size(); ++c) {
      const ComponentBounds expected = marked[c] ? all[c] : ComponentBounds{};
      EXPECT_DOUBLE_EQ(some[c].objective, expected.objective);
      EXPECT_NEAR(some[c].lower_bound, expected.lower_bound, 1e-12);
      EXPECT_DOUBLE_EQ(some[c].violation, expected.violation);
      EXPECT_NEAR(some[c].rounding, expected.rounding, 1e-20);
    }
  }
}

// However hard rows are broken.
TEST(BoundsOfComponents, NoneIsFurtherOffThanTheWholeAndWhatHardRowsHide) {
  ThreadPool pool(2);
  std::size_t hidden_counts = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = random_problem(seed).problem;
    const Components components = components_of(problem);
    PrimalDual point = random_point(problem, seed);
    std::vector<double> gradient;
    const Bounds whole = evaluate(problem, point, gradient, pool);
    const double error = std::abs(whole.objective - whole.lower_bound);
    const double hidden = hidden_by_hard_rows(problem, point);
    for (const ComponentBounds& part :
         bounds_by_component(problem, components.of_variable, components.count(), point, pool)) {
      EXPECT_LE(part.error(), (error + hidden) * (1.0 + 1e-9) + 1e-9);
      hidden_counts += part.error() > error + 1e-9;
    }
  }
  EXPECT_GT(hidden_counts, 0U);  // it is needed
}

}  // namespace
}  // namespace sorites
