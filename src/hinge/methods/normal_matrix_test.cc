#include "hinge/methods/normal_matrix.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sorites {
namespace {

// A row that is so much heavier than the rest that nothing of the second pivot is left: so is every
// interior point shortly before the optimum.
TEST(NormalMatrix, FactorisesWhereRoundingLeavesNothingOfAPivot) {
  SparseRows rows;
  rows.add(std::vector<std::uint32_t>{0, 1}, std::vector<double>{1.0, 1.0});
  auto matrix = NormalMatrix::make(2, rows, 100);
  ASSERT_TRUE(matrix.has_value());
  ASSERT_TRUE(matrix->factorise(std::vector<double>{1e-3, 1e-3}, std::vector<double>{1e20}));
  std::vector<double> x;
  matrix->solve(std::vector<double>{1e20, 1e20}, x);
  EXPECT_NEAR(x[0] + x[1], 1.0, 1e-6);
}

TEST(NormalMatrix, FactorisesNothing) {
  const SparseRows rows;
  auto matrix = NormalMatrix::make(0, rows, 100);
  ASSERT_TRUE(matrix.has_value());
  ASSERT_TRUE(matrix->factorise({}, {}));
  std::vector<double> x;
  matrix->solve({}, x);
  EXPECT_TRUE(x.empty());
}

}  // namespace
}  // namespace sorites
