#include "base/thread_pool.h"
#include "learn/descent.h"
#include "learn/losses.h"

namespace sorites {
namespace {

class GradientDescent final : public Descent {
 public:
  GradientDescent(const LearnSet& training, const LearnOptions& options)
      : training_(training),
        loss_(options.loss),
        keeps_states_(options.steps_per_inference > 1),
        found_(training.samples.size()),
        pool_(options.threads) {}

  LossGradient evaluate(std::span<const double> weights,
                        std::span<const std::size_t> samples,
                        double effort,
                        std::vector<std::vector<double>>& states) override {
    return sum_over(samples, weights.size(), pool_, [&](std::size_t s) {
      return evaluate_one(training_.samples[s], weights, effort, states[s], found_[s]);
    });
  }

  // Value-based losses have the slopes of energies, which are those at any state.
  LossGradient evaluate_again(std::span<const double> weights,
                              std::span<const std::size_t> samples) override {
    if (loss_.has_minimiser_based()) return Descent::evaluate_again(weights, samples);
    return sum_over(samples, weights.size(), pool_, [&](std::size_t s) {
      const LearnSample& sample = training_.samples[s];
      const Parameters parameters = parameters_of(sample, weights);
      LossGradient sum = zero_gradient(sample, weights.size());
      const auto take = [&](double factor, const std::vector<double>& state) {
        if (factor != 0.0) take_value(factor, sample.energy->at(parameters, state), sum);
      };
      take(loss_.energy + loss_.structured_perceptron, found_[s].latent);
      take(-loss_.structured_perceptron, found_[s].full);
      sum.of_inference = sum.value;
      return sum;
    });
  }

 private:
  // Of the last inference of a sample, where steps follow that do without.
  struct FoundStates {
    std::vector<double> latent, full;
  };

  static void take_value(double factor, const EnergyValue& value, LossGradient& sum) {
    sum.value += factor * value.value;
    add_scaled(factor, value.in_weights, sum.in_weights);
    add_scaled(factor, value.in_outputs, sum.in_outputs.back());
  }

  // c_E V_latent + c_S (V_latent - V_full) (Dickens et al. 2022, section 3), and what is added of
  // minimiser-based losses.
  LossGradient evaluate_one(const LearnSample& sample,
                            std::span<const double> weights,
                            double effort,
                            std::vector<double>& state,
                            FoundStates& found) const {
    LossGradient sum = zero_gradient(sample, weights.size());
    const Parameters parameters = parameters_of(sample, weights);
    const double gap = sufficient_gap(*sample.energy, effort);
    const double latent = loss_.energy + loss_.structured_perceptron;
    if (latent != 0.0) {
      EnergyValue value = sample.energy->latent(parameters, gap);
      take_value(latent, value, sum);
      if (keeps_states_) found.latent = std::move(value.state);
    }
    if (loss_.structured_perceptron != 0.0 || loss_.has_minimiser_based()) {
      EnergyValue full = sample.energy->full(parameters, gap);
      take_value(-loss_.structured_perceptron, full, sum);
      if (loss_.has_minimiser_based()) add_minimiser_based(*sample.energy, parameters, full, sum);
      if (keeps_states_) found.full = full.state;
      state = std::move(full.state);
    }
    sum.of_inference = sum.value;
    return sum;
  }

  void add_minimiser_based(Energy& energy,
                           const Parameters& parameters,
                           const EnergyValue& full,
                           LossGradient& sum) const {
    const StateLoss loss = state_loss(loss_, full, energy.labels());
    sum.value += loss.value;
    const ParameterGradient through = energy.through_minimiser(parameters, full, loss.slopes());
    add_scaled(1.0, through.in_weights, sum.in_weights);
    add_scaled(1.0, through.in_outputs, sum.in_outputs.back());
  }

  const LearnSet& training_;
  LossMix loss_;
  bool keeps_states_;
  std::vector<FoundStates> found_;  // per sample
  ThreadPool pool_;
};

}  // namespace

std::unique_ptr<Descent> make_gradient_descent(const LearnSet& training,
                                               const LearnOptions& options) {
  return std::make_unique<GradientDescent>(training, options);
}

}  // namespace sorites
