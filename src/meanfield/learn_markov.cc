#include "meanfield/learn_markov.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "meanfield/adam.h"
#include "meanfield/atom_state.h"
#include "meanfield/encoder.h"
#include "meanfield/fact_draws.h"
#include "meanfield/lower.h"

namespace sorites {
namespace {

double log_sum_exp(std::span<const float> numbers) {
  const auto largest = static_cast<double>(*std::max_element(numbers.begin(), numbers.end()));
  double sum = 0.0;
  for (const float number : numbers) sum += std::exp(static_cast<double>(number) - largest);
  return largest + std::log(sum);
}

// The negative log-likelihood of an atom's value by its log-odds (per class, or of true), and its
// slopes, which are added times `factor`.
double likelihood_loss(const AtomLayout& layout,
                       const KnownAtom& fact,
                       std::span<const float> log_odds,
                       double factor,
                       std::span<float> slopes) {
  const std::size_t channels = layout.num_channels, first = fact.atom * channels;
  if (!layout.has_classes()) {
    const auto z = static_cast<double>(log_odds[first]);
    const double sign = fact.value == 1 ? 1.0 : -1.0;
    const double wrong = 1.0 / (1.0 + std::exp(sign * z));  // probability of the other value
    slopes[first] += static_cast<float>(-factor * sign * wrong);
    return std::max(-sign * z, 0.0) + std::log1p(std::exp(-std::abs(z)));
  }
  const std::span<const float> own = log_odds.subspan(first, channels);
  const double log_sum = log_sum_exp(own);
  for (std::size_t c = 0; c < channels; ++c) {
    const double probability = std::exp(static_cast<double>(own[c]) - log_sum);
    slopes[first + c] += static_cast<float>(factor * (probability - (c == fact.value ? 1.0 : 0.0)));
  }
  return log_sum - static_cast<double>(own[fact.value]);
}

bool is_learned(const MeanFieldRule& rule, const MarkovLearnOptions& options) {
  if (rule.hard || options.weight_step == 0.0) return false;
  return options.learn_weights == LearnedWeights::kAll ||
         (options.learn_weights == LearnedWeights::kPlus && rule.plus);
}

bool is_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

class MarkovLearner {
 public:
  MarkovLearner(const MeanFieldModel& model, const MarkovLearnOptions& options)
      : model_(model),
        options_(options),
        layouts_(layouts_of(model)),
        layer_(model, options.inference),
        draws_(model, options.hidden, options.validation, options.seed),
        own_unaries_(unaries_of<float>(model)) {
    weights_ = model.weights;
    for (const MeanFieldRule& rule : model.rules) {
      const bool learned = is_learned(rule, options);
      is_learned_.insert(is_learned_.end(), rule.num_weights, learned);
      if (!learned || !rule.plus) continue;
      std::fill_n(weights_.begin() + static_cast<std::ptrdiff_t>(rule.first_weight),
                  rule.num_weights,
                  options.plus_start);
    }
    first_weights_ = weights_;
    set_weights();
    if (options.dimension > 0) encoder_.emplace(model, options.dimension, options.seed);
    check();
    best_ = parameters();
  }

  MarkovLearnResult run(const std::function<void(const MarkovEpoch&)>& on_epoch) {
    const auto start = std::chrono::steady_clock::now();
    MarkovLearnResult result;
    const bool learns = draws_.has_facts() || encoder_;
    for (std::uint64_t e = 1; learns && e <= options_.epochs; ++e) {
      result.stopped = options_.stop.stop_requested();
      if (result.stopped) break;
      keep_if_best(e - 1);
      result.got_no_better = options_.patience > 0 && e > best_epoch_ + options_.patience;
      if (result.got_no_better) break;
      MarkovEpoch epoch = step();
      result.diverged = !std::isfinite(epoch.loss) || !std::isfinite(epoch.distillation);
      if (result.diverged) break;
      epoch.epoch = e;
      epoch.seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      result.epochs.push_back(epoch);
      if (on_epoch) on_epoch(epoch);
    }
    result.diverged = result.diverged || !all_finite();
    if (!result.diverged) keep_if_best(result.epochs.size());
    restore(best_);
    result.kept_epoch = best_epoch_;
    result.had_facts = draws_.has_facts();
    for (const MeanFieldRule& rule : model_.rules) {
      const auto first = weights_.begin() + static_cast<std::ptrdiff_t>(rule.first_weight);
      result.weights.emplace_back(first, first + static_cast<std::ptrdiff_t>(rule.num_weights));
    }
    result.unaries = unaries();
    return result;
  }

 private:
  struct Parameters {
    std::vector<double> weights;
    std::vector<float> encoder;
  };

