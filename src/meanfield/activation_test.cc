#include "meanfield/activation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace sorites {
namespace {

template <class Real>
double tolerance() {
  return sizeof(Real) == 4 ? 4e-7 : 1e-14;  // relative
}

template <class Real>
class Activation : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Activation, Reals);

template <class Real>
std::vector<Real> sigmoid_of(const std::vector<Real>& x, unsigned threads = 1) {
  ThreadPool pool(threads);
  std::vector<Real> p(x.size());
  sigmoid<Real>(x, p, pool);
  return p;
}

TYPED_TEST(Activation, SigmoidIsRightToTheLastDigits) {
  const double largest = sizeof(TypeParam) == 4 ? 87.0 : 708.0;
  std::vector<TypeParam> x;
  for (int i = -20'000; i <= 20'000; ++i) x.push_back(static_cast<TypeParam>(largest * i / 20'000));
  for (int i = -1000; i <= 1000; ++i) x.push_back(static_cast<TypeParam>(i * 1e-3));
  const auto p = sigmoid_of(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double expected = 1.0L / (1.0L + std::exp(-static_cast<long double>(x[i])));
    const auto error = static_cast<double>(std::abs(p[i] - expected) / expected);
    ASSERT_LE(error, tolerance<TypeParam>()) << x[i];
  }
}

TYPED_TEST(Activation, SigmoidOfWhatIsTooLarge) {
  const TypeParam infinity = std::numeric_limits<TypeParam>::infinity();
  const auto p =
      sigmoid_of<TypeParam>({TypeParam{-1e30F}, -infinity, TypeParam{1e30F}, infinity, 0});
  EXPECT_GE(p[0], TypeParam{0});
  EXPECT_LE(p[0], 3 * std::numeric_limits<TypeParam>::min());
  EXPECT_EQ(p[0], p[1]);
  EXPECT_EQ(p[2], TypeParam{1});
  EXPECT_EQ(p[3], TypeParam{1});
  EXPECT_EQ(p[4], TypeParam{0.5});
  EXPECT_TRUE(std::isnan(sigmoid_of<TypeParam>({std::nan("")})[0]));
  EXPECT_TRUE(sigmoid_of<TypeParam>({}).empty());
}

TYPED_TEST(Activation, DoesNotDependOnThreadsOrPlace) {
  std::mt19937 random(1);
  std::normal_distribution<TypeParam> normal(0, 5);
  std::vector<TypeParam> x(100'001);
  for (TypeParam& value : x) value = normal(random);
  const auto p = sigmoid_of(x);
  EXPECT_EQ(p, sigmoid_of(x, 3));
  ThreadPool alone(1), pool(3);
  auto in_place = x;
  sigmoid<TypeParam>(in_place, in_place, pool);
  EXPECT_EQ(p, in_place);

  x.resize(99'999);
  std::vector<TypeParam> few(x.size()), many(x.size());
  softmax<TypeParam>(x, 3, few, alone);
  softmax<TypeParam>(x, 3, many, pool);
  EXPECT_EQ(few, many);
  softmax<TypeParam>(x, 3, x, pool);
  EXPECT_EQ(few, x);
}

TYPED_TEST(Activation, SoftmaxIsRight) {
  std::mt19937 random(2);
  std::normal_distribution<TypeParam> normal(0, 10);
  ThreadPool pool(2);
  for (const std::size_t classes : {1U, 2U, 7U}) {
    const std::size_t atoms = 1003;
    std::vector<TypeParam> x(classes * atoms), p(x.size());
    for (TypeParam& value : x) value = normal(random) + TypeParam{500};
    softmax<TypeParam>(x, classes, p, pool);
    for (std::size_t i = 0; i < atoms; ++i) {
      long double sum = 0.0L;
      for (std::size_t c = 0; c < classes; ++c) {
        sum += std::exp(static_cast<long double>(x[c * atoms + i]) - 500.0L);
      }
      for (std::size_t c = 0; c < classes; ++c) {
        const long double e = std::exp(static_cast<long double>(x[c * atoms + i]) - 500.0L) / sum;
        ASSERT_NEAR(static_cast<double>(p[c * atoms + i] / e), 1.0, 3 * tolerance<TypeParam>());
      }
    }
  }
}

TYPED_TEST(Activation, SoftmaxOfWhatIsTooLarge) {
  ThreadPool pool(1);
  const TypeParam infinity = std::numeric_limits<TypeParam>::infinity();
  const TypeParam most = std::numeric_limits<TypeParam>::max();
  const std::vector<TypeParam> x{most, infinity, -infinity, 0, -most, 0, -infinity, -infinity};
  std::vector<TypeParam> p(x.size());
  softmax<TypeParam>(x, 2, p, pool);
  const std::vector<TypeParam> expected{1, 1, 0.5, 1, 0, 0, 0.5, 0};
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], expected[i], 1e-6) << i;
  softmax<TypeParam>({}, 3, {}, pool);
}

}  // namespace
}  // namespace sorites
