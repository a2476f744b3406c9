#include "meanfield/mean_field_energy.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "meanfield/lower.h"
#include "meanfield/model.h"
#include "meanfield/value_odds.h"
#include "sorites/learn.h"

namespace sorites {
namespace {

// Outputs are kept away from 0 and 1, where log-odds are infinite.
constexpr double kMargin = 1e-6;

std::size_t place_of(const MeanFieldModel& model, const MeanFieldAtom& atom) {
  const std::size_t classes = model.predicates[atom.predicate].num_classes();
  return classes == 0 ? atom.atom : atom.atom * classes + atom.value;
}

// The model with the labelled targets as facts; what is a fact already stays as it is.
MeanFieldModel with_labels(MeanFieldModel model) {
  const MeanFieldTask& task = model.task;
  for (std::size_t i = 0; i < task.targets.size(); ++i) {
    const MeanFieldAtom& target = task.targets[i];
    const bool has_classes = model.predicates[target.predicate].num_classes() > 0;
    if (std::isnan(task.labels[i]) || (has_classes && task.labels[i] < 0.5)) continue;
    const std::uint32_t truth = task.labels[i] >= 0.5 ? 1 : 0;
    model.facts[target.predicate].push_back({target.atom, has_classes ? target.value : truth});
  }
  for (std::vector<KnownAtom>& facts : model.facts) {
    std::stable_sort(facts.begin(), facts.end(), [](const KnownAtom& a, const KnownAtom& b) {
      return a.atom < b.atom;
    });
    const auto same = [](const KnownAtom& a, const KnownAtom& b) { return a.atom == b.atom; };
    facts.erase(std::unique(facts.begin(), facts.end(), same), facts.end());
  }
  return model;
}

class MeanFieldEnergy final : public Energy {
 public:
  MeanFieldEnergy(MeanFieldModel model, MeanFieldOptions options)
      : model_(std::move(model)),
        task_(model_.task),
        layouts_(layouts_of(model_)),
        options_(std::move(options)),
        full_(model_, tracked()) {}

  std::size_t num_weights() const override { return model_.weights.size(); }
  std::size_t num_outputs() const override { return task_.outputs.size(); }
  std::span<const double> labels() const override { return task_.labels; }
  double gap() const override { return 0.0; }
  EnergyStatistics statistics() const override { return statistics_; }
  // Every call starts anew.
  EnergyMemory memory() const override { return {}; }
  void restore(const EnergyMemory& /*memory*/) override {}

  EnergyValue full(const Parameters& parameters, double /*sufficient_gap*/) override {
    kept_ = parameters;
    return infer(full_, model_, parameters, true);
  }

  EnergyValue latent(const Parameters& parameters, double /*sufficient_gap*/) override {
    if (!latent_) {
      labelled_ = with_labels(model_);
      latent_.emplace(labelled_, tracked());
    }
    return infer(*latent_, labelled_, parameters, false);
  }

  ProximalValue proximal(const Parameters& parameters,
                         double proximity,
                         std::span<const double> centre,
                         double /*sufficient_gap*/) override {
    kept_.reset();
    set_weights(full_, parameters);
    const AtomValues<double> unaries = unaries_of(parameters);
    MeanFieldOptions single = tracked();
    single.iterations = 0;
    full_.set_options(single);
    // Each iteration sees the pull to the centre as part of its unary potentials, half of which
    // stays: a strong pull would overshoot for ever.
    const double keep = std::max(options_.damping, 0.5);
    AtomValues<double> pulled = unaries, next = unaries;
    MeanFieldResult<double> result = full_.infer(unaries);
    for (std::size_t i = 0; i < options_.iterations; ++i) {
      const AtomValues<double> messages = full_.messages(result.marginals);
      for (std::size_t p = 0; p < unaries.size(); ++p) {
        for (std::size_t k = 0; k < unaries[p].size(); ++k) {
          next[p][k] = unaries[p][k] + messages[p][k];
        }
      }
      for (std::size_t t = 0; t < task_.targets.size(); ++t) {
        const auto& [p, at] = place(task_.targets[t]);
        next[p][at] -= 2.0 * proximity * (result.marginals[p][at] - centre[t]);
      }
      mix(pulled, next, keep);
      const AtomValues<double> before = std::exchange(result, full_.infer(pulled)).marginals;
      if (largest_change(before, result.marginals) <= options_.tolerance) break;
    }
    full_.set_options(tracked());
    ProximalValue value{value_of(full_, model_, parameters, unaries, result.marginals), {}};
    for (std::size_t t = 0; t < task_.targets.size(); ++t) {
      const double distance = value.state[t] - centre[t];
      value.value += proximity * distance * distance;
      value.in_centre.push_back(-2.0 * proximity * distance);
    }
    return value;
  }