  void check() const {
    const bool learns_weights =
        std::find(is_learned_.begin(), is_learned_.end(), true) != is_learned_.end();
    if (!learns_weights && !encoder_) {
      throw std::invalid_argument(
          "nothing to learn: no weight of a formula, and no encoder (its dimension is 0)");
    }
  }

  Parameters parameters() const {
    if (!encoder_) return {weights_, {}};
    const std::span<const float> own = std::as_const(*encoder_).parameters();
    return {weights_, {own.begin(), own.end()}};
  }
  void restore(const Parameters& from) {
    weights_ = from.weights;
    if (encoder_)
      std::copy(from.encoder.begin(), from.encoder.end(), encoder_->parameters().begin());
  }
  bool all_finite() const {
    const Parameters now = parameters();
    return is_finite(now.weights) &&
           std::all_of(
               now.encoder.begin(), now.encoder.end(), [](float x) { return std::isfinite(x); });
  }

  AtomValues<float> unaries() const {
    AtomValues<float> sum = own_unaries_;
    if (encoder_) add(sum, encoder_->unaries(), 1.0);
    return sum;
  }

  // The mean loss of what was drawn, by inference from all other facts; adds its slopes in
  // log-odds.
  double infer_hidden(const FactDraw& draw,
                      const AtomValues<float>& potentials,
                      bool keep,
                      AtomValues<float>& slopes) {
    auto known = draws_.known_without(draw);
    for (std::size_t p = 0; p < known.size(); ++p) {
      if (!layouts_[p].closed) layer_.set_known(p, std::move(known[p]));
    }
    const auto inferred = layer_.infer(potentials, keep);
    const double share = 1.0 / static_cast<double>(draw.hidden.size() + draw.presumed.size());
    double loss = 0.0;
    for (const std::vector<Fact>* facts : {&draw.hidden, &draw.presumed}) {
      for (const auto& [p, atom] : *facts) {
        loss += share * likelihood_loss(layouts_[p], atom, inferred.log_odds[p], share, slopes[p]);
      }
    }
    return loss;
  }

  // Keeps the parameters if they do better on what is hidden to check them than all before; without
  // anything to check by, the last.
  void keep_if_best(std::uint64_t epoch) {
    if (!draws_.validation().hidden.empty()) {
      AtomValues<float> slopes = layer_.no_unaries();
      const double loss = infer_hidden(draws_.validation(), unaries(), false, slopes);
      if (!(loss < best_loss_)) return;
      best_loss_ = loss;
    }
    best_ = parameters();
    best_epoch_ = epoch;
  }

  MarkovEpoch step() {
    MarkovEpoch epoch;
    const AtomValues<float> potentials = unaries();
    AtomValues<float> in_unaries = layer_.no_unaries();
    const FactDraw draw = draws_.draw();
    presumed_ = draw.presumed;
    if (!draw.hidden.empty()) {
      AtomValues<float> slopes = layer_.no_unaries();
      epoch.loss = infer_hidden(draw, potentials, true, slopes);
      const auto gradient = layer_.backward(slopes, true);
      move_weights(gradient.in_weights);
      add(in_unaries, gradient.in_unaries, options_.through_layer);
    }
    if (encoder_) epoch.distillation = move_encoder(potentials, std::move(in_unaries));
    return epoch;
  }

  void set_weights() {
    for (std::size_t f = 0; f < model_.formulas.size(); ++f) {
      if (!model_.formulas[f].hard) {
        layer_.set_weights(f, formula_weights(model_.formulas[f], weights_));
      }
    }
  }

  void move_weights(const std::vector<std::vector<double>>& slopes) {
    std::vector<double> gradient(weights_.size(), 0.0);
    for (std::size_t f = 0; f < model_.formulas.size(); ++f) {
      if (!model_.formulas[f].hard) add_weight_slopes(model_.formulas[f], slopes[f], gradient);
    }
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      gradient[i] = is_learned_[i]
                        ? gradient[i] + options_.weight_prior * (weights_[i] - first_weights_[i])
                        : 0.0;
    }
    weight_steps_.step(weights_, gradient, options_.weight_step);
    set_weights();
  }

