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
                        std::vector<std::vector<double>>& states) override {
    return sum_over(samples, weights.size(), pool_, [&](std::size_t s) {
      return evaluate_one(weights, training_.samples[s], states[s]);
    });
  }

 private:
  LossGradient evaluate_one(std::span<const double> weights,
                            const LearnSample& sample,
                            std::vector<double>& state) const {
    LossGradient result = zero_gradient(sample, weights.size());
    add_value_based(sample, weights, state, result);
    if (loss_.has_minimiser_based()) add_minimiser_based(sample, weights, state, result);
    result.of_inference = result.value;
    return result;
  }

  // c_E V_latent + c_S (V_latent - V_full) (deep-hlmrf-losses section 3).
  void add_value_based(const LearnSample& sample,
                       std::span<const double> weights,
                       std::vector<double>& state,
                       LossGradient& sum) const {
    const Parameters parameters = parameters_of(sample, weights);
    const auto take = [&](double factor, const EnergyValue& value) {
      sum.value += factor * value.value;
      add(factor, value.in_weights, sum.in_weights);
      add(factor, value.in_outputs, sum.in_outputs.back());
    };
    const double latent = loss_.energy + loss_.structured_perceptron;
    if (latent != 0.0) take(latent, sample.energy->latent(parameters));
    if (loss_.structured_perceptron == 0.0 && !loss_.has_minimiser_based()) return;
    EnergyValue full = sample.energy->full(parameters);
    take(-loss_.structured_perceptron, full);
    state = std::move(full.state);
  }

  void add_minimiser_based(const LearnSample& sample,
                           std::span<const double> weights,
                           const std::vector<double>& state,
                           LossGradient& sum) const {
    const StateLoss loss = state_loss(loss_, state, sample.energy->labels());
    sum.value += loss.value;
    const ParameterGradient through =
        sample.energy->through_minimiser(parameters_of(sample, weights), loss.in_state);
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
