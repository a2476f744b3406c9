#include "learn/weight_space.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "learn/adam.h"

namespace sorites {
namespace {

// Where the slopes of logarithms end: a rule with such a part of the weight acts no more.
constexpr double kSmallest = 1e-8;

}  // namespace

WeightSpace::WeightSpace(const LearnOptions& options, const std::vector<bool>& fixed)
    : domain_(options.domain),
      optimizer_(options.optimizer.value_or(options.domain == WeightDomain::kSoftmaxSimplex
                                                ? WeightOptimizer::kAdam
                                                : WeightOptimizer::kPlain)),
      regularizers_(options.regularizers),
      max_gradient_(options.max_gradient),
      max_gradient_norm_(options.max_gradient_norm) {
  for (std::size_t r = 0; r < fixed.size(); ++r) {
    if (!fixed[r]) learned_.push_back(r);
  }
  state_.adam.mean.assign(learned_.size(), 0.0);
  state_.adam.mean_square = state_.adam.mean;
  state_.log_shares.assign(learned_.size(), 1.0);
  const WeightRegularizers& all = regularizers_;
  const bool has_logarithms = all.relative_log + all.negative_log + all.entropy > 0.0;
  if (domain_ == WeightDomain::kReal && has_logarithms) {
    throw std::invalid_argument(
        "learn: a regulariser by logarithms needs weights that are not negative");
  }
}

void WeightSpace::enter(std::vector<double>& weights) {
  const bool may_be_negative = domain_ == WeightDomain::kReal;
  for (const std::size_t r : learned_) {
    if (std::isfinite(weights[r]) && (may_be_negative || weights[r] >= 0.0)) continue;
    throw LearnError("rule " + std::to_string(r + 1) + " has the weight " +
                     std::to_string(weights[r]) + ": learning starts from finite weights" +
                     (may_be_negative ? "" : " that are not negative"));
  }
  if (is_simplex(domain_) && !learned_.empty()) enter_simplex(weights);
  first_weights_ = weights;
}

void WeightSpace::enter_simplex(std::vector<double>& weights) const {
  double largest = 0.0;
  for (const std::size_t r : learned_) largest = std::max(largest, weights[r]);
  if (largest <= 0.0) {
    for (const std::size_t r : learned_) weights[r] = 1.0 / static_cast<double>(learned_.size());
    return;
  }
  const auto sum_of_learned = [&] {
    double sum = 0.0;
    for (const std::size_t r : learned_) sum += weights[r];
    return sum;
  };
  if (!std::isfinite(sum_of_learned())) {  // too large for a number
    for (double& w : weights) w /= largest;
  }
  const double sum = sum_of_learned();
  for (double& w : weights) w /= sum;
}

void WeightSpace::see_loss(double loss, std::span<const double> weights) {
  if (state_.log_unit || learned_.empty()) return;
  const auto count = static_cast<double>(learned_.size());
  state_.log_unit = std::max(loss, 0.0) / count;
  double sum = 0.0;
  for (const std::size_t r : learned_) sum += weights[r];
  if (sum <= 0.0) return;
  for (std::size_t k = 0; k < learned_.size(); ++k) {
    state_.log_shares[k] = count * weights[learned_[k]] / sum;
  }
}

double WeightSpace::regularize(std::span<const double> weights,
                               std::vector<double>& gradient) const {
  const double relative_log = regularizers_.relative_log * state_.log_unit.value_or(0.0);
  double value = 0.0;
  for (std::size_t k = 0; k < learned_.size(); ++k) {
    const std::size_t r = learned_[k];
    const double negative_log = regularizers_.negative_log + relative_log * state_.log_shares[k];
    const double moved = weights[r] - first_weights_[r];
    value += regularizers_.l2 * weights[r] * weights[r] +
             0.5 * regularizers_.pull_to_start * moved * moved;
    gradient[r] += 2.0 * regularizers_.l2 * weights[r] + regularizers_.pull_to_start * moved;
    if (domain_ == WeightDomain::kReal) continue;  // negative weights have no logarithms
    const double w = std::max(weights[r], kSmallest), log = std::log(w);
    value += regularizers_.entropy * w * log - negative_log * log;
    gradient[r] += regularizers_.entropy * (log + 1.0) - negative_log / w;
  }
  return value;
}

double WeightSpace::clip(std::vector<double>& gradient) const {
  std::vector<double> result(gradient.size(), 0.0);
  double largest = 0.0, norm2 = 0.0;
  for (const std::size_t r : learned_) {
    result[r] = gradient[r];
    largest = std::max(largest, std::abs(gradient[r]));
    norm2 += gradient[r] * gradient[r];
  }
  const double norm = std::sqrt(norm2);
  double scale = 1.0;
  if (largest > max_gradient_) scale = max_gradient_ / largest;
  if (norm * scale > max_gradient_norm_) scale = max_gradient_norm_ / norm;
  for (double& g : result) g *= scale;
  gradient = std::move(result);
  return norm;
}

void WeightSpace::step(std::vector<double>& weights,
                       std::span<const double> gradient,
                       double length) {
  if (domain_ == WeightDomain::kSoftmaxSimplex) return softmax_step(weights, gradient, length);
  std::vector<double> slopes;  // per learned weight
  for (const std::size_t r : learned_) slopes.push_back(gradient[r]);
  optimize(slopes);
  if (domain_ == WeightDomain::kMirrorSimplex) return mirror_step(weights, slopes, length);
  const bool is_projected = domain_ == WeightDomain::kProjectedSimplex;
  const bool may_be_negative = is_projected || domain_ == WeightDomain::kReal;
  for (std::size_t k = 0; k < learned_.size(); ++k) {
    double& weight = weights[learned_[k]];
    weight -= length * slopes[k];
    if (!may_be_negative) weight = std::max(0.0, weight);
  }
  if (is_projected) project_onto_simplex(weights);
}

// w_r exp(-length g_r) / sum (mirror descent: Dickens et al. 2022, section 3.4); a shift of g
// changes nothing.
void WeightSpace::mirror_step(std::vector<double>& weights,
                              std::span<const double> slopes,
                              double length) {
  double smallest = INFINITY, sum = 0.0;
  for (const double slope : slopes) smallest = std::min(smallest, slope);
  for (std::size_t k = 0; k < learned_.size(); ++k) {
    weights[learned_[k]] *= std::exp(-length * (slopes[k] - smallest));
    sum += weights[learned_[k]];
  }
  for (const std::size_t r : learned_) weights[r] /= sum;
}

// Steps of theta = log w, w = softmax(theta): d/d theta_r = w_r (g_r - w'g).
void WeightSpace::softmax_step(std::vector<double>& weights,
                               std::span<const double> gradient,
                               double length) {
  double mean_gradient = 0.0, sum = 0.0;
  for (const std::size_t r : learned_) mean_gradient += weights[r] * gradient[r];
  std::vector<double> slopes;
  for (const std::size_t r : learned_) slopes.push_back(weights[r] * (gradient[r] - mean_gradient));
  optimize(slopes);
  for (std::size_t k = 0; k < learned_.size(); ++k) {
    double& w = weights[learned_[k]];
    w = std::max(w, kSmallest) * std::exp(-length * slopes[k]);
    sum += w;
  }
  for (const std::size_t r : learned_) weights[r] /= sum;
}

// What a step of length 1 subtracts, of slopes per learned weight.
void WeightSpace::optimize(std::vector<double>& slopes) {
  // Adam (Kingma and Ba, 2015), but squares are forgotten sooner: an epoch is one step, and there
  // are a hundred of them, of which 0.999 would remember all. Slopes are not noisy, so kTiny is
  // only against 0 / 0.
  constexpr double kMeanSquare = 0.99, kTiny = 1e-12;
  if (optimizer_ == WeightOptimizer::kPlain) return;
  AdamState& seen = state_.adam;
  const auto steps = static_cast<double>(++seen.steps);
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    const double slope = slopes[k];
    if (optimizer_ == WeightOptimizer::kAdagrad) {  // Duchi et al. 2011
      seen.mean_square[k] += slope * slope;
      slopes[k] = slope / (std::sqrt(seen.mean_square[k]) + kTiny);
      continue;
    }
    seen.mean[k] = kAdamMean * seen.mean[k] + (1.0 - kAdamMean) * slope;
    seen.mean_square[k] = kMeanSquare * seen.mean_square[k] + (1.0 - kMeanSquare) * slope * slope;
    const double mean = seen.mean[k] / (1.0 - std::pow(kAdamMean, steps));
    const double square = seen.mean_square[k] / (1.0 - std::pow(kMeanSquare, steps));
    slopes[k] = mean / (std::sqrt(square) + kTiny);
  }
}

void WeightSpace::restore(const WeightState& state) {
  const std::size_t count = learned_.size();
  if (state.log_shares.size() != count || state.adam.mean.size() != count ||
      state.adam.mean_square.size() != count) {
    throw std::invalid_argument("learn: the state is of other weights");
  }
  state_ = state;
}

// The nearest point with sum 1: subtract what brings the positive part there, by sorting.
void WeightSpace::project_onto_simplex(std::vector<double>& weights) const {
  std::vector<double> sorted;
  for (const std::size_t r : learned_) sorted.push_back(weights[r]);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0.0, shift = 0.0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - 1.0) / static_cast<double>(k + 1);
    if (sorted[k] > candidate) shift = candidate;
  }
  for (const std::size_t r : learned_) weights[r] = std::max(0.0, weights[r] - shift);
}

double step_length(const LearnOptions& options, std::uint64_t epoch) {
  const auto number = static_cast<double>(epoch);
  switch (options.schedule) {
    case StepSchedule::kConstant:
      return options.step_size;
    case StepSchedule::kInverse:
      return options.step_size / number;
    case StepSchedule::kInverseRoot:
      return options.step_size / std::sqrt(number);
  }
  return options.step_size;  // not reached: the switch is complete
}

}  // namespace sorites
