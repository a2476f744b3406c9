#include "meanfield/encoder_source.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "learn/adam.h"
#include "meanfield/value_odds.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void add(AtomValues<float>& sum, const AtomValues<float>& more, double factor) {
  for (std::size_t p = 0; p < sum.size(); ++p) {
    for (std::size_t i = 0; i < sum[p].size(); ++i) {
      sum[p][i] += static_cast<float>(factor) * more[p][i];
    }
  }
}

// The negative log-likelihood of an atom's value by unary potentials; its slopes, times `factor`,
// are added.
double likelihood_loss(const AtomLayout& layout,
                       const KnownAtom& fact,
                       const std::vector<float>& potentials,
                       double factor,
                       std::vector<float>& slopes) {
  const double sign = layout.has_classes() || fact.value == 1 ? 1.0 : -1.0;
  const double z = sign * value_odds(layout, fact, potentials);
  const double wrong = 1.0 / (1.0 + std::exp(z));  // probability of the others
  add_odds_slope(layout, fact, potentials, -factor * sign * wrong, slopes);
  return std::max(-z, 0.0) + std::log1p(std::exp(-std::abs(z)));
}

}  // namespace

EncoderSource::EncoderSource(std::shared_ptr<FactLayer> layer,
                             const EncoderOptions& options,
                             std::uint64_t seed)
    : layer_(std::move(layer)),
      options_(options),
      encoder_(layer_->model(), options.dimension, seed),
      mean_(encoder_.parameters().size(), 0.0F),
      mean_square_(mean_) {}

AtomValues<float> EncoderSource::potentials() const {
  AtomValues<float> sum = layer_->own_potentials();
  add(sum, encoder_.unaries(), 1.0);
  return sum;
}

std::vector<double> EncoderSource::predict(std::size_t /*sample*/) {
  const auto start = Clock::now();
  std::vector<double> outputs = layer_->flat(encoder_.unaries());
  seconds_ += seconds_since(start);
  return outputs;
}

std::vector<std::vector<double>> EncoderSource::forward(std::span<const std::size_t> samples) {
  return std::vector<std::vector<double>>(samples.size(), predict(0));
}

double EncoderSource::step(std::span<const std::vector<double>> loss_in_outputs) {
  const auto start = Clock::now();
  AtomValues<float> slopes = layer_->layer().no_unaries();
  for (const std::vector<double>& of_sample : loss_in_outputs) {
    std::size_t next = 0;
    for (std::vector<float>& of_predicate : slopes) {
      for (float& slope : of_predicate) {
        slope += static_cast<float>(options_.through_layer * of_sample[next++]);
      }
    }
  }
  const double loss = add_own_losses(slopes);
  follow(encoder_.gradient(slopes));
  seconds_ += seconds_since(start);
  return loss;
}

double EncoderSource::own_loss() {
  AtomValues<float> slopes = layer_->layer().no_unaries();
  return add_own_losses(slopes);
}

// The loss has no value of violations and of decay: they are no likelihoods.
double EncoderSource::add_own_losses(AtomValues<float>& slopes) {
  const AtomValues<float> now = potentials();
  double loss = add_facts(now, slopes);
  if (options_.distillation > 0.0) loss += add_distillation(now, slopes);
  if (options_.expected_violation > 0.0) add_expected_violation(now, slopes);
  return loss;
}

double EncoderSource::add_facts(const AtomValues<float>& potentials,
                                AtomValues<float>& slopes) const {
  const std::vector<DrawnFact>& training = layer_->draws().training();
  const double share =
      options_.from_facts / static_cast<double>(std::max<std::size_t>(1, training.size()));
  double loss = 0.0;
  for (const std::vector<DrawnFact>* facts : {&training, &layer_->drawn().presumed}) {
    for (const auto& [p, atom] : *facts) {
      loss += share * likelihood_loss(layer_->layouts()[p], atom, potentials[p], share, slopes[p]);
    }
  }
  return loss;
}