  // The free energy of given marginals. A minimum of it is inside, so slopes at 0 and 1 are those a
  // little inside.
  StateValue at(const Parameters& parameters, std::span<const double> state) override {
    if (state.size() != task_.targets.size()) {
      throw std::invalid_argument("energy: one value per target is needed");
    }
    check_all_are_given();
    kept_.reset();
    set_weights(full_, parameters);
    const AtomValues<double> unaries = unaries_of(parameters);
    MeanFieldOptions none = tracked();
    none.iterations = 0;
    full_.set_options(none);
    AtomValues<double> marginals = full_.infer(unaries).marginals;  // facts are among them
    full_.set_options(tracked());
    for (std::size_t t = 0; t < state.size(); ++t) {
      const auto& [p, at] = place(task_.targets[t]);
      marginals[p][at] = state[t];
    }
    StateValue value{value_of(full_, model_, parameters, unaries, marginals)};
    const AtomValues<double> messages = full_.messages(marginals);
    for (std::size_t t = 0; t < state.size(); ++t) {
      const auto& [p, at] = place(task_.targets[t]);
      const double q = std::clamp(state[t], kMargin, 1.0 - kMargin);
      const double of_entropy =
          has_classes(task_.targets[t]) ? std::log(q) + 1.0 : std::log(q) - std::log1p(-q);
      value.in_state.push_back(of_entropy - unaries[p][at] - messages[p][at]);
    }
    return value;
  }

  ParameterGradient through_minimiser(const Parameters& parameters,
                                      const EnergyValue& /*minimum*/,
                                      const StateSlopes& loss) override {
    if (kept_ != parameters) full(parameters, 0.0);
    AtomValues<double> slopes = full_.no_unaries();
    for (std::size_t t = 0; t < task_.targets.size(); ++t) {
      const auto& [p, atom, value] = task_.targets[t];
      const double q = marginals_[p][place_of(model_, task_.targets[t])];
      double slope = loss.in_state[t] * q * (1.0 - q);
      if (!loss.in_log_odds.empty()) slope += loss.in_log_odds[t];
      add_odds_slope(layouts_[p], {atom, value}, log_odds_[p], slope, slopes[p]);
    }
    const MeanFieldGradient<double> gradient = full_.backward(slopes, true);
    ParameterGradient result{in_weights(parameters, gradient.in_weights), {}};
    result.in_outputs = in_outputs(parameters, gradient.in_unaries);
    return result;
  }

 private:
  MeanFieldOptions tracked() const {
    MeanFieldOptions options = options_;
    options.track_free_energy = false;
    return options;
  }

  std::pair<std::uint32_t, std::size_t> place(const MeanFieldAtom& atom) const {
    return {atom.predicate, place_of(model_, atom)};
  }

