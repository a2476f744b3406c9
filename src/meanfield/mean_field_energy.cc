#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "lang/mln/atom_index.h"
#include "sorites/meanfield_energy.h"

namespace sorites {
namespace {

// Outputs are kept away from 0 and 1, where log-odds are infinite.
constexpr double kMargin = 1e-6;

std::size_t place_of(const MarkovModel& model, const MarkovAtom& atom) {
  const std::size_t classes = model.predicates[atom.predicate].classes.size();
  return classes == 0 ? atom.atom : atom.atom * classes + atom.value;
}

// The model with the labelled targets as facts.
MarkovModel with_labels(MarkovModel model, const MarkovTask& task) {
  for (std::size_t i = 0; i < task.targets.size(); ++i) {
    const MarkovAtom& target = task.targets[i];
    const bool has_classes = !model.predicates[target.predicate].classes.empty();
    if (std::isnan(task.labels[i]) || (has_classes && task.labels[i] < 0.5)) continue;
    MarkovAtoms& facts = model.facts[target.predicate];
    const auto constants = markov::atom_constants(model, target.predicate, target.atom);
    facts.constants.insert(facts.constants.end(), constants.begin(), constants.end());
    facts.values.push_back(has_classes ? target.value : (task.labels[i] >= 0.5 ? 1 : 0));
  }
  return model;
}

class MeanFieldEnergy final : public Energy {
 public:
  MeanFieldEnergy(const MarkovModel& model, MarkovTask task, MeanFieldOptions options)
      : model_(model),
        task_(std::move(task)),
        options_(std::move(options)),
        full_(model, tracked()) {
    if (task_.labels.size() != task_.targets.size()) {
      throw std::invalid_argument("energy: one label per target is needed");
    }
    for (const MarkovFormula& formula : model.formulas) {
      first_weight_.push_back(num_weights_);
      num_weights_ += formula.hard ? 1 : formula.weights.size();
    }
  }

  std::size_t num_weights() const override { return num_weights_; }
  std::size_t num_outputs() const override { return task_.outputs.size(); }
  std::span<const double> labels() const override { return task_.labels; }
  void set_effort(double) override {}
  void set_sufficient_gap(double) override {}
  EnergyStatistics statistics() const override { return statistics_; }
  std::vector<double> memory() const override { return {}; }  // every call starts anew
  void restore(std::span<const double>) override {}

  EnergyValue full(const Parameters& parameters) override {
    return infer(full_, model_, parameters, true);
  }

  EnergyValue latent(const Parameters& parameters) override {
    if (!latent_) {
      labelled_ = with_labels(model_, task_);
      latent_.emplace(labelled_, tracked());
    }
    return infer(*latent_, labelled_, parameters, false);
  }

  ProximalValue proximal(const Parameters& parameters,
                         double proximity,
                         std::span<const double> centre) override {
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

  ParameterGradient through_minimiser(const Parameters& parameters,
                                      std::span<const double> loss_in_state) override {
    AtomValues<double> slopes = full_.no_unaries();
    for (std::size_t t = 0; t < task_.targets.size(); ++t) {
      const auto& [p, at] = place(task_.targets[t]);
      slopes[p][at] += loss_in_state[t];
    }
    const MeanFieldGradient<double> gradient = full_.backward(slopes);
    ParameterGradient result{std::vector<double>(num_weights_, 0.0), {}};
    for (std::size_t f = 0; f < gradient.in_weights.size(); ++f) {
      for (std::size_t i = 0; i < gradient.in_weights[f].size(); ++i) {
        result.in_weights[first_weight_[f] + i] =
            gradient.in_weights[f][i] * parameters.weight_scale;
      }
    }
    result.in_outputs = in_outputs(parameters, gradient.in_unaries);
    return result;
  }

 private:
  MeanFieldOptions tracked() const {
    MeanFieldOptions options = options_;
    options.track_free_energy = false;
    return options;
  }

  std::pair<std::uint32_t, std::size_t> place(const MarkovAtom& atom) const {
    return {atom.predicate, place_of(model_, atom)};
  }

  void set_weights(ExactMeanField& layer, const Parameters& parameters) const {
    for (std::size_t f = 0; f < first_weight_.size(); ++f) {
      if (model_.formulas[f].hard) continue;
      std::vector<double> weights = model_.formulas[f].weights;
      for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = parameters.weights[first_weight_[f] + i] * parameters.weight_scale;
      }
      layer.set_weights(f, weights);
    }
  }

