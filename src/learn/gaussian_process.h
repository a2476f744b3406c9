// Regression by a Gaussian process: what the values at some points say of the value at another.
//
// C. E. Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine Learning", 2006, algorithm
// 2.1. The Cholesky factor of the kernel matrix grows by a row with every observation: adding one
// costs n^2, not n^3.
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <span>
#include <vector>

namespace sorites {

class GaussianProcess {
 public:
  struct Prediction {
    Eigen::VectorXd mean, deviation;  // per point
  };

  // The kernel is exp(-|x - y|^2 / (2 length^2 d)) in d dimensions: the length is one per
  // coordinate, whatever their number.
  GaussianProcess(std::size_t num_dimensions, double length);

  // Values that are not finite count as the worst of the others.
  void observe(std::span<const double> point, double value);
  std::size_t num_observations() const { return values_.size(); }

  // Of the value at the points, which are columns. Without observations: 0 and 1. The scale of the
  // values is taken from the observations: the prior has their mean and their deviation.
  Prediction predict(const Eigen::MatrixXd& points) const;

 private:
  Eigen::MatrixXd kernel(const Eigen::MatrixXd& points) const;  // observations x points
  Eigen::VectorXd standardised_values(double& mean, double& deviation) const;

  double inverse_scale_;
  Eigen::MatrixXd points_;    // a column per observation; more are allocated than used
  Eigen::MatrixXd cholesky_;  // lower triangle
  std::vector<double> values_;
};

}  // namespace sorites
