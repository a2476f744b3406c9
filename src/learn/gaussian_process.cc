#include "learn/gaussian_process.h"

#include <algorithm>
#include <cmath>

namespace sorites {
namespace {

constexpr double kNoise = 1e-6;  // of an observation, as a part of the variance: for the factor

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

GaussianProcess::GaussianProcess(std::size_t num_dimensions, double length)
    : inverse_scale_(0.5 / (length * length * static_cast<double>(num_dimensions))),
      points_(index(num_dimensions), 0) {}

Eigen::MatrixXd GaussianProcess::kernel(const Eigen::MatrixXd& points) const {
  const auto seen = points_.leftCols(index(num_observations()));
  Eigen::MatrixXd result(seen.cols(), points.cols());
  for (Eigen::Index j = 0; j < points.cols(); ++j) {
    result.col(j) = (seen.colwise() - points.col(j)).colwise().squaredNorm().transpose();
  }
  return (-inverse_scale_ * result.array()).exp();
}

void GaussianProcess::observe(std::span<const double> point, double value) {
  const Eigen::Index n = index(num_observations());
  if (n == points_.cols()) {
    const Eigen::Index room = std::max<Eigen::Index>(16, 2 * n);
    points_.conservativeResize(Eigen::NoChange, room);
    cholesky_.conservativeResize(room, room);
  }
  const Eigen::Map<const Eigen::VectorXd> added(point.data(), index(point.size()));
  // [L 0; l' d] is the factor of the larger matrix if L l = k and d^2 = k(x, x) - l'l.
  Eigen::VectorXd row = kernel(added);
  cholesky_.topLeftCorner(n, n).triangularView<Eigen::Lower>().solveInPlace(row);
  cholesky_.row(n).head(n) = row;
  cholesky_(n, n) = std::sqrt(std::max(1.0 + kNoise - row.squaredNorm(), kNoise));
  points_.col(n) = added;
  values_.push_back(value);
}

Eigen::VectorXd GaussianProcess::standardised_values(double& mean, double& deviation) const {
  double worst = 0.0;
  bool any = false;
  for (const double value : values_) {
    if (!std::isfinite(value)) continue;
    worst = any ? std::max(worst, value) : value;
    any = true;
  }
  Eigen::VectorXd values(index(values_.size()));
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values[index(i)] = std::isfinite(values_[i]) ? values_[i] : worst;
  }
  mean = values.mean();
  const double variance = (values.array() - mean).square().mean();
  deviation = variance > 0.0 ? std::sqrt(variance) : 1.0;
  return (values.array() - mean) / deviation;
}

GaussianProcess::Prediction GaussianProcess::predict(const Eigen::MatrixXd& points) const {
  const Eigen::Index n = index(num_observations());
  if (n == 0) {
    return {Eigen::VectorXd::Zero(points.cols()), Eigen::VectorXd::Ones(points.cols())};
  }
  double mean = 0.0, deviation = 1.0;
  Eigen::VectorXd values = standardised_values(mean, deviation);
  const auto factor = cholesky_.topLeftCorner(n, n).triangularView<Eigen::Lower>();
  Eigen::MatrixXd explained = kernel(points);
  factor.solveInPlace(values);
  factor.solveInPlace(explained);
  Prediction prediction;
  prediction.mean = (explained.transpose() * values).array() * deviation + mean;
  prediction.deviation =
      (1.0 - explained.colwise().squaredNorm().array()).max(0.0).sqrt().transpose() * deviation;
  return prediction;
}

}  // namespace sorites
