// The bilevel value-function algorithm (Dickens et al. 2024a, section 4 and algorithms 1 and 2):
// minimiser-based losses d without differentiating the minimiser. For each sample a state y is
// learned with weights and networks, and held near the minimiser by
//   c = M(y; w) - V(w) - iota <= 0,   M(y; w) = min over z of E(z; w) + p |z - y|^2,
// M the Moreau envelope, V the smallest energy, iota a relaxation that is halved again and again.
// The augmented Lagrangian (eq. 12), its slacks minimised, has  lambda v + mu/2 v^2  with
// v = max(c, -lambda/mu).
//
// Nothing depends on the size of a model or on the scale of its weights: energies are in units of
// the mean M - V at first, losses in units of that of the first inferred states, p in units of the
// largest weight. docs/method/learning.md says where this differs from the paper, and why.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/thread_pool.h"
#include "learn/descent.h"
#include "learn/losses.h"

namespace sorites {
namespace {

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Of penalties: by default the relaxation can be halved, or they can be raised, so many times.
constexpr std::uint64_t kSettings = 20;

class BilevelDescent final : public Descent {
 public:
  BilevelDescent(const LearnSet& training, const LearnOptions& options)
      : training_(training),
        loss_(options.loss),
        options_(options.bilevel),
        inner_epochs_(options_.max_inner_epochs > 0
                          ? options_.max_inner_epochs
                          : std::max<std::uint64_t>(options.max_epochs / kSettings, 1)),
        pool_(options.threads) {
    state_.relaxation = options_.relaxation;
    state_.squared_penalty = options_.squared_penalty;
    state_.samples.resize(training.samples.size());
    moved_.resize(training.samples.size());
    for (BilevelSample& part : state_.samples) part.linear_penalty = options_.linear_penalty;
    start_tolerance();
  }

  LossGradient evaluate(std::span<const double> weights,
                        std::span<const std::size_t> samples,
                        double /*effort*/,  // is what the constraint needs
                        std::vector<std::vector<double>>& states) override {
    if (!state_.units) start(weights);
    return sum_over(samples, weights.size(), pool_, [&](std::size_t s) {
      return evaluate_one(training_.samples[s], weights, state_.samples[s], states[s]);
    });
  }

  bool finish_epoch(std::span<const double> weights,
                    double movement,
                    const CleanOutputs& outputs) override {
    const double moved = std::max(movement, std::sqrt(mean_of(moved_)));
    std::fill(moved_.begin(), moved_.end(), 0.0);
    ++state_.inner_epochs;
    if (moved > options_.movement_tolerance && state_.inner_epochs < inner_epochs_) return false;
    state_.inner_epochs = 0;
    if (outputs) look(weights, outputs);
    return update_penalties() && moved <= options_.movement_tolerance;
  }

  void describe(LearnEpoch& epoch) const override {
    if (!state_.units) return;
    BilevelEpoch& shown = epoch.bilevel.emplace();
    shown.relaxation = state_.relaxation;
    shown.squared_penalty = state_.squared_penalty;
    const auto count = static_cast<double>(state_.samples.size());
    for (const BilevelSample& part : state_.samples) {
      shown.linear_penalty += part.linear_penalty / count;
      shown.violation += std::max(part.constraint, 0.0) / count;
      if (multiplier_of(part, part.constraint) > 0.0) shown.active += 1.0 / count;
    }
  }

  std::optional<BilevelState> state() const override { return state_; }
  void restore(const std::optional<BilevelState>& state) override;

 private:
  // y = labels and latent minimiser; iota is M - V there (algorithm 2, lines 1 and 2), of each
  // sample: the largest of all would leave nothing to do for the others for long.
  void start(std::span<const double> weights) {
    BilevelUnits& units = state_.units.emplace();
    units.proximity = options_.proximity * *std::max_element(weights.begin(), weights.end());
    if (!(units.proximity > 0.0)) units.proximity = options_.proximity;
    std::vector<double> losses(state_.samples.size());
    pool_.for_each(state_.samples.size(), [&](std::size_t s) {
      const LearnSample& sample = training_.samples[s];
      const Parameters parameters = parameters_of(sample, weights);
      BilevelSample& part = state_.samples[s];
      part.state = sample.energy->latent(parameters).state;
      const EnergyValue full = sample.energy->full(parameters);
      const ProximalValue near = sample.energy->proximal(parameters, units.proximity, part.state);
      part.relaxation = std::max(0.0, near.value - full.value);
      part.value = full.value;
      losses[s] = state_loss(loss_, full.state, sample.energy->labels()).value;
    });
    double distance = 0.0, loss = 0.0;
    for (std::size_t s = 0; s < losses.size(); ++s) {
      distance += state_.samples[s].relaxation;
      loss += losses[s];
    }
    const auto count = static_cast<double>(losses.size());
    if (distance > 0.0) units.energy = distance / count;
    if (loss > 0.0) units.loss = loss / count;
  }

