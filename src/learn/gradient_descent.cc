#include "base/thread_pool.h"
#include "learn/descent.h"
#include "learn/losses.h"

namespace sorites {
namespace {

void add(double factor, std::span<const double> from, std::vector<double>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += factor * from[i];
}

class GradientDescent final : public Descent {
 public:
  GradientDescent(const LearnSet& training, const LearnOptions& options)
      : training_(training), loss_(options.loss), pool_(options.threads) {}

  LossGradient evaluate(std::span<const double> weights,
                        std::span<const std::size_t> samples,
                        double effort,
                        std::vector<std::vector<double>>& states) override {
    return sum_over(samples, weights.size(), pool_, [&](std::size_t s) {
      return evaluate_one(training_.samples[s], weights, effort, states[s]);
    });
  }

 private:
  // c_E V_latent + c_S (V_latent - V_full) (Dickens et al. 2022, section 3), and what is added of
  // minimiser-based losses.
  LossGradient evaluate_one(const LearnSample& sample,
                            std::span<const double> weights,
                            double effort,
                            std::vector<double>& state) const {
    LossGradient sum = zero_gradient(sample, weights.size());
    const Parameters parameters = parameters_of(sample, weights);
    const double gap = sufficient_gap(*sample.energy, effort);
    const auto take = [&](double factor, const EnergyValue& value) {
      sum.value += factor * value.value;
      add(factor, value.in_weights, sum.in_weights);
      add(factor, value.in_outputs, sum.in_outputs.back());
    };
    const double latent = loss_.energy + loss_.structured_perceptron;
    if (latent != 0.0) take(latent, sample.energy->latent(parameters, gap));
    if (loss_.structured_perceptron != 0.0 || loss_.has_minimiser_based()) {
      EnergyValue full = sample.energy->full(parameters, gap);
      take(-loss_.structured_perceptron, full);
      if (loss_.has_minimiser_based()) add_minimiser_based(*sample.energy, parameters, full, sum);
      state = std::move(full.state);
    }
    sum.of_inference = sum.value;
    return sum;
  }

  void add_minimiser_based(Energy& energy,
                           const Parameters& parameters,
                           const EnergyValue& full,
                           LossGradient& sum) const {
    const StateLoss loss = state_loss(loss_, full.state, energy.labels());
    sum.value += loss.value;
    const ParameterGradient through = energy.through_minimiser(parameters, full, loss.in_state);
    add(1.0, through.in_weights, sum.in_weights);
    add(1.0, through.in_outputs, sum.in_outputs.back());
  }

  const LearnSet& training_;
  LossMix loss_;
  ThreadPool pool_;
};

}  // namespace

std::unique_ptr<Descent> make_gradient_descent(const LearnSet& training,
                                               const LearnOptions& options) {
  return std::make_unique<GradientDescent>(training, options);
}

}  // namespace sorites
