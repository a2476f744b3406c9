// Factorisations of active sets against dense ones.
#include "hinge/problem/kkt_factor.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "hinge/problem/random_problem.h"

namespace sorites {
namespace {

Eigen::MatrixXd dense_matrix(const KktPattern& pattern,
                             const std::vector<double>& diagonal,
                             const std::vector<char>& takes_part) {
  const auto size = static_cast<Eigen::Index>(pattern.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(size, size);
  for (std::size_t u = 0; u < pattern.size(); ++u) {
    const auto at = static_cast<Eigen::Index>(u);
    if (takes_part[u] != 0) matrix(at, at) = diagonal[u];
  }
  for (const KktPattern::Entry& entry : pattern.entries) {
    if (takes_part[entry.variable] == 0 || takes_part[entry.row] == 0) continue;
    matrix(entry.variable, entry.row) += entry.coefficient;
    matrix(entry.row, entry.variable) += entry.coefficient;
  }
  return matrix;
}

TEST(KktFactor, SolvesTheSystemsOfAllActiveSets) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = random_problem(seed).problem;
    const KktPattern pattern = kkt_pattern_of(problem, 100'000).value();
    KktFactor factor(pattern);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0.1, 2.0);
    for (int round = 0; round < 5; ++round) {  // with the same memory
      std::vector<double> diagonal, right;
      std::vector<char> takes_part;
      for (std::size_t u = 0; u < pattern.size(); ++u) {
        diagonal.push_back(u < problem.num_variables ? uniform(random) : -uniform(random));
        takes_part.push_back(random() % 3 == 0 ? 0 : 1);
        right.push_back(uniform(random) - 1.0);
      }
      factor.factorise(diagonal, takes_part);
      for (int again = 0; again < 2; ++again) {
        std::vector<double> solution = right;
        factor.solve(solution);
        const Eigen::VectorXd residual =
            dense_matrix(pattern, diagonal, takes_part) *
                Eigen::Map<const Eigen::VectorXd>(solution.data(), solution.size()) -
            Eigen::Map<const Eigen::VectorXd>(right.data(), right.size());
        EXPECT_LE(pattern.size() > 0 ? residual.cwiseAbs().maxCoeff() : 0.0, 1e-9);
      }
    }
  }
}

TEST(KktFactor, RefusesWhatWouldFillTooMuch) {
  RandomShape shape;
  shape.num_variables = 60;
  shape.num_rows = 200;
  const Problem problem = random_problem(1, shape).problem;
  EXPECT_TRUE(kkt_pattern_of(problem, 100'000).has_value());
  EXPECT_FALSE(kkt_pattern_of(problem, problem.variables.size() + 10).has_value());
}

}  // namespace
}  // namespace sorites
