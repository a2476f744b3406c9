// The bilevel value-function algorithm (Dickens et al. 2024a, section 4 and algorithm 2):
// minimiser-based losses without differentiating the minimiser. For each sample a state y is
// learned with the weights, and held near the minimiser by
//   c = M(y; w) - V(w) - iota <= 0,
// M the Moreau envelope, V the smallest energy, iota a relaxation that is halved again and again.
// The constraint is kept by an augmented Lagrangian: lambda v + mu/2 v^2, v = max(0, c).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/thread_pool.h"
#include "learn/descent.h"
#include "learn/losses.h"

namespace sorites {
namespace {

class BilevelDescent final : public Descent {
 public:
  BilevelDescent(const LearnSet& training, const LearnOptions& options)
      : training_(training),
        loss_(options.loss),
        options_(options.bilevel),
        pool_(options.threads) {
    state_.squared_penalty = options_.squared_penalty;
    state_.samples.resize(training.samples.size());
    for (BilevelSample& part : state_.samples) part.linear_penalty = options_.linear_penalty;
    start_tolerances();
  }

  LossGradient evaluate(std::span<const double> weights,
                        std::span<const std::size_t> samples,
                        double /*effort*/,  // is what the constraint needs
                        std::vector<std::vector<double>>& states) override {
    if (!state_.relaxation) start(weights);
    return sum_over(samples, weights.size(), pool_, [&](std::size_t s) {
      return evaluate_one(s, weights, states[s]);
    });
  }

  // Projected gradient steps on the states.
  void step(std::span<const std::size_t> samples, const LossGradient& gradient) override {
    for (std::size_t k = 0; k < samples.size(); ++k) {
      std::vector<double>& state = state_.samples[samples[k]].state;
      const std::vector<double>& slope = gradient.in_states[k];
      for (std::size_t i = 0; i < state.size(); ++i) {
        const double moved = std::clamp(state[i] - options_.state_step * slope[i], 0.0, 1.0);
        moved_ += (moved - state[i]) * (moved - state[i]);
        state[i] = moved;
      }
    }
  }

  bool finish_epoch(double movement) override {
    const double moved = std::sqrt(movement * movement + moved_);
    moved_ = 0.0;
    ++state_.inner_epochs;
    if (moved > state_.movement_tolerance && state_.inner_epochs < options_.max_inner_epochs)
      return false;
    state_.inner_epochs = 0;
    const double violation = largest_violation();
    if (violation >= state_.violation_tolerance) {
      state_.squared_penalty *= options_.penalty_growth;
      start_tolerances();
      return false;
    }
    if (violation < options_.constraint_tolerance && moved <= options_.movement_tolerance) {
      *state_.relaxation /= 2.0;
      start_tolerances();
      return *state_.relaxation < options_.constraint_tolerance;
    }
    for (BilevelSample& part : state_.samples)
      part.linear_penalty += state_.squared_penalty * part.violation;
    state_.violation_tolerance /= std::pow(state_.squared_penalty, 0.9);  // algorithm 2, line 11
    state_.movement_tolerance /= state_.squared_penalty;
    tighten();
    return false;
  }

  std::optional<BilevelState> state() const override { return state_; }
  void restore(const std::optional<BilevelState>& state) override;

 private:
  // y = labels and latent minimiser; iota = the largest M - V there (Algorithm 2, lines 1 and 2).
  void start(std::span<const double> weights) {
    std::vector<double> distances(state_.samples.size());
    pool_.for_each(state_.samples.size(), [&](std::size_t s) {
      const LearnSample& sample = training_.samples[s];
      const Parameters parameters = parameters_of(sample, weights);
      state_.samples[s].state = sample.energy->latent(parameters).state;
      const ProximalValue near =
          sample.energy->proximal(parameters, options_.proximity, state_.samples[s].state);
      distances[s] = near.value - sample.energy->full(parameters).value;
      keep_near(near, state_.samples[s]);
    });
    double relaxation = 0.0;
    for (const double distance : distances) relaxation = std::max(relaxation, distance);
    state_.relaxation = relaxation;
  }

  LossGradient evaluate_one(std::size_t s,
                            std::span<const double> weights,
                            std::vector<double>& map_state) {
    const LearnSample& sample = training_.samples[s];
    const Parameters parameters = parameters_of(sample, weights);
    BilevelSample& part = state_.samples[s];
    const double gap = gap_of(part);
    EnergyValue full = sample.energy->full(parameters, gap);
    StateLoss loss = state_loss(loss_, part.state, sample.energy->labels());
    LossGradient result = zero_gradient(sample, weights.size());
    result.value = loss.value;
    part.violation = 0.0;
    result.in_states.push_back(std::move(loss.in_state));
    if (envelope_bound(part, weights, full) > full.value + *state_.relaxation) {
      const ProximalValue near =
          sample.energy->proximal(parameters, options_.proximity, part.state, gap);
      add_constraint(full, near, part, result);
      keep_near(near, part);
    }
    part.value = full.value;
    result.of_inference = state_loss(loss_, full.state, sample.energy->labels()).value;
    add_value_based(sample, parameters, full, result);
    map_state = std::move(full.state);
    return result;
  }

