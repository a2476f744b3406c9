#include "learn/gaussian_process.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace sorites {
namespace {

// Textbook equations with an explicit inverse, in one dimension: Rasmussen and Williams, (2.25) and
// (2.26).
TEST(GaussianProcess, PredictsAsTheTextbookSays) {
  constexpr double kLength = 0.7, kNoise = 1e-6;
  const std::vector<double> at = {0.0, 0.5, 1.2, 2.0, -1.0}, value = {1.0, 0.2, -0.4, 0.9, 2.0};
  GaussianProcess process(1, kLength);
  for (std::size_t i = 0; i < at.size(); ++i) process.observe({&at[i], 1}, value[i]);

  const auto kernel = [&](double x, double y) {
    return std::exp(-(x - y) * (x - y) / (2 * kLength * kLength));
  };
  const double mean = std::accumulate(value.begin(), value.end(), 0.0) / 5;
  Eigen::VectorXd values(5);
  double variance_of_values = 0.0;
  for (int i = 0; i < 5; ++i) {
    values[i] = value[std::size_t(i)] - mean;
    variance_of_values += values[i] * values[i] / 5;
  }
  const double deviation = std::sqrt(variance_of_values);
  Eigen::MatrixXd matrix(5, 5);
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      matrix(i, j) = kernel(at[std::size_t(i)], at[std::size_t(j)]) + (i == j ? kNoise : 0.0);
    }
  }
  const Eigen::MatrixXd inverse = matrix.inverse();
  Eigen::MatrixXd points(1, 3);
  points << 0.3, 1.2, 50.0;
  const GaussianProcess::Prediction got = process.predict(points);
  for (int p = 0; p < 3; ++p) {
    Eigen::VectorXd k(5);
    for (int i = 0; i < 5; ++i) k[i] = kernel(at[std::size_t(i)], points(0, p));
    const double textbook_mean = mean + k.dot(inverse * values);
    const double variance = 1.0 - k.dot(inverse * k);
    EXPECT_NEAR(got.mean[p], textbook_mean, 1e-9);
    EXPECT_NEAR(got.deviation[p], deviation * std::sqrt(std::max(0.0, variance)), 1e-6);
  }
  EXPECT_NEAR(got.mean[1], -0.4, 1e-4);  // at an observation: its value, and certain
  EXPECT_NEAR(got.mean[2], mean, 1e-9);  // far away: the prior
  EXPECT_NEAR(got.deviation[2], deviation, 1e-9);
}

TEST(GaussianProcess, KnowsNothingWithoutObservations) {
  const auto got = GaussianProcess(2, 1.0).predict(Eigen::MatrixXd::Random(2, 4));
  EXPECT_TRUE(got.mean.isZero());
  EXPECT_TRUE(got.deviation.isOnes());
}

TEST(GaussianProcess, StandsTheSamePointManyTimesAndValuesThatAreNotFinite) {
  GaussianProcess process(2, 1.0);
  const std::vector<double> point = {0.3, 0.4}, other = {2.0, 0.1};
  for (int i = 0; i < 40; ++i) process.observe(point, 1.0);
  process.observe(other, INFINITY);
  Eigen::MatrixXd points(2, 2);
  points << 0.3, 2.0, 0.4, 0.1;
  const auto got = process.predict(points);
  EXPECT_TRUE(got.mean.allFinite());
  EXPECT_NEAR(got.mean[0], 1.0, 1e-3);
  EXPECT_NEAR(got.mean[1], 1.0, 1e-3);  // the worst of the others
}

}  // namespace
}  // namespace sorites