  // Returns the mean cross-entropy of the encoder's marginals from the layer's.
  double move_encoder(const AtomValues<float>& potentials, AtomValues<float> slopes) {
    double distillation = 0.0;
    if (options_.distillation > 0.0) {
      for (std::size_t p = 0; p < layouts_.size(); ++p) layer_.set_known(p, layouts_[p].known);
      const AtomValues<float> targets = layer_.infer(potentials).marginals;
      distillation = add_distillation(potentials, targets, slopes);
    }
    const double share = options_.from_facts /
                         static_cast<double>(std::max<std::size_t>(1, draws_.training().size()));
    for (const std::vector<Fact>* facts : {&draws_.training(), &std::as_const(presumed_)}) {
      for (const auto& [p, atom] : *facts) {
        likelihood_loss(layouts_[p], atom, potentials[p], share, slopes[p]);
      }
    }
    if (options_.expected_violation > 0.0) add_expected_violation(potentials, slopes);
    std::vector<float> gradient = encoder_->gradient(slopes);
    const std::span<float> parameters = encoder_->parameters();
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      gradient[i] += static_cast<float>(options_.encoder_decay) * parameters[i];
    }
    encoder_steps_.step(parameters, gradient, options_.encoder_step);
    return distillation;
  }

  double add_distillation(const AtomValues<float>& potentials,
                          const AtomValues<float>& targets,
                          AtomValues<float>& slopes) const {
    double sum = 0.0;
    for (std::size_t p = 0; p < layouts_.size(); ++p) {
      // Predicates count alike: those of few atoms would be lost among pairs.
      const std::size_t channels = layouts_[p].num_channels;
      const double share =
          options_.distillation / std::max(1.0, static_cast<double>(layouts_[p].num_atoms));
      for (std::size_t atom = 0; atom * channels < potentials[p].size(); ++atom) {
        // A mixture of values, each with its likelihood.
        for (std::uint32_t value = 0; value < std::max<std::size_t>(2, channels); ++value) {
          const auto target =
              static_cast<double>(targets[p][atom * channels + (channels > 1 ? value : 0)]);
          const double times = channels > 1 || value == 1 ? target : 1.0 - target;
          sum +=
              share * times *
              likelihood_loss(layouts_[p], {atom, value}, potentials[p], share * times, slopes[p]);
        }
      }
    }
    return sum;
  }

  // dE/dQ times dQ/dz, divided by the number of atoms.
  void add_expected_violation(const AtomValues<float>& potentials, AtomValues<float>& slopes) {
    MeanFieldOptions none = options_.inference;
    none.iterations = 0;
    layer_.set_options(none);
    const AtomValues<float> marginals = layer_.infer(potentials, true).marginals;
    AtomValues<float> in_marginals = layer_.messages(marginals);
    double count = 0.0;
    for (const auto& of_predicate : in_marginals) count += static_cast<double>(of_predicate.size());
    add(slopes, layer_.backward(in_marginals).in_unaries, -options_.expected_violation / count);
    layer_.set_options(options_.inference);
  }

  static void add(AtomValues<float>& sum, const AtomValues<float>& more, double factor) {
    for (std::size_t p = 0; p < sum.size(); ++p) {
      for (std::size_t i = 0; i < sum[p].size(); ++i) {
        sum[p][i] += static_cast<float>(factor) * more[p][i];
      }
    }
  }

  const MeanFieldModel& model_;
  const MarkovLearnOptions& options_;
  std::vector<AtomLayout> layouts_;
  MeanField layer_;
  FactDraws draws_;
  std::vector<Fact> presumed_;  // false, this epoch
  AtomValues<float> own_unaries_;
  std::vector<double> weights_, first_weights_;                 // of the program
  std::vector<bool> is_learned_;                                // per weight
  double best_loss_ = std::numeric_limits<double>::infinity();  // of validation
  Parameters best_;
  std::uint64_t best_epoch_ = 0;
  Adam<double> weight_steps_;
  std::optional<EmbeddingEncoder> encoder_;
  Adam<float> encoder_steps_;
};

}  // namespace

MarkovLearnResult learn_markov(const MeanFieldModel& model,
                               const MarkovLearnOptions& options,
                               const std::function<void(const MarkovEpoch&)>& on_epoch) {
  return MarkovLearner(model, options).run(on_epoch);
}

MarkovLearnResult learn_markov(const Program& program,
                               const Database& database,
                               const MarkovLearnOptions& options,
                               const std::function<void(const MarkovEpoch&)>& on_epoch) {
  return learn_markov(mean_field_model(program, database), options, on_epoch);
}

std::string_view name_of(LearnedWeights weights) {
  switch (weights) {
    case LearnedWeights::kAll:
      return "all";
    case LearnedWeights::kPlus:
      return "plus";
    case LearnedWeights::kNone:
      return "none";
  }
  return {};  // not reached: the switch is complete
}

std::optional<LearnedWeights> learned_weights_named(std::string_view name) {
  for (const auto weights : {LearnedWeights::kAll, LearnedWeights::kPlus, LearnedWeights::kNone}) {
    if (name == name_of(weights)) return weights;
  }
  return std::nullopt;
}

}  // namespace sorites