  // V and M may be off by a fraction of the violation they tell: of the one before, or of that
  // which is tolerated.
  double gap_of(const BilevelSample& part) const {
    // A tenth of what they tell does not change what is done; beyond 0.01 warm starts are lost.
    constexpr double kFraction = 0.1, kLargest = 0.01;
    const double error = kFraction * std::max(part.violation, state_.violation_tolerance);
    return error < kLargest * part.value ? error / part.value : kLargest;
  }

  // M(y; w) is at most E(z; w) + p |z - y|^2, whatever z is: the minimiser of E, or that of the
  // last envelope, whose potentials are known. Where this keeps the constraint, nothing need be
  // solved.
  double envelope_bound(const BilevelSample& part,
                        std::span<const double> weights,
                        const EnergyValue& full) const {
    const auto at = [&](double energy, const std::vector<double>& z) {
      double distance = 0.0;
      for (std::size_t i = 0; i < z.size(); ++i) {
        distance += (z[i] - part.state[i]) * (z[i] - part.state[i]);
      }
      return energy + options_.proximity * distance;
    };
    const double bound = at(full.value, full.state);
    if (part.near.empty()) return bound;
    const double energy =
        std::inner_product(weights.begin(), weights.end(), part.near_potentials.begin(), 0.0);
    return std::min(bound, at(energy, part.near));
  }

  // The augmented Lagrangian of the constraint of a sample.
  void add_constraint(const EnergyValue& full,
                      const ProximalValue& near,
                      BilevelSample& part,
                      LossGradient& sum) const {
    part.violation = std::max(0.0, near.value - full.value - *state_.relaxation);
    const double v = part.violation;
    const double pull = v > 0.0 ? part.linear_penalty + state_.squared_penalty * v : 0.0;
    sum.value += part.linear_penalty * v + 0.5 * state_.squared_penalty * v * v;
    for (std::size_t r = 0; r < near.in_weights.size(); ++r) {
      sum.in_weights[r] += pull * (near.in_weights[r] - full.in_weights[r]);
    }
    for (std::size_t j = 0; j < near.in_outputs.size(); ++j) {
      sum.in_outputs.back()[j] += pull * (near.in_outputs[j] - full.in_outputs[j]);
    }
    for (std::size_t i = 0; i < part.state.size(); ++i) {
      sum.in_states.back()[i] += pull * near.in_centre[i];
    }
  }

  // Potentials are known again only if no outputs change them.
  static void keep_near(const ProximalValue& near, BilevelSample& part) {
    if (!near.in_outputs.empty()) return;
    part.near = near.state;
    part.near_potentials = near.in_weights;
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

  double largest_violation() const {
    double largest = 0.0;
    for (const BilevelSample& part : state_.samples) largest = std::max(largest, part.violation);
    return largest;
  }

  // Algorithm 2, lines 4 and 14.
  void start_tolerances() {
    state_.movement_tolerance = 1.0 / state_.squared_penalty;
    state_.violation_tolerance = 1.0 / std::pow(state_.squared_penalty, 0.1);
    tighten();
  }
  // No tighter than what the whole algorithm asks for.
  void tighten() {
    state_.movement_tolerance = std::max(state_.movement_tolerance, options_.movement_tolerance);
    state_.violation_tolerance =
        std::max(state_.violation_tolerance, options_.constraint_tolerance);
  }

  const LearnSet& training_;
  LossMix loss_;
  BilevelOptions options_;
  ThreadPool pool_;
  BilevelState state_;
  double moved_ = 0.0;  // sum of squares, of the states in this epoch
};

void BilevelDescent::restore(const std::optional<BilevelState>& state) {
  if (!state || state->samples.size() != training_.samples.size()) {
    throw std::invalid_argument("learn: the state is of another algorithm, or of other samples");
  }
  for (std::size_t s = 0; s < state->samples.size(); ++s) {
    const BilevelSample& part = state->samples[s];
    const Energy& energy = *training_.samples[s].energy;
    const auto fits = [](const std::vector<double>& values, std::size_t size) {
      return values.empty() || values.size() == size;
    };
    if (!fits(part.state, energy.labels().size()) || !fits(part.near, energy.labels().size()) ||
        !fits(part.near_potentials, energy.num_weights()) ||
        part.state.empty() != (!state->relaxation || energy.labels().empty())) {
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
