#include "learn/weight_sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace sorites {
namespace {

WeightSampler sampler_of(const SearchOptions& options,
                         WeightDomain domain = WeightDomain::kMirrorSimplex,
                         std::vector<double> start = {0.5, 0.3, 0.2}) {
  return WeightSampler(start, options, domain, 7);
}

// A weight of a Dirichlet distribution of n equal parameters a: mean 1/n, variance
// (n - 1) / (n^2 (n a + 1)); two of them: covariance -1 / (n^2 (n a + 1)).
TEST(WeightSampler, HasTheMomentsOfADirichletDistribution) {
  for (const double alpha : {0.2, 1.0, 5.0}) {
    WeightSampler sampler = sampler_of({.dirichlet_alpha = alpha});
    constexpr int kDraws = 40000;
    double mean = 0, square = 0, product = 0;
    for (int i = 0; i < kDraws; ++i) {
      const std::vector<double> weights = sampler.draw();
      ASSERT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-12);
      mean += weights[0] / kDraws;
      square += weights[0] * weights[0] / kDraws;
      product += weights[0] * weights[1] / kDraws;
    }
    EXPECT_NEAR(mean, 1.0 / 3, 0.01);
    EXPECT_NEAR(square - mean * mean, 2.0 / (9 * (3 * alpha + 1)), 0.005) << alpha;
    EXPECT_NEAR(product - 1.0 / 9, -1.0 / (9 * (3 * alpha + 1)), 0.005) << alpha;
  }
}

TEST(WeightSampler, DrawsFiniteWeightsForTinyParameters) {
  WeightSampler sampler = sampler_of({.dirichlet_alpha = 1e-6});
  for (int i = 0; i < 1000; ++i) {
    const std::vector<double> weights = sampler.draw();
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-12);
  }
}

TEST(WeightSampler, KeepsTheSumOfTheStartWhereThereIsNoSimplex) {
  WeightSampler sampler = sampler_of({}, WeightDomain::kNonNegative, {4, 5});
  const std::vector<double> weights = sampler.draw();
  EXPECT_NEAR(weights[0] + weights[1], 9.0, 1e-12);
}

TEST(WeightSampler, DrawsEachAloneOverTheRangeOfTheGrid) {
  WeightSampler sampler =
      sampler_of({.grid = {10, 0, 0.1}, .dirichlet = false}, WeightDomain::kNonNegative);
  double mean = 0.0, least = INFINITY, most = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const double weight = sampler.draw()[0];
    mean += std::log10(weight) / 10000;
    least = std::min(least, weight);
    most = std::max(most, weight);
  }
  EXPECT_NEAR(mean, 0.0, 0.03);
  EXPECT_GE(least, 0.1);
  EXPECT_LE(most, 10.0);
  EXPECT_LT(least, 0.11);
  EXPECT_GT(most, 9.0);
}

TEST(WeightSampler, DrawsNearAPointAsFarAsTheSpreadSays) {
  WeightSampler sampler = sampler_of({}, WeightDomain::kNonNegative);
  const std::vector<double> point = {2.0, 0.0};
  double square = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const std::vector<double> weights = sampler.draw_near(point, 0.3);
    square += std::pow(std::log(weights[0] / 2.0), 2) / 10000;
    EXPECT_EQ(weights[1], 0.0);
  }
  EXPECT_NEAR(square, 0.09, 0.005);
}

TEST(WeightSampler, DrawsEveryNumberBelowTheEndAsOften) {
  WeightSampler sampler = sampler_of({});
  std::vector<int> count(5, 0);
  for (int i = 0; i < 50000; ++i) ++count[sampler.below(5)];
  for (const int times : count) EXPECT_NEAR(times, 10000, 400);
}

}  // namespace
}  // namespace sorites