// The cross-entropy of the encoder's marginals from the layer's, which sees all facts but those
// that are held out.
double EncoderSource::add_distillation(const AtomValues<float>& potentials,
                                       AtomValues<float>& slopes) {
  layer_->hide({});
  const AtomValues<float> targets = layer_->layer().infer(potentials).marginals;
  double sum = 0.0;
  for (std::size_t p = 0; p < targets.size(); ++p) {
    const AtomLayout& layout = layer_->layouts()[p];
    // Predicates count alike: those of few atoms would be lost among pairs.
    const std::size_t channels = layout.num_channels;
    const double share =
        options_.distillation / std::max(1.0, static_cast<double>(layout.num_atoms));
    for (std::size_t atom = 0; atom * channels < potentials[p].size(); ++atom) {
      // A mixture of values, each with its likelihood.
      for (std::uint32_t value = 0; value < std::max<std::size_t>(2, channels); ++value) {
        const auto target =
            static_cast<double>(targets[p][atom * channels + (channels > 1 ? value : 0)]);
        const double times = share * (channels > 1 || value == 1 ? target : 1.0 - target);
        sum += times * likelihood_loss(layout, {atom, value}, potentials[p], times, slopes[p]);
      }
    }
  }
  return sum;
}

// dE/dQ times dQ/dz, divided by the number of atoms.
void EncoderSource::add_expected_violation(const AtomValues<float>& potentials,
                                           AtomValues<float>& slopes) {
  MeanField& layer = layer_->layer();
  MeanFieldOptions none = layer_->inference();
  none.iterations = 0;
  layer.set_options(none);
  const AtomValues<float> marginals = layer.infer(potentials, true).marginals;
  const AtomValues<float> in_marginals = layer.messages(marginals);
  const double count = std::max(1.0, static_cast<double>(layer_->num_potentials()));
  add(slopes, layer.backward(in_marginals).in_unaries, -options_.expected_violation / count);
  layer.set_options(layer_->inference());
}

// Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015, algorithm 1).
void EncoderSource::follow(std::vector<float> gradient) {
  constexpr auto kMean = static_cast<float>(kAdamMean);
  constexpr float kMeanSquare = 0.999F, kTiny = 1e-8F;  // the paper's
  const std::span<float> parameters = encoder_.parameters();
  const auto steps = static_cast<float>(++num_steps_);
  const float mean_scale = 1.0F / (1.0F - std::pow(kMean, steps));
  const float square_scale = 1.0F / (1.0F - std::pow(kMeanSquare, steps));
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const float slope = gradient[i] + static_cast<float>(options_.decay) * parameters[i];
    mean_[i] = kMean * mean_[i] + (1.0F - kMean) * slope;
    mean_square_[i] = kMeanSquare * mean_square_[i] + (1.0F - kMeanSquare) * slope * slope;
    parameters[i] -= static_cast<float>(options_.step) * mean_[i] * mean_scale /
                     (std::sqrt(mean_square_[i] * square_scale) + kTiny);
  }
}

std::vector<NetworkState> EncoderSource::memory() const {
  NetworkState state;
  state.learning_rate = options_.step;
  state.steps = num_steps_;
  state.first_moments = mean_;
  state.second_moments = mean_square_;
  const std::span<const float> own = encoder_.parameters();
  state.parameters.assign(own.begin(), own.end());
  return {std::move(state)};
}

void EncoderSource::restore(std::span<const NetworkState> memory) {
  const std::size_t count = mean_.size();
  if (memory.size() != 1 || memory[0].parameters.size() != count ||
      memory[0].first_moments.size() != count || memory[0].second_moments.size() != count) {
    throw LearnError(
        "the state to go on from is of another encoder: is meanfield.dimension as it was?");
  }
  num_steps_ = memory[0].steps;
  mean_ = memory[0].first_moments;
  mean_square_ = memory[0].second_moments;
  std::copy(
      memory[0].parameters.begin(), memory[0].parameters.end(), encoder_.parameters().begin());
}

bool EncoderSource::start_anew(std::uint64_t seed) {
  encoder_ = EmbeddingEncoder(layer_->model(), options_.dimension, seed);
  num_steps_ = 0;
  std::fill(mean_.begin(), mean_.end(), 0.0F);
  mean_square_ = mean_;
  return true;
}

}  // namespace sorites
