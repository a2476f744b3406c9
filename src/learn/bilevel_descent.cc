// The bilevel value-function algorithm (convex-bilevel section 4 and Algorithm 2): minimiser-based
// losses without differentiating the minimiser. For each sample a state y is learned with the
// weights, and held near the minimiser by
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
        pool_(options.threads),
        parts_(training.samples.size()),
        squared_penalty_(options.bilevel.squared_penalty) {
    for (Part& part : parts_) part.linear_penalty = options_.linear_penalty;
    start_tolerances();
  }

  LossGradient evaluate(std::span<const double> weights,
                        std::span<const std::size_t> samples,
                        std::vector<std::vector<double>>& states) override {
    if (relaxation_ < 0.0) start(weights);
    return sum_over(samples, weights.size(), pool_, [&](std::size_t s) {
      return evaluate_one(s, weights, states[s]);
    });
  }

  // Projected gradient steps on the states.
  void step() override {
    for (Part& part : parts_) {
      for (std::size_t i = 0; i < part.gradient.size(); ++i) {
        const double moved =
            std::clamp(part.state[i] - options_.state_step * part.gradient[i], 0.0, 1.0);
        moved_ += (moved - part.state[i]) * (moved - part.state[i]);
        part.state[i] = moved;
      }
      part.gradient.clear();
    }
  }

  bool finish_epoch(double movement) override {
    const double moved = std::sqrt(movement * movement + moved_);
    moved_ = 0.0;
    ++inner_epochs_;
    if (moved > tolerance_ && inner_epochs_ < options_.max_inner_epochs) return false;
    inner_epochs_ = 0;
    const double violation = largest_violation();
    if (violation >= violation_tolerance_) {
      squared_penalty_ *= options_.penalty_growth;
      start_tolerances();
      return false;
    }
    if (violation < options_.constraint_tolerance && moved <= options_.movement_tolerance) {
      relaxation_ /= 2.0;
      start_tolerances();
      return relaxation_ < options_.constraint_tolerance;
    }
    for (Part& part : parts_) part.linear_penalty += squared_penalty_ * part.violation;
    violation_tolerance_ /= std::pow(squared_penalty_, 0.9);
    tolerance_ /= squared_penalty_;
    tighten();
    return false;
  }

  std::vector<double> memory() const override;
  void restore(std::span<const double> memory) override;

 private:
  struct Part {                                 // of a sample
    std::vector<double> state;                  // y
    std::vector<double> gradient;               // of the Lagrangian in y
    double linear_penalty = 0.0;                // lambda
    double violation = 0.0;                     // v
    double value = 0.0;                         // V
    std::vector<double> near, near_potentials;  // minimiser of the last envelope, sums by rule
  };

  // y = labels and latent minimiser; iota = the largest M - V there (Algorithm 2, lines 1 and 2).
  void start(std::span<const double> weights) {
    std::vector<double> distances(parts_.size());
    pool_.for_each(parts_.size(), [&](std::size_t s) {
      const LearnSample& sample = training_.samples[s];
      const Parameters parameters = parameters_of(sample, weights);
      parts_[s].state = sample.energy->latent(parameters).state;
      ProximalValue near = sample.energy->proximal(parameters, options_.proximity, parts_[s].state);
      distances[s] = near.value - sample.energy->full(parameters).value;
      keep_near(near, parts_[s]);
    });
    relaxation_ = 0.0;
    for (const double distance : distances) relaxation_ = std::max(relaxation_, distance);
  }

  LossGradient evaluate_one(std::size_t s,
                            std::span<const double> weights,
                            std::vector<double>& map_state) {
    const LearnSample& sample = training_.samples[s];
    const Parameters parameters = parameters_of(sample, weights);
    Part& part = parts_[s];
    sample.energy->set_sufficient_gap(sufficient_gap(part));
    EnergyValue full = sample.energy->full(parameters);
    StateLoss loss = state_loss(loss_, part.state, sample.energy->labels());
    LossGradient result = zero_gradient(sample, weights.size());
    result.value = loss.value;
    part.violation = 0.0;
    part.gradient = std::move(loss.in_state);
    if (envelope_bound(part, weights, full) > full.value + relaxation_) {
      add_constraint(sample, parameters, full, part, result);
    }
    sample.energy->set_sufficient_gap(0.0);
    part.value = full.value;
    result.of_inference = state_loss(loss_, full.state, sample.energy->labels()).value;
    add_value_based(sample, parameters, full, result);
    map_state = std::move(full.state);
    return result;
  }

  // V and M may be off by a fraction of the violation they tell: of the one before, or of that
  // which is tolerated.
  double sufficient_gap(const Part& part) const {
    constexpr double kFraction = 0.1, kLargest = 0.01;
    const double error = kFraction * std::max(part.violation, violation_tolerance_);
    return error < kLargest * part.value ? error / part.value : kLargest;
  }

  // M(y; w) is at most E(z; w) + p |z - y|^2, whatever z is: the minimiser of E, or that of the
  // last envelope, whose potentials are known. Where this keeps the constraint, nothing need be
  // solved.
  double envelope_bound(const Part& part,
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
  void add_constraint(const LearnSample& sample,
                      const Parameters& parameters,
                      const EnergyValue& full,
                      Part& part,
                      LossGradient& sum) const {
    ProximalValue near = sample.energy->proximal(parameters, options_.proximity, part.state);
    part.violation = std::max(0.0, near.value - full.value - relaxation_);
    const double v = part.violation;
    const double pull = v > 0.0 ? part.linear_penalty + squared_penalty_ * v : 0.0;
    sum.value += part.linear_penalty * v + 0.5 * squared_penalty_ * v * v;
    for (std::size_t r = 0; r < near.in_weights.size(); ++r) {
      sum.in_weights[r] += pull * (near.in_weights[r] - full.in_weights[r]);
    }
    for (std::size_t j = 0; j < near.in_outputs.size(); ++j) {
      sum.in_outputs.back()[j] += pull * (near.in_outputs[j] - full.in_outputs[j]);
    }
    for (std::size_t i = 0; i < part.state.size(); ++i) {
      part.gradient[i] += pull * near.in_centre[i];
    }
    keep_near(near, part);
  }

  // Potentials are known again only if no outputs change them.
  static void keep_near(ProximalValue& near, Part& part) {
    if (!near.in_outputs.empty()) return;
    part.near = std::move(near.state);
    part.near_potentials = std::move(near.in_weights);
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
    for (const Part& part : parts_) largest = std::max(largest, part.violation);
    return largest;
  }

  // Algorithm 2, lines 4 and 14.
  void start_tolerances() {
    tolerance_ = 1.0 / squared_penalty_;
    violation_tolerance_ = 1.0 / std::pow(squared_penalty_, 0.1);
    tighten();
  }
  // No tighter than what the whole algorithm asks for.
  void tighten() {
    tolerance_ = std::max(tolerance_, options_.movement_tolerance);
    violation_tolerance_ = std::max(violation_tolerance_, options_.constraint_tolerance);
  }

  const LearnSet& training_;
  LossMix loss_;
  BilevelOptions options_;
  ThreadPool pool_;
  std::vector<Part> parts_;
  double relaxation_ = -1.0;          // iota; negative before the first evaluation
  double squared_penalty_;            // mu
  double tolerance_ = 0.0;            // omega: of the movement
  double violation_tolerance_ = 0.0;  // sigma
  double moved_ = 0.0;                // sum of squares, of the states in this epoch
  std::uint64_t inner_epochs_ = 0;
};

