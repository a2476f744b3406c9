#include "learn/losses.h"

#include <algorithm>
#include <cmath>

namespace sorites {
namespace {

// Of the cross-entropy at 0 and at 1, where solvers put most atoms: a wrong one costs 4.6. Smaller
// makes single mistakes outweigh all else, larger makes the loss a squared error.
constexpr double kMargin = 0.01, kInner = 1.0 - 2.0 * kMargin;

// Slope and curvature of the loss of one target, with strength (y - centre)^2 added.
struct Slope {
  double slope, curvature;
};

Slope slope_at(const LossMix& mix, double label, double centre, double strength, double y) {
  Slope at{2.0 * (mix.squared_error * (y - label) + strength * (y - centre)),
           2.0 * (mix.squared_error + strength)};
  if (mix.cross_entropy == 0.0) return at;
  const double inside = kMargin + kInner * y;
  const double one = label / inside, zero = (1.0 - label) / (1.0 - inside);
  at.slope -= mix.cross_entropy * kInner * (one - zero);
  at.curvature += mix.cross_entropy * kInner * kInner * (one / inside + zero / (1.0 - inside));
  return at;
}

// Where the slope is 0, or the end of [0, 1] that it points to: Newton's steps, in a bracket.
double proximal_value(const LossMix& mix, double label, double centre, double strength) {
  // A bracket of [0, 1] is halved to kClose in 40 steps, to the last bit in 53: there is an end.
  constexpr int kMaxSteps = 60;
  constexpr double kClose = 1e-12;  // of a value in [0, 1]: no inference is as close as that
  if (slope_at(mix, label, centre, strength, 0.0).slope >= 0.0) return 0.0;
  if (slope_at(mix, label, centre, strength, 1.0).slope <= 0.0) return 1.0;
  double low = 0.0, high = 1.0, y = std::clamp(0.5 * (label + centre), 0.0, 1.0);
  for (int step = 0; step < kMaxSteps && high - low > kClose; ++step) {
    const Slope at = slope_at(mix, label, centre, strength, y);
    (at.slope > 0.0 ? high : low) = y;
    const double next = y - at.slope / at.curvature;
    const bool is_inside = next > low && next < high;
    if (is_inside && std::abs(next - y) <= kClose) return next;
    y = is_inside ? next : 0.5 * (low + high);
  }
  return y;
}

}  // namespace

StateLoss state_loss(const LossMix& mix,
                     std::span<const double> state,
                     std::span<const double> labels) {
  StateLoss loss;
  loss.in_state.assign(state.size(), 0.0);
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (std::isnan(labels[i])) continue;
    const double t = labels[i], error = state[i] - t;
    loss.value += mix.squared_error * error * error;
    loss.in_state[i] += mix.squared_error * 2.0 * error;
    if (mix.cross_entropy == 0.0) continue;
    const double y = kMargin + kInner * state[i];
    loss.value -= mix.cross_entropy * (t * std::log(y) + (1.0 - t) * std::log(1.0 - y));
    loss.in_state[i] -= mix.cross_entropy * kInner * (t / y - (1.0 - t) / (1.0 - y));
  }
  return loss;
}

StateLoss state_loss(const LossMix& mix,
                     const EnergyValue& minimum,
                     std::span<const double> labels) {
  if (minimum.log_odds.empty()) return state_loss(mix, minimum.state, labels);
  StateLoss loss = state_loss({.squared_error = mix.squared_error}, minimum.state, labels);
  loss.in_log_odds.assign(labels.size(), 0.0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (std::isnan(labels[i])) continue;
    // With y = 1 / (1 + exp(-z)): - t log y - (1 - t) log(1 - y) = log(1 + exp(z)) - t z.
    const double z = minimum.log_odds[i];
    const double cost = std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))) - labels[i] * z;
    loss.value += mix.cross_entropy * cost;
    loss.in_log_odds[i] = mix.cross_entropy * (minimum.state[i] - labels[i]);
  }
  return loss;
}

std::vector<double> proximal_state(
    const LossMix& mix,
    std::span<const double> labels,
    std::span<const double> centre,
    const std::function<double(std::span<const double>)>& strength_at) {
  std::vector<double> state(centre.begin(), centre.end());
  const auto excess = [&](double strength) {
    for (std::size_t i = 0; i < state.size(); ++i) {
      state[i] = std::isnan(labels[i]) || std::isinf(strength)
                     ? std::clamp(centre[i], 0.0, 1.0)
                     : proximal_value(mix, labels[i], centre[i], strength);
    }
    return strength - strength_at(state);
  };
  // The excess grows: from where it is negative to where it is not, by regula falsi with halved
  // ends (Dowell and Jarratt 1971).
  constexpr int kMaxSteps = 60;
  constexpr double kClose = 1e-6;  // of the strength: states then are as good
  double low = 0.0, below = excess(low);
  if (below >= 0.0) return state;
  double high = -below, above = excess(high), before = 0.0;
  for (int step = 0; step < kMaxSteps && above > kClose * high; ++step) {
    const double strength = low - below * (high - low) / (above - below);
    const double value = excess(strength);
    if (std::abs(value) <= kClose * strength) return state;
    const bool is_low = value < 0.0;
    if (value * before > 0.0) (is_low ? above : below) *= 0.5;  // the same end twice
    (is_low ? low : high) = strength;
    (is_low ? below : above) = value;
    before = value;
  }
  excess(high);
  return state;
}

}  // namespace sorites
