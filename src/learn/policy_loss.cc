#include "learn/policy_loss.h"

#include "learn/descent.h"
#include "learn/losses.h"

namespace sorites {

double PolicyLoss::of(std::span<const double> weights, const DrawnChoices& drawn) {
  constexpr std::size_t kMostKnown = 1 << 14;  // per sample: about a megabyte
  const LearnSample& sample = training_.samples[sample_];
  const DrawnChoices none(drawn.size(), ~std::uint32_t{0});
  std::vector<double> undrawn = outputs_of(sample, none);  // what is not drawn may change too
  const bool same = std::equal(weights.begin(), weights.end(), weights_.begin(), weights_.end());
  if (!same || undrawn != undrawn_ || known_.size() >= kMostKnown) {
    known_.clear();
    weights_.assign(weights.begin(), weights.end());
    undrawn_ = std::move(undrawn);
  }
  std::string key(reinterpret_cast<const char*>(drawn.data()),
                  drawn.size() * sizeof(DrawnChoices::value_type));
  const auto [found, is_new] = known_.try_emplace(std::move(key), 0.0);
  if (is_new) found->second = compute(weights, outputs_of(sample, drawn));
  return found->second;
}

double PolicyLoss::compute(std::span<const double> weights,
                           const std::vector<double>& outputs) const {
  const LearnSample& sample = training_.samples[sample_];
  Energy& energy = *sample.energy;
  const Parameters parameters{{weights.begin(), weights.end()}, outputs, sample.weight_scale};
  double loss = 0.0;
  const double latent = loss_.energy + loss_.structured_perceptron;
  if (latent != 0.0) loss += latent * energy.latent(parameters).value;
  const bool needs_state = loss_.has_minimiser_based() || loss_.metric != 0.0;
  if (!needs_state && loss_.structured_perceptron == 0.0) return loss;
  const EnergyValue full = energy.full(parameters);
  loss -= loss_.structured_perceptron * full.value;
  if (loss_.has_minimiser_based()) loss += state_loss(loss_, full, energy.labels()).value;
  if (loss_.metric != 0.0) {
    loss -= loss_.metric * training_.sample_metric(sample_, full.state, outputs);
  }
  return loss;
}

}  // namespace sorites