  bool has_classes(const MarkovAtom& atom) const {
    return !model_.predicates[atom.predicate].classes.empty();
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
                    const MarkovModel& model,
                    const Parameters& parameters,
                    bool keep) {
    set_weights(layer, parameters);
    const AtomValues<double> unaries = unaries_of(parameters);
    const MeanFieldResult<double> result = layer.infer(unaries, keep);
    ++statistics_.solves;
    statistics_.seconds += result.seconds;
    if (result.stopped) ++statistics_.unfinished;
    return value_of(layer, model, parameters, unaries, result.marginals);
  }

  // What the free energy, which is that of unknown atoms, leaves out: a network is to agree with
  // labels as well.
  static double energy_of_facts(const MarkovModel& model, const AtomValues<double>& unaries) {
    double sum = 0.0;
    for (std::uint32_t p = 0; p < unaries.size(); ++p) {
      if (unaries[p].empty()) continue;  // closed
      const MarkovAtoms& facts = model.facts[p];
      for (std::size_t i = 0; i < facts.size(); ++i) {
        const std::size_t atom =
            markov::atom_number(model, p, markov::constants_of(model, p, facts, i));
        const MarkovAtom fact{p, atom, facts.values[i]};
        const bool counts = !model.predicates[p].classes.empty() || fact.value == 1;
        if (counts) sum -= unaries[p][place_of(model, fact)];
      }
    }
    return sum;
  }

  // The free energy at marginals, and its slopes, by the envelope theorem those at fixed marginals.
  EnergyValue value_of(ExactMeanField& layer,
                       const MarkovModel& model,
                       const Parameters& parameters,
                       const AtomValues<double>& unaries,
                       const AtomValues<double>& marginals) {
    EnergyValue value;
    value.value = layer.free_energy(unaries, marginals) + energy_of_facts(model, unaries);
    for (const MarkovAtom& target : task_.targets) {
      const auto& [p, at] = place(target);
      value.state.push_back(marginals[p][at]);
    }
    const auto violations = layer.violations(marginals);
    value.in_weights.assign(num_weights_, 0.0);
    for (std::size_t f = 0; f < violations.size(); ++f) {
      if (model_.formulas[f].hard) continue;
      for (std::size_t i = 0; i < violations[f].size(); ++i) {
        value.in_weights[first_weight_[f] + i] = violations[f][i] * parameters.weight_scale;
      }
    }
    AtomValues<double> in_unaries = marginals;
    for (auto& of_predicate : in_unaries) {
      for (double& marginal : of_predicate) marginal = -marginal;
    }
    value.in_outputs = in_outputs(parameters, in_unaries);
    return value;
  }

  MarkovModel model_;
  MarkovTask task_;
  MeanFieldOptions options_;
  std::vector<std::size_t> first_weight_;  // per formula
  std::size_t num_weights_ = 0;
  ExactMeanField full_;
  MarkovModel labelled_;  // and its layer: when first asked for
  std::optional<ExactMeanField> latent_;
  EnergyStatistics statistics_;
};

}  // namespace

double unary_of_output(double output, bool of_class) {
  const double inside = std::clamp(output, kMargin, 1.0 - kMargin);
  return std::log(inside) - (of_class ? 0.0 : std::log1p(-inside));
}

MarkovTask task_of(const MarkovModel& model) {
  MarkovTask task;
  for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
    const MarkovPredicate& predicate = model.predicates[p];
    const MarkovAtoms& queries = model.queries[p];
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const auto constants = markov::constants_of(model, p, queries, i);
      const std::size_t atom = markov::atom_number(model, p, constants);
      const std::uint32_t truth = queries.values[i];
      if (predicate.classes.empty()) {
        task.targets.push_back({p, atom, 1});
        task.labels.push_back(truth == kUnknownValue ? kLatent : static_cast<double>(truth));
        continue;
      }
      for (std::uint32_t c = 0; c < predicate.classes.size(); ++c) {
        task.targets.push_back({p, atom, c});
        task.labels.push_back(truth == kUnknownValue ? kLatent : (truth == c ? 1.0 : 0.0));
      }
    }
  }
  return task;
}

std::vector<double> weights_of(const MarkovModel& model) {
  std::vector<double> weights;
  for (const MarkovFormula& formula : model.formulas) {
    if (formula.hard) {
      weights.push_back(0.0);
    } else {
      weights.insert(weights.end(), formula.weights.begin(), formula.weights.end());
    }
  }
  return weights;
}

std::unique_ptr<Energy> make_mean_field_energy(const MarkovModel& model,
                                               MarkovTask task,
                                               const MeanFieldOptions& options) {
  return std::make_unique<MeanFieldEnergy>(model, std::move(task), options);
}

}  // namespace sorites