  // Unknown atoms that are no targets have marginals too, which nobody gives.
  void check_all_are_given() const {
    const AtomValues<double> shape = full_.no_unaries();
    for (std::uint32_t p = 0; p < shape.size(); ++p) {
      if (model_.predicates[p].listed) continue;  // the others are false
      const std::size_t classes = std::max<std::size_t>(model_.predicates[p].num_classes(), 1);
      std::vector<bool> given(shape[p].size(), false);
      for (const MeanFieldAtom& target : task_.targets) {
        if (target.predicate == p) given[place_of(model_, target)] = true;
      }
      for (const KnownAtom& fact : model_.facts[p]) {
        for (std::size_t c = 0; c < classes && !given.empty(); ++c) {
          given[fact.atom * classes + c] = true;
        }
      }
      const auto missing = std::count(given.begin(), given.end(), false);
      if (missing == 0) continue;
      throw LearnError("the energy of a given state is not known: " + std::to_string(missing) +
                       " unknown atoms of `" + model_.predicates[p].name +
                       "` are no targets, so no value is given for them");
    }
  }

  void set_weights(ExactMeanField& layer, const Parameters& parameters) const {
    for (std::size_t f = 0; f < model_.formulas.size(); ++f) {
      if (model_.formulas[f].hard) continue;
      std::vector<double> weights = formula_weights(model_.formulas[f], parameters.weights);
      for (double& weight : weights) weight *= parameters.weight_scale;
      layer.set_weights(f, weights);
    }
  }

  // Slopes in the weights of the program, of those in the weights of formulas.
  std::vector<double> in_weights(const Parameters& parameters,
                                 const std::vector<std::vector<double>>& of_formulas) const {
    std::vector<double> sums(num_weights(), 0.0);
    for (std::size_t f = 0; f < of_formulas.size(); ++f) {
      if (!model_.formulas[f].hard) add_weight_slopes(model_.formulas[f], of_formulas[f], sums);
    }
    for (double& slope : sums) slope *= parameters.weight_scale;
    return sums;
  }

  bool has_classes(const MeanFieldAtom& atom) const {
    return model_.predicates[atom.predicate].num_classes() > 0;
  }

  AtomValues<double> unaries_of(const Parameters& parameters) const {
    AtomValues<double> unaries = sorites::unaries_of<double>(model_);
    for (std::size_t k = 0; k < task_.outputs.size(); ++k) {
      const auto& [p, at] = place(task_.outputs[k]);
      unaries[p][at] += unary_of_output(parameters.outputs[k], has_classes(task_.outputs[k]));
    }
    return unaries;
  }

  // Slopes in the outputs of slopes in the unary potentials.
  std::vector<double> in_outputs(const Parameters& parameters,
                                 const AtomValues<double>& in_unaries) const {
    std::vector<double> result;
    for (std::size_t k = 0; k < task_.outputs.size(); ++k) {
      const auto& [p, at] = place(task_.outputs[k]);
      const double output = std::clamp(parameters.outputs[k], kMargin, 1.0 - kMargin);
      const double slope =
          has_classes(task_.outputs[k]) ? 1.0 / output : 1.0 / (output * (1.0 - output));
      result.push_back(in_unaries[p][at] * slope);
    }
    return result;
  }

  static void mix(AtomValues<double>& values, const AtomValues<double>& others, double keep) {
    for (std::size_t p = 0; p < values.size(); ++p) {
      for (std::size_t i = 0; i < values[p].size(); ++i) {
        values[p][i] = keep * values[p][i] + (1.0 - keep) * others[p][i];
      }
    }
  }

  static double largest_change(const AtomValues<double>& before, const AtomValues<double>& after) {
    double change = 0.0;
    for (std::size_t p = 0; p < before.size(); ++p) {
      for (std::size_t i = 0; i < before[p].size(); ++i) {
        change = std::max(change, std::abs(after[p][i] - before[p][i]));
      }
    }
    return change;
  }

