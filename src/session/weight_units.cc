#include "session/weight_units.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "base/uniform.h"
#include "learn/learning.h"

namespace sorites {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

}  // namespace

WeightUnits::WeightUnits(const Reasoner& reasoner,
                         const std::vector<bool>& learnable,
                         const LearnSettings& settings)
    : learnable_(learnable),
      on_simplex_(is_simplex(settings.learn.domain)),
      written_(reasoner.weights()) {
  if (settings.plus_start) start_per_constant(reasoner, *settings.plus_start);
  const bool learns = std::find(learnable_.begin(), learnable_.end(), true) != learnable_.end();
  const bool may_be_zero = settings.learn.domain == WeightDomain::kReal && !settings.random_weights;
  if (learns && !may_be_zero && sum_of_learned(written_) == 0.0) {
    for_learned([](double& weight) { weight = 1.0; });  // nothing to start from: all alike
  } else {
    scale_ = reasoner.parameters(written_).weight_scale;
  }
  sum_of_written_ = std::min(sum_of_learned(written_), kLargest);
  if (settings.random_weights && learns) randomize(settings.learn.seed);
  if (settings.start_deviation > 0.0) spread(settings);
}

std::vector<double> WeightUnits::start() const {
  std::vector<double> weights = written_;
  for (double& weight : weights) weight /= scale_;
  return weights;
}

std::vector<double> WeightUnits::as_written(const std::vector<double>& learned) const {
  std::vector<double> weights = written_;
  const double sum = sum_of_learned(learned);
  double factor = on_simplex_ && sum > 0.0 ? sum_of_written_ / sum : scale_;
  // Ratios count: what would be too large for a number takes the others with it.
  double largest = 0.0;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (learnable_[r]) largest = std::max(largest, std::abs(learned[r]));
  }
  if (largest > 0.0 && !(factor <= kLargest / std::max(largest, 1.0))) {
    factor = kLargest / std::max(largest, 1.0);
  }
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (learnable_[r]) weights[r] = learned[r] * factor;
  }
  return weights;
}

template <class Change>
void WeightUnits::for_learned(const Change& change) {
  for (std::size_t r = 0; r < written_.size(); ++r) {
    if (learnable_[r]) change(written_[r]);
  }
}

// Of their sizes: where the sum matters, none is negative.
double WeightUnits::sum_of_learned(const std::vector<double>& weights) const {
  double sum = 0.0;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (learnable_[r]) sum += std::abs(weights[r]);
  }
  return sum;
}

void WeightUnits::start_per_constant(const Reasoner& reasoner, double start) {
  const std::vector<WeightSlot> slots = reasoner.weight_slots();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (learnable_[i] && !slots[i].constants.empty()) written_[i] = start;
  }
}

// Any point of the simplex is as likely as any other; the sum stays.
void WeightUnits::randomize(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for_learned([&](double& weight) {
    weight = -std::log((draw_uniform(random) * kUniformSteps + 1.0) / (kUniformSteps + 1.0));
  });
  const double factor = sum_of_written_ / sum_of_learned(written_);
  for_learned([&](double& weight) { weight *= factor; });
}

// Times normal numbers of mean 1; what would not be positive is drawn again.
void WeightUnits::spread(const LearnSettings& settings) {
  std::mt19937_64 random(settings.learn.seed);
  std::normal_distribution<> normal(1.0, settings.start_deviation);
  for_learned([&](double& weight) {
    double factor = 0.0;
    while (factor <= 0.0) factor = normal(random);
    weight *= factor;
  });
  sum_of_written_ = std::min(sum_of_learned(written_), kLargest);
}

}  // namespace sorites
