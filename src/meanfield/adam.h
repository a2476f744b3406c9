// Steps of Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015, algorithm 1).
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace sorites {

template <class Real>
class Adam {
 public:
  void step(std::span<Real> values, std::span<const Real> gradient, double length) {
    constexpr double kMean = 0.9, kMeanSquare = 0.999, kTiny = 1e-8;  // the paper's
    mean_.resize(values.size());
    mean_square_.resize(values.size());
    ++num_steps_;
    const double mean_scale = 1.0 / (1.0 - std::pow(kMean, num_steps_));
    const double square_scale = 1.0 / (1.0 - std::pow(kMeanSquare, num_steps_));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto slope = static_cast<double>(gradient[i]);
      mean_[i] = kMean * mean_[i] + (1.0 - kMean) * slope;
      mean_square_[i] = kMeanSquare * mean_square_[i] + (1.0 - kMeanSquare) * slope * slope;
      values[i] -= static_cast<Real>(length * mean_[i] * mean_scale /
                                     (std::sqrt(mean_square_[i] * square_scale) + kTiny));
    }
  }

 private:
  int num_steps_ = 0;
  std::vector<double> mean_, mean_square_;
};

}  // namespace sorites
