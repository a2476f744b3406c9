// Stochastic policies (Dickens et al. 2024b, eq. 53 to 62): rule weights h_w and what networks
// choose h_g are drawn, and the expected loss E[J(h_w, h_g)] is minimised. J need not have slopes.
//
// In the weights by REINFORCE (Williams 1992): the mean over draws of (J - b) d log p(h_w) / d w.
// In the outputs by the same, or by IndeCateR (De Smet, Sansone, Zuidberg Dos Martires,
// "Differentiable Sampling of Categorical Distributions Using the CatLog-Derivative Trick", 2023):
// d E[J] / d p_k of a choice is E[J | k is chosen], so that for every choice and every k the other
// choices stay as they were drawn, and J tells the slope.
//
// The baseline b is the mean of J over the other draws; of a single draw, J of the likeliest
// choices with the weights themselves. Random numbers depend on seed, epoch, step, sample and draw
// alone: runs that differ in anything else see the same ones.
#include <algorithm>
#include <memory>

#include "base/thread_pool.h"
#include "learn/descent.h"
#include "learn/output_policy.h"
#include "learn/policy_loss.h"
#include "learn/weight_policy.h"

namespace sorites {
namespace {

// Mixes the bits of what a draw depends on (SplitMix64's finaliser, Steele et al. 2014).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

// What one draw says.
struct Draw {
  DrawnWeights weights;
  DrawnChoices choices;
  double loss = 0.0;
  std::vector<double> in_weights, in_outputs;  // its estimates
};

class PolicyDescent final : public Descent {
 public:
  PolicyDescent(const LearnSet& training,
                const LearnOptions& options,
                std::vector<std::size_t> learned)
      : training_(training),
        options_(options.policy),
        seed_(options.seed),
        learned_(std::move(learned)),
        pool_(options.threads) {
    for (std::size_t s = 0; s < training.samples.size(); ++s) {
      losses_.emplace_back(training, s, options.loss);
    }
    if (options_.draws == 0) throw std::invalid_argument("policy: at least one draw is needed");
    if (options.loss.metric != 0.0 && !training.sample_metric) {
      throw LearnError(
          "the loss `metric` needs an evaluation of targets that have truth to learn from: list "
          "one, or take another loss");
    }
  }

  void begin_epoch(std::uint64_t epoch) override {
    epoch_ = epoch;
    step_ = 0;
  }

  LossGradient evaluate(std::span<const double> weights,
                        std::span<const std::size_t> samples,
                        double /*effort*/,
                        std::vector<std::vector<double>>& /*states*/) override {
    ++step_;
    return sum_over(
        samples, weights.size(), pool_, [&](std::size_t s) { return evaluate_one(s, weights); });
  }

 private:
  LossGradient evaluate_one(std::size_t s, std::span<const double> weights) {
    const LearnSample& sample = training_.samples[s];
    std::vector<Draw> draws;
    for (std::uint64_t d = 0; d < options_.draws; ++d) draws.push_back(draw(s, weights, d));
    LossGradient sum = zero_gradient(sample, weights.size());
    const auto count = static_cast<double>(draws.size());
    for (std::size_t d = 0; d < draws.size(); ++d) {
      estimate(s, draws, d, baseline(s, weights, draws, d));
      sum.value += draws[d].loss / count;
      add_scaled(1.0 / count, draws[d].in_weights, sum.in_weights);
      add_scaled(1.0 / count, draws[d].in_outputs, sum.in_outputs.back());
    }
    sum.variance = variance_of(sample, weights, draws);
    if (options_.energy_loss > 0.0) add_energy(sample, weights, sum);
    sum.of_inference = sum.value;
    return sum;
  }

  Draw draw(std::size_t s, std::span<const double> weights, std::uint64_t number) {
    std::uint64_t bits = seed_;
    for (const std::uint64_t part : {epoch_, step_, std::uint64_t{s}, number}) {
      bits = mixed(bits ^ part);
    }
    std::mt19937_64 random(bits);
    Draw result;
    result.choices = draw_choices(training_.samples[s], random);
    result.weights = draw_weights(options_, weights, learned_, random);
    result.loss = losses_[s].of(result.weights.weights, result.choices);
    return result;
  }