std::vector<double> BilevelDescent::memory() const {
  std::vector<double> memory = {relaxation_,
                                squared_penalty_,
                                tolerance_,
                                violation_tolerance_,
                                static_cast<double>(inner_epochs_)};
  for (const Part& part : parts_) {
    memory.insert(memory.end(), {part.linear_penalty, part.violation, part.value});
    for (const auto* values : {&part.state, &part.near, &part.near_potentials}) {
      memory.push_back(static_cast<double>(values->size()));
      memory.insert(memory.end(), values->begin(), values->end());
    }
  }
  return memory;
}

void BilevelDescent::restore(std::span<const double> memory) {
  const auto next = [&memory] {
    if (memory.empty()) throw std::invalid_argument("learn: the state is cut off");
    const double value = memory.front();
    memory = memory.subspan(1);
    return value;
  };
  relaxation_ = next();
  squared_penalty_ = next();
  tolerance_ = next();
  violation_tolerance_ = next();
  inner_epochs_ = static_cast<std::uint64_t>(next());
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    Part& part = parts_[s];
    const Energy& energy = *training_.samples[s].energy;
    const auto take = [&](std::size_t expected, std::vector<double>& values) {
      const double size = next();
      if (size != static_cast<double>(expected) && size != 0.0) {
        throw std::invalid_argument("learn: the state is of another model");
      }
      values.clear();
      while (static_cast<double>(values.size()) < size) values.push_back(next());
    };
    part.linear_penalty = next();
    part.violation = next();
    part.value = next();
    take(energy.labels().size(), part.state);
    take(energy.labels().size(), part.near);
    take(energy.num_weights(), part.near_potentials);
  }
}

}  // namespace

std::unique_ptr<Descent> make_bilevel_descent(const LearnSet& training,
                                              const LearnOptions& options) {
  return std::make_unique<BilevelDescent>(training, options);
}

}  // namespace sorites
