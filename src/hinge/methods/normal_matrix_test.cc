#include "hinge/methods/normal_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

namespace sorites {
namespace {

bool go_on() { return false; }

// C + A'DA of random rows.
struct RandomMatrix {
  SparseRows rows;
  std::vector<double> diagonal, scale;
  Eigen::MatrixXd dense;

  RandomMatrix(std::size_t size, std::size_t num_rows, std::mt19937_64& random) {
    std::uniform_real_distribution<double> number(0.1, 2.0);
    std::uniform_int_distribution<std::uint32_t> variable(0, static_cast<std::uint32_t>(size) - 1);
    dense = Eigen::MatrixXd::Zero(static_cast<int>(size), static_cast<int>(size));
    for (std::size_t i = 0; i < size; ++i) {
      diagonal.push_back(number(random));
      dense(static_cast<int>(i), static_cast<int>(i)) = diagonal.back();
    }
    for (std::size_t r = 0; r < num_rows; ++r) {
      std::vector<std::uint32_t> row(1 + random() % 4);
      std::vector<double> a(row.size());
      Eigen::VectorXd whole = Eigen::VectorXd::Zero(static_cast<int>(size));
      for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] = variable(random);  // perhaps twice
        a[j] = number(random) - 1.0;
        whole[static_cast<int>(row[j])] += a[j];
      }
      rows.add(row, a);
      scale.push_back(number(random));
      dense += scale.back() * whole * whole.transpose();
    }
  }
};

// A row that is so much heavier than the rest that nothing of the second pivot is left: so is every
// interior point shortly before the optimum.
TEST(NormalMatrix, FactorisesWhereRoundingLeavesNothingOfAPivot) {
  SparseRows rows;
  rows.add(std::vector<std::uint32_t>{0, 1}, std::vector<double>{1.0, 1.0});
  auto matrix = NormalMatrix::make(2, rows, 100, go_on);
  ASSERT_TRUE(matrix.has_value());
  ASSERT_TRUE(matrix->factorise(std::vector<double>{1e-3, 1e-3}, std::vector<double>{1e20}, go_on));
  std::vector<double> x;
  matrix->solve(std::vector<double>{1e20, 1e20}, x);
  EXPECT_NEAR(x[0] + x[1], 1.0, 1e-6);
}

TEST(NormalMatrix, FactorisesNothing) {
  const SparseRows rows;
  auto matrix = NormalMatrix::make(0, rows, 100, go_on);
  ASSERT_TRUE(matrix.has_value());
  ASSERT_TRUE(matrix->factorise({}, {}, go_on));
  std::vector<double> x;
  matrix->solve({}, x);
  EXPECT_TRUE(x.empty());
}

TEST(NormalMatrix, SolvesWhatADenseFactorisationSolves) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t size = 1 + random() % 30;
    const RandomMatrix wanted(size, random() % 60, random);
    auto matrix = NormalMatrix::make(size, wanted.rows, 1000, go_on);
    ASSERT_TRUE(matrix.has_value());
    for (int again = 0; again < 2; ++again) {  // the second one finds what the first one left
      ASSERT_TRUE(matrix->factorise(wanted.diagonal, wanted.scale, go_on));
    }
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(static_cast<int>(size), -1.0, 2.0);
    const Eigen::VectorXd expected = wanted.dense.ldlt().solve(right);
    std::vector<double> x;
    matrix->solve({right.data(), size}, x);
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(x[i], expected[static_cast<int>(i)], 1e-9);
  }
}

TEST(NormalMatrix, IsNotMadeIfTheFactorIsTooLarge) {
  SparseRows rows;
  rows.add(std::vector<std::uint32_t>{0, 1, 2}, std::vector<double>{1.0, 1.0, 1.0});
  EXPECT_TRUE(NormalMatrix::make(3, rows, 6, go_on).has_value());
  EXPECT_FALSE(NormalMatrix::make(3, rows, 5, go_on).has_value());
}

// A dense matrix of 600 rows takes 36 million products, of which the first look comes after ten.
TEST(NormalMatrix, AsksInTheMiddleOfAFactorisationWhetherToGoOn) {
  constexpr std::uint32_t kSize = 600;
  SparseRows rows;
  std::vector<std::uint32_t> all(kSize);
  for (std::uint32_t i = 0; i < kSize; ++i) all[i] = i;
  rows.add(all, std::vector<double>(kSize, 1.0));
  auto matrix = NormalMatrix::make(kSize, rows, kSize * kSize, go_on);
  ASSERT_TRUE(matrix.has_value());
  const std::vector<double> diagonal(kSize, 1.0), scale{1.0};
  int looks = 0;
  EXPECT_TRUE(matrix->factorise(diagonal, scale, [&] { return ++looks > 1000; }));
  EXPECT_GT(looks, 1);
  EXPECT_FALSE(matrix->factorise(diagonal, scale, [] { return true; }));
  EXPECT_TRUE(matrix->factorise(diagonal, scale, go_on)) << "after one that was given up";
}

TEST(NormalMatrix, IsNotMadeIfThereIsNoTime) {
  SparseRows rows;
  rows.add(std::vector<std::uint32_t>{0, 1}, std::vector<double>{1.0, 1.0});
  EXPECT_FALSE(NormalMatrix::make(2, rows, 100, [] { return true; }).has_value());
}

}  // namespace
}  // namespace sorites
