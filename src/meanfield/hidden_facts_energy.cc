#include "meanfield/hidden_facts_energy.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "meanfield/value_odds.h"
#include "sorites/learn.h"

namespace sorites {
namespace {

class HiddenFactsEnergy final : public Energy {
 public:
  HiddenFactsEnergy(std::shared_ptr<FactLayer> layer, bool encoded, bool held_out)
      : layer_(std::move(layer)),
        num_outputs_(encoded ? layer_->num_potentials() : 0),
        held_out_(held_out) {
    take(held_out ? layer_->draws().validation() : FactDraw{layer_->draws().training(), {}});
  }

  std::size_t num_weights() const override { return layer_->model().weights.size(); }
  std::size_t num_outputs() const override { return num_outputs_; }
  std::span<const double> labels() const override { return labels_; }
  double gap() const override { return 0.0; }
  EnergyStatistics statistics() const override { return statistics_; }
  EnergyMemory memory() const override {
    EnergyMemory memory;
    memory.num_draws = num_draws_;
    return memory;
  }
  void restore(const EnergyMemory& memory) override { num_draws_ = memory.num_draws; }

  EnergyValue full(const Parameters& parameters, double /*gap*/) override {
    if (!held_out_) {
      FactDraw draw = layer_->draws().draw(num_draws_++);
      take(draw);
      layer_->set_drawn(std::move(draw));
    }
    layer_->hide(held_out_ ? layer_->draws().validation() : layer_->drawn());
    layer_->set_weights(parameters);
    MeanFieldResult<float> result =
        layer_->layer().infer(layer_->potentials(parameters.outputs), !held_out_);
    ++statistics_.solves;
    statistics_.seconds += result.seconds;
    if (result.stopped) ++statistics_.unfinished;
    EnergyValue value;
    value.in_weights.assign(num_weights(), 0.0);
    value.in_outputs.assign(num_outputs_, 0.0);
    for (const DrawnFact& target : targets_) {
      const std::size_t p = target.predicate;
      value.log_odds.push_back(value_odds(layer_->layouts()[p], target.atom, result.log_odds[p]));
      value.state.push_back(1.0 / (1.0 + std::exp(-value.log_odds.back())));
    }
    log_odds_ = std::move(result.log_odds);
    return value;
  }

  ParameterGradient through_minimiser(const Parameters& parameters,
                                      const EnergyValue& minimum,
                                      const StateSlopes& loss) override {
    if (held_out_ || targets_.size() != minimum.state.size()) {
      throw std::invalid_argument("energy: these facts were not inferred last");
    }
    AtomValues<float> slopes = layer_->layer().no_unaries();
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      const double q = minimum.state[t];
      double slope = loss.in_state[t] * q * (1.0 - q);
      if (!loss.in_log_odds.empty()) slope += loss.in_log_odds[t];
      const auto& [p, atom] = targets_[t];
      add_odds_slope(layer_->layouts()[p], atom, log_odds_[p], slope, slopes[p]);
    }
    const MeanFieldGradient<float> gradient = layer_->layer().backward(slopes, true);
    ParameterGradient result{layer_->in_weights(parameters, gradient.in_weights), {}};
    if (num_outputs_ > 0) result.in_outputs = layer_->flat(gradient.in_unaries);
    return result;
  }

  EnergyValue latent(const Parameters& /*parameters*/, double /*gap*/) override { refuse(); }
  ProximalValue proximal(const Parameters& /*parameters*/,
                         double /*proximity*/,
                         std::span<const double> /*centre*/,
                         double /*gap*/) override {
    refuse();
  }
  StateValue at(const Parameters& /*parameters*/, std::span<const double> /*state*/) override {
    refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw LearnError(
        "of hidden facts only the values that are inferred are known: learn by gradients of "
        "cross_entropy or squared_error");
  }

  void take(const FactDraw& draw) {
    targets_ = draw.hidden;
    targets_.insert(targets_.end(), draw.presumed.begin(), draw.presumed.end());
    labels_.clear();
    for (const auto& [p, atom] : targets_) {  // that it is true, or has the class of the fact
      labels_.push_back(layer_->layouts()[p].has_classes() ? 1.0 : atom.value);
    }
  }

  std::shared_ptr<FactLayer> layer_;
  std::size_t num_outputs_;
  bool held_out_;
  std::uint64_t num_draws_ = 0;  // the next draw depends on nothing else
  std::vector<DrawnFact> targets_;
  std::vector<double> labels_;
  AtomValues<float> log_odds_;  // of the last full()
  EnergyStatistics statistics_;
};

}  // namespace

std::unique_ptr<Energy> make_hidden_facts_energy(std::shared_ptr<FactLayer> layer, bool encoded) {
  return std::make_unique<HiddenFactsEnergy>(std::move(layer), encoded, false);
}

std::unique_ptr<Energy> make_held_out_facts_energy(std::shared_ptr<FactLayer> layer, bool encoded) {
  return std::make_unique<HiddenFactsEnergy>(std::move(layer), encoded, true);
}

}  // namespace sorites
