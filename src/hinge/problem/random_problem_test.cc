#include "hinge/problem/random_problem.h"

#include <gtest/gtest.h>

#include "hinge/problem/solver.h"

namespace sorites {
namespace {

TEST(RandomProblem, HasAFeasiblePointAndConvexFunctions) {
  ThreadPool pool(1);
  std::size_t kinds[4] = {}, groups = 0, kinked = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const RandomProblem random = random_problem(seed);
    const Problem& problem = random.problem;
    PrimalDual point = cold_start(problem);
    point.x = random.feasible;
    std::vector<double> gradient;
    ASSERT_LE(evaluate(problem, point, gradient, pool).violation, 1e-12) << "seed " << seed;
    for (std::size_t i = 0; i < problem.num_variables; ++i) {
      const auto segments = problem.folded.of(i);
      ASSERT_EQ(segments.front().start, problem.lower[i]);
      kinked += segments.size() > 1;
      for (std::size_t k = 0; k + 1 < segments.size(); ++k) {
        const double at = segments[k + 1].start;
        ASSERT_LT(at, problem.upper[i]);
        ASSERT_NEAR(segments[k].value(at), segments[k + 1].value(at), 1e-12);
        ASSERT_LE(segments[k].derivative(at), segments[k + 1].derivative(at) + 1e-12);
      }
    }
    for (const RowBlock& block : problem.blocks) {
      kinds[static_cast<std::size_t>(block.kind)] += block.num_rows;
    }
    groups += problem.groups.size();
  }
  for (const std::size_t count : kinds) EXPECT_GT(count, 200u);
  EXPECT_GT(groups, 200u);
  EXPECT_GT(kinked, 500u);
}

}  // namespace
}  // namespace sorites