  EnergyValue infer(ExactMeanField& layer,
                    const MeanFieldModel& model,
                    const Parameters& parameters,
                    bool keep) {
    set_weights(layer, parameters);
    const AtomValues<double> unaries = unaries_of(parameters);
    MeanFieldResult<double> result = layer.infer(unaries, keep);
    ++statistics_.solves;
    statistics_.seconds += result.seconds;
    if (result.stopped) ++statistics_.unfinished;
    EnergyValue value = value_of(layer, model, parameters, unaries, result.marginals);
    if (!keep) return value;
    log_odds_ = std::move(result.log_odds);
    marginals_ = std::move(result.marginals);
    for (std::size_t t = 0; t < task_.targets.size(); ++t) {
      const auto& [p, atom, of_value] = task_.targets[t];
      value.log_odds.push_back(is_fact(task_.targets[t])
                                   ? unary_of_output(value.state[t], false)
                                   : value_odds(layouts_[p], {atom, of_value}, log_odds_[p]));
    }
    return value;
  }

  // What messages say of it does not count.
  bool is_fact(const MeanFieldAtom& target) const {
    const std::vector<KnownAtom>& facts = model_.facts[target.predicate];
    const auto at = std::lower_bound(facts.begin(), facts.end(), KnownAtom{target.atom, 0});
    return at != facts.end() && at->atom == target.atom;
  }

  // What the free energy, which is that of unknown atoms, leaves out: a network is to agree with
  // labels as well.
  static double energy_of_facts(const MeanFieldModel& model, const AtomValues<double>& unaries) {
    double sum = 0.0;
    for (std::uint32_t p = 0; p < unaries.size(); ++p) {
      if (unaries[p].empty()) continue;  // closed
      for (const KnownAtom& known : model.facts[p]) {
        const MeanFieldAtom fact{p, known.atom, known.value};
        const bool counts = model.predicates[p].num_classes() > 0 || fact.value == 1;
        if (counts) sum -= unaries[p][place_of(model, fact)];
      }
    }
    return sum;
  }

  // The free energy at marginals, and its slopes, by the envelope theorem those at fixed marginals.
  EnergyValue value_of(ExactMeanField& layer,
                       const MeanFieldModel& model,
                       const Parameters& parameters,
                       const AtomValues<double>& unaries,
                       const AtomValues<double>& marginals) {
    EnergyValue value;
    auto violations = layer.violations(marginals);
    value.value =
        layer.free_energy(unaries, marginals, violations) + energy_of_facts(model, unaries);
    for (const MeanFieldAtom& target : task_.targets) {
      const auto& [p, at] = place(target);
      value.state.push_back(marginals[p][at]);
    }
    value.in_weights = in_weights(parameters, violations);
    AtomValues<double> in_unaries = marginals;
    for (auto& of_predicate : in_unaries) {
      for (double& marginal : of_predicate) marginal = -marginal;
    }
    value.in_outputs = in_outputs(parameters, in_unaries);
    return value;
  }

  MeanFieldModel model_;
  const MeanFieldTask& task_;  // of the model
  std::vector<AtomLayout> layouts_;
  MeanFieldOptions options_;
  ExactMeanField full_;
  std::optional<Parameters> kept_;           // whose iterations full_ holds, to go back through
  AtomValues<double> log_odds_, marginals_;  // of full_, when it was kept
  MeanFieldModel labelled_;                  // and its layer: when first asked for
  std::optional<ExactMeanField> latent_;
  EnergyStatistics statistics_;
};

}  // namespace

double unary_of_output(double output, bool of_class) {
  const double inside = std::clamp(output, kMargin, 1.0 - kMargin);
  return std::log(inside) - (of_class ? 0.0 : std::log1p(-inside));
}

std::unique_ptr<Energy> make_mean_field_energy(MeanFieldModel model,
                                               const MeanFieldOptions& options) {
  if (model.task.labels.size() != model.task.targets.size()) {
    throw std::invalid_argument("energy: one label per target is needed");
  }
  return std::make_unique<MeanFieldEnergy>(std::move(model), options);
}

std::unique_ptr<Energy> make_mean_field_energy(const Program& program,
                                               const Database& database,
                                               const MeanFieldOptions& options) {
  return make_mean_field_energy(mean_field_model(program, database), options);
}

}  // namespace sorites