  // lambda + mu v, in units.
  double multiplier_of(const BilevelSample& part, double constraint) const {
    return std::max(0.0, part.linear_penalty + state_.squared_penalty * constraint);
  }

  LossGradient evaluate_one(const LearnSample& sample,
                            std::span<const double> weights,
                            BilevelSample& part,
                            std::vector<double>& map_state) {
    const Parameters parameters = parameters_of(sample, weights);
    EnergyValue full = sample.energy->full(parameters, gap_of(part, *sample.energy));
    LossGradient result = zero_gradient(sample, weights.size());
    add_pull(full, settle_state(sample, parameters, full, part), part, result);
    result.value += state_loss(loss_, part.state, sample.energy->labels()).value + penalty_of(part);
    result.of_inference = state_loss(loss_, full.state, sample.energy->labels()).value;
    add_value_based(sample, parameters, full, result);
    map_state = std::move(full.state);
    return result;
  }

  // Minimises the Lagrangian over the state of a sample; the envelope of the last state but one. A
  // state that only takes a step per epoch lags behind the network, and pulls it back to where it
  // was: sums of digits are not learned then.
  ProximalValue settle_state(const LearnSample& sample,
                             const Parameters& parameters,
                             const EnergyValue& full,
                             BilevelSample& part) {
    // Two or three moves where the proximity is small; further ones change the gradient by less
    // than what a step of the network changes.
    constexpr int kMaxMoves = 10;
    constexpr double kSettled = 1e-3;
    const std::vector<double> before = part.state;
    ProximalValue near;
    for (int move = 0; move < kMaxMoves; ++move) {
      near = sample.energy->proximal(
          parameters, state_.units->proximity, part.state, gap_of(part, *sample.energy));
      if (move_state(sample.energy->labels(), full, near, part) < kSettled) break;
    }
    moved_[static_cast<std::size_t>(&part - state_.samples.data())] +=
        squared_distance(part.state, before) / static_cast<double>(before.size());
    return near;
  }

  // With z the minimiser of the envelope of the state before, M(y) <= E(z) + p |z - y|^2, with
  // equality where y was: the smallest y of this bound is a step down. In units it solves
  //   min over y of  d(y) + strength |y - z|^2,   strength = p (lambda + mu v(y)),
  // and v falls as the strength grows, so that there is one such strength. How far the state moves.
  double move_state(std::span<const double> labels,
                    const EnergyValue& full,
                    const ProximalValue& near,
                    BilevelSample& part) const {
    const BilevelUnits& units = *state_.units;
    part.value = full.value;
    const double energy =
        near.value - units.proximity * squared_distance(near.state, part.state) - full.value;
    const double relaxation = state_.relaxation * part.relaxation;
    const auto constraint_at = [&](std::span<const double> state) {
      const double distance = units.proximity * squared_distance(near.state, state);
      return (energy + distance - relaxation) / units.energy;
    };
    const auto strength_at = [&](std::span<const double> state) {
      return units.proximity * pull_of(part, constraint_at(state));
    };
    std::vector<double> state = proximal_state(loss_, labels, near.state, strength_at);
    const double moved = std::sqrt(squared_distance(state, part.state));
    part.state = std::move(state);
    part.constraint = constraint_at(part.state);
    return moved;
  }

  // What a unit of energy costs the sample: its multiplier, in units of the loss per energy.
  double pull_of(const BilevelSample& part, double constraint) const {
    return state_.units->loss / state_.units->energy * multiplier_of(part, constraint);
  }

  // The gradient of the penalty, by Danskin's theorem that of M - V times the multiplier.
  void add_pull(const EnergyValue& full,
                const ProximalValue& near,
                const BilevelSample& part,
                LossGradient& sum) const {
    const double pull = pull_of(part, part.constraint);
    for (std::size_t r = 0; r < near.in_weights.size(); ++r) {
      sum.in_weights[r] += pull * (near.in_weights[r] - full.in_weights[r]);
    }
    for (std::size_t j = 0; j < near.in_outputs.size(); ++j) {
      sum.in_outputs.back()[j] += pull * (near.in_outputs[j] - full.in_outputs[j]);
    }
  }

  // lambda v + mu/2 v^2.
  double penalty_of(const BilevelSample& part) const {
    const double v = std::max(part.constraint, -part.linear_penalty / state_.squared_penalty);
    return state_.units->loss * (part.linear_penalty + 0.5 * state_.squared_penalty * v) * v;
  }