  double baseline(std::size_t s,
                  std::span<const double> weights,
                  const std::vector<Draw>& draws,
                  std::size_t d) {
    if (draws.size() == 1) {
      return losses_[s].of(weights, likeliest_choices(training_.samples[s]));
    }
    double sum = 0.0;
    for (const Draw& other : draws) sum += other.loss;
    return (sum - draws[d].loss) / static_cast<double>(draws.size() - 1);
  }

  void estimate(std::size_t s, std::vector<Draw>& draws, std::size_t d, double baseline) {
    const LearnSample& sample = training_.samples[s];
    Draw& one = draws[d];
    const double gain = one.loss - baseline;
    for (const double score : one.weights.score) one.in_weights.push_back(gain * score);
    one.in_outputs.assign(sample.outputs.size(), 0.0);
    if (options_.estimator == PolicyEstimator::kReinforce) {
      add_score(sample, one.choices, gain, one.in_outputs);
    } else {
      try_all(s, one);
    }
  }

  // J with each of the choices as each of its values, the others as drawn.
  void try_all(std::size_t s, Draw& one) {
    const LearnSample& sample = training_.samples[s];
    DrawnChoices others = one.choices;
    for (std::size_t c = 0; c < others.size(); ++c) {
      const OutputChoice& choice = sample.choices[c];
      const auto count = static_cast<std::uint32_t>(choice.outputs.size());
      const auto loss_with = [&](std::uint32_t chosen) {
        others[c] = chosen;
        return losses_[s].of(one.weights.weights, others);
      };
      const double none = choice.may_be_none ? loss_with(count) : one.loss;
      for (std::uint32_t k = 0; k < count; ++k) {
        one.in_outputs[choice.outputs[k]] = loss_with(k) - none;
      }
      others[c] = one.choices[c];
    }
  }

  // Of the mean over the draws: in log-odds of choices and logarithms of weights, which have no
  // units.
  static double variance_of(const LearnSample& sample,
                            std::span<const double> weights,
                            const std::vector<Draw>& draws) {
    if (draws.size() < 2) return 0.0;
    const auto count = static_cast<double>(draws.size());
    std::vector<double> sum, squares;
    for (const Draw& one : draws) {
      std::vector<double> slopes = in_log_odds(sample, one.in_outputs);
      for (std::size_t r = 0; r < weights.size(); ++r) {
        slopes.push_back(weights[r] * one.in_weights[r]);
      }
      sum.resize(slopes.size(), 0.0);
      squares.resize(slopes.size(), 0.0);
      for (std::size_t i = 0; i < slopes.size(); ++i) {
        sum[i] += slopes[i];
        squares[i] += slopes[i] * slopes[i];
      }
    }
    double variance = 0.0;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      variance += std::max(squares[i] - sum[i] * sum[i] / count, 0.0) / (count * (count - 1.0));
    }
    return variance;
  }

  // The energy loss of the outputs and weights themselves has slopes, which need no draws.
  void add_energy(const LearnSample& sample, std::span<const double> weights, LossGradient& sum) {
    const EnergyValue latent = sample.energy->latent(parameters_of(sample, weights));
    sum.value += options_.energy_loss * latent.value;
    add_scaled(options_.energy_loss, latent.in_weights, sum.in_weights);
    add_scaled(options_.energy_loss, latent.in_outputs, sum.in_outputs.back());
  }

  const LearnSet& training_;
  PolicyOptions options_;
  std::uint64_t seed_;
  std::vector<std::size_t> learned_;
  std::vector<PolicyLoss> losses_;  // per sample
  ThreadPool pool_;
  std::uint64_t epoch_ = 0, step_ = 0;
};

}  // namespace

std::unique_ptr<Descent> make_policy_descent(const LearnSet& training,
                                             const LearnOptions& options,
                                             std::vector<std::size_t> learned) {
  return std::make_unique<PolicyDescent>(training, options, std::move(learned));
}

}  // namespace sorites