  // V and M may be off by a fraction of the constraint they told before, whatever gap inference has
  // else: M - V may be a small part of V. Slopes are differences of theirs, and off by the root of
  // it: a thousandth leaves a few percent.
  double gap_of(const BilevelSample& part, const Energy& energy) const {
    constexpr double kFraction = 1e-3;
    constexpr double kLargest = 0.01;   // beyond that warm starts are lost
    constexpr double kSmallest = 1e-7;  // no gap is finer, but for the user's own
    const double smallest = std::min(energy.gap(), kSmallest);
    const double error = kFraction * std::abs(part.constraint) * state_.units->energy;
    return error < kLargest * part.value ? std::max(error / part.value, smallest) : kLargest;
  }

  // L_Val of equation (12).
  void add_value_based(const LearnSample& sample,
                       const Parameters& parameters,
                       const EnergyValue& full,
                       LossGradient& sum) const {
    const double perceptron = loss_.structured_perceptron;
    const double latent = options_.energy_loss + loss_.energy + perceptron;
    if (latent == 0.0) return;
    const EnergyValue value = sample.energy->latent(parameters);
    const double loss = latent * value.value - perceptron * full.value;
    sum.value += loss;
    sum.of_inference += loss;
    for (std::size_t r = 0; r < sum.in_weights.size(); ++r) {
      sum.in_weights[r] += latent * value.in_weights[r] - perceptron * full.in_weights[r];
    }
    for (std::size_t j = 0; j < value.in_outputs.size(); ++j) {
      sum.in_outputs.back()[j] += latent * value.in_outputs[j] - perceptron * full.in_outputs[j];
    }
  }

  // States and constraints of all samples, without the noise that networks are trained with.
  void look(std::span<const double> weights, const CleanOutputs& outputs) {
    std::vector<LearnSample> samples = training_.samples;
    for (std::size_t s = 0; s < samples.size(); ++s) samples[s].outputs = outputs(s);
    pool_.for_each(samples.size(), [&](std::size_t s) {
      const Parameters parameters = parameters_of(samples[s], weights);
      Energy& energy = *samples[s].energy;
      const EnergyValue full = energy.full(parameters, gap_of(state_.samples[s], energy));
      settle_state(samples[s], parameters, full, state_.samples[s]);
    });
    std::fill(moved_.begin(), moved_.end(), 0.0);
  }

  // Dickens et al. 2024a, algorithm 2, lines 7 to 18. Whether the constraint is as tight as was
  // asked for.
  bool update_penalties() {
    double violation = 0.0;
    for (const BilevelSample& part : state_.samples) {
      violation +=
          std::abs(std::max(part.constraint, -part.linear_penalty / state_.squared_penalty));
    }
    violation /= static_cast<double>(state_.samples.size());
    if (violation >= state_.violation_tolerance) {
      state_.squared_penalty *= options_.penalty_growth;
      start_tolerance();
      return false;
    }
    for (BilevelSample& part : state_.samples) {
      part.linear_penalty = multiplier_of(part, part.constraint);
    }
    constexpr double kPower = 0.9;  // line 12
    state_.violation_tolerance =
        std::max(state_.violation_tolerance / std::pow(state_.squared_penalty, kPower),
                 options_.constraint_tolerance);
    state_.relaxation /= 2.0;
    return violation < options_.constraint_tolerance &&
           state_.relaxation < options_.constraint_tolerance;
  }

  // The same algorithm, lines 4 and 14; no tighter than what the whole algorithm asks for.
  void start_tolerance() {
    constexpr double kPower = 0.1;
    state_.violation_tolerance =
        std::max(1.0 / std::pow(state_.squared_penalty, kPower), options_.constraint_tolerance);
  }

  const LearnSet& training_;
  LossMix loss_;
  BilevelOptions options_;
  std::uint64_t inner_epochs_;
  ThreadPool pool_;
  BilevelState state_;
  std::vector<double> moved_;  // per sample: mean square per target in this epoch
};

void BilevelDescent::restore(const std::optional<BilevelState>& state) {
  if (!state || state->samples.size() != training_.samples.size()) {
    throw std::invalid_argument("learn: the state is of another algorithm, or of other samples");
  }
  for (std::size_t s = 0; s < state->samples.size(); ++s) {
    const std::size_t size = training_.samples[s].energy->labels().size();
    if (state->samples[s].state.size() != (state->units ? size : 0)) {
      throw std::invalid_argument("learn: the state is of another model");
    }
  }
  state_ = *state;
}

}  // namespace

std::unique_ptr<Descent> make_bilevel_descent(const LearnSet& training,
                                              const LearnOptions& options) {
  return std::make_unique<BilevelDescent>(training, options);
}

}  // namespace sorites
