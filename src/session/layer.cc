#include "session/layer.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "base/thread_pool.h"
#include "meanfield/lower.h"
#include "meanfield/program_weights.h"
#include "semantics/inference_settings.h"
#include "semantics/mean_field_settings.h"
#include "semantics/semantics.h"
#include "sorites/learn.h"
#include "sorites/meanfield.h"

namespace sorites {
namespace {

std::size_t count_of(const std::vector<AtomRange>& ranges) {
  std::size_t count = 0;
  for (const AtomRange& range : ranges) count += range.count;
  return count;
}

void require_fit(bool fits, const char* what) {
  if (!fits) throw std::invalid_argument(what);
}

// The numbers of one sample among those of all.
template <class Number>
std::span<Number> of_sample(std::span<Number> all, std::size_t sample, std::size_t size) {
  return all.empty() ? all : all.subspan(sample * size, size);
}

void check_layer_sizes(const LayerBatch& batch,
                       const LayerAnswer& answer,
                       std::size_t outputs,
                       std::size_t states,
                       std::size_t weights) {
  const std::size_t samples = batch.ids.size();
  require_fit(batch.outputs.size() == samples * outputs, "layer: one number per output is needed");
  require_fit(batch.weights.size() == weights, "layer: one number per weight is needed");
  require_fit(answer.states.size() == samples * states, "layer: states have another size");
  require_fit(answer.failed.size() == samples && answer.values.size() == samples,
              "layer: one value and status per sample is needed");
  require_fit(batch.labels.empty() || batch.labels.size() == samples * states,
              "layer: one label per state is needed");
  require_fit(batch.loss == LayerLoss::kNone || !batch.labels.empty(), "layer: labels are needed");
  require_fit(batch.in_states.empty() || batch.in_states.size() == samples * states,
              "layer: one slope per state is needed");
  std::vector<std::uint64_t> ids(batch.ids.begin(), batch.ids.end());
  std::sort(ids.begin(), ids.end());
  require_fit(std::adjacent_find(ids.begin(), ids.end()) == ids.end(), "layer: an id stands twice");
}

bool same(std::span<const double> a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return x == y || (x != x && y != y);
  });
}

class HingeLayer final : public Layer {
 public:
  HingeLayer(Reasoner& reasoner, const InferenceSettings& settings, double smoothing)
      : reasoner_(reasoner),
        outputs_(reasoner.outputs().begin(), reasoner.outputs().end()),
        states_(reasoner.targets().begin(), reasoner.targets().end()),
        pool_(settings.solve.threads) {
    require_fit(!settings.relax, "layer: hard rules that are relaxed have no weights to learn");
    options_.energy.solve = settings.solve;
    options_.energy.solve.threads = 1;  // samples are what is done side by side
    options_.energy.smoothing = smoothing;
  }

  std::vector<AtomRange> outputs() const override { return outputs_; }
  std::vector<AtomRange> states() const override { return states_; }
  std::vector<double> weights() const override { return reasoner_.weights(); }
  std::vector<bool> is_soft() const override {
    std::vector<bool> soft;
    for (const WeightSlot& slot : reasoner_.weight_slots()) {
      soft.push_back(!reasoner_.rules()[slot.rule].hard);
    }
    return soft;
  }

  void run(const LayerBatch& batch, const LayerAnswer& answer) override {
    const std::size_t num_weights = reasoner_.weights().size();
    check_layer_sizes(batch, answer, count_of(outputs_), count_of(states_), num_weights);
    const std::size_t samples = batch.ids.size();
    std::vector<Sample*> found;
    for (std::size_t i = 0; i < samples; ++i) found.push_back(&sample(batch, i));
    std::vector<std::vector<double>> in_weights(samples);
    pool_.for_each(samples,
                   [&](std::size_t i) { run_one(batch, answer, *found[i], i, in_weights[i]); });
    std::fill(answer.in_weights.begin(), answer.in_weights.end(), 0.0);
    for (const std::vector<double>& one : in_weights) {
      for (std::size_t w = 0; w < one.size() && !answer.in_weights.empty(); ++w) {
        answer.in_weights[w] += one[w];
      }
    }
  }

 private:
  // One id: its energy, which remembers where it ended, and what was asked last.
  struct Sample {
    std::vector<double> labels;
    Samples made;
    Parameters parameters;
    EnergyValue minimum;
    bool is_solved = false;

    Energy& energy() { return *made.energies.front(); }
  };

  Sample& sample(const LayerBatch& batch, std::size_t i) {
    const std::size_t size = count_of(states_);
    std::vector<double> labels(size, kLatent);
    const auto given = of_sample(batch.labels, i, size);
    if (!given.empty()) labels.assign(given.begin(), given.end());
    Sample& found = samples_[batch.ids[i]];
    const bool fits = !found.made.energies.empty() && (given.empty() || same(labels, found.labels));
    if (!fits) {
      found.made = reasoner_.samples(labels, options_);
      found.labels = std::move(labels);
      found.is_solved = false;
    }
    return found;
  }

  void run_one(const LayerBatch& batch,
               const LayerAnswer& answer,
               Sample& sample,
               std::size_t i,
               std::vector<double>& in_weights) const {
    const auto outputs = of_sample(batch.outputs, i, count_of(outputs_));
    const auto states = of_sample(answer.states, i, count_of(states_));
    const auto in_outputs = of_sample(answer.in_outputs, i, count_of(outputs_));
    answer.failed[i] = 0;
    try {
      set_parameters(batch, outputs, sample);
      const EnergyValue value = value_of(batch.loss, sample);
      std::copy(value.state.begin(), value.state.end(), states.begin());
      answer.values[i] = value.value;
      ParameterGradient gradient{value.in_weights, value.in_outputs};
      if (!batch.in_states.empty()) {
        gradient = sample.energy().through_minimiser(
            sample.parameters, value, {of_sample(batch.in_states, i, count_of(states_))});
      }
      if (in_outputs.size() == gradient.in_outputs.size()) {
        std::copy(gradient.in_outputs.begin(), gradient.in_outputs.end(), in_outputs.begin());
      }
      in_weights = std::move(gradient.in_weights);
    } catch (const LearnError&) {
      answer.failed[i] = 1;
      answer.values[i] = std::numeric_limits<double>::quiet_NaN();
      std::fill(states.begin(), states.end(), std::numeric_limits<double>::quiet_NaN());
      std::fill(in_outputs.begin(), in_outputs.end(), 0.0);
    }
  }

  static void set_parameters(const LayerBatch& batch,
                             std::span<const double> outputs,
                             Sample& sample) {
    const bool same_as_before =
        same(outputs, sample.parameters.outputs) && same(batch.weights, sample.parameters.weights);
    sample.is_solved = sample.is_solved && same_as_before;
    sample.parameters.outputs.assign(outputs.begin(), outputs.end());
    sample.parameters.weights.assign(batch.weights.begin(), batch.weights.end());
  }

  // The way back asks for the same minimum as the way there.
  static const EnergyValue& minimum_of(Sample& sample) {
    if (!sample.is_solved) sample.minimum = sample.energy().full(sample.parameters);
    sample.is_solved = true;
    return sample.minimum;
  }

  static EnergyValue value_of(LayerLoss loss, Sample& sample) {
    if (loss == LayerLoss::kNone) return minimum_of(sample);
    EnergyValue value = sample.energy().latent(sample.parameters);
    if (loss == LayerLoss::kEnergy) return value;
    const EnergyValue& minimum = minimum_of(sample);
    value.value -= minimum.value;
    for (std::size_t w = 0; w < value.in_weights.size(); ++w) {
      value.in_weights[w] -= minimum.in_weights[w];
    }
    for (std::size_t k = 0; k < value.in_outputs.size(); ++k) {
      value.in_outputs[k] -= minimum.in_outputs[k];
    }
    return value;
  }

  Reasoner& reasoner_;
  std::vector<AtomRange> outputs_, states_;
  ThreadPool pool_;
  SampleOptions options_;
  std::unordered_map<std::uint64_t, Sample> samples_;
};

// Mean field. Each thread has a layer of its own; where a sample ended before does not matter,
// since the number of iterations is what was asked for.
class LogicLayer final : public Layer {
 public:
  LogicLayer(const LoadedModel& loaded, const MeanFieldOptions& options)
      : model_(mean_field_model(loaded.program, loaded.database)),
        pool_(options.threads),
        all_weights_(model_.weights) {
    MeanFieldOptions own = options;
    own.threads = 1;
    for (unsigned t = 0; t < pool_.num_threads(); ++t) layers_.emplace_back(model_, own);
    shape_ = layers_.front().no_unaries();
    std::uint32_t first = 0;
    for (PredicateId p = 0; p < shape_.size(); ++p) {
      const auto count = static_cast<std::uint32_t>(shape_[p].size());
      if (count > 0) ranges_.push_back({p, first, count});
      first += count;
    }
    soft_ = fixed_weights(model_);
    soft_.flip();
  }

  std::vector<AtomRange> outputs() const override { return ranges_; }
  std::vector<AtomRange> states() const override { return ranges_; }
  std::vector<double> weights() const override { return all_weights_; }
  std::vector<bool> is_soft() const override { return soft_; }

  void run(const LayerBatch& batch, const LayerAnswer& answer) override {
    const std::size_t atoms = count_of(ranges_), samples = batch.ids.size();
    check_layer_sizes(batch, answer, atoms, atoms, all_weights_.size());
    require_fit(batch.loss == LayerLoss::kNone, "layer: Markov logic has no loss of labels here");
    const std::size_t workers = std::min(layers_.size(), samples);
    std::vector<std::vector<double>> in_weights(workers,
                                                std::vector<double>(all_weights_.size(), 0.0));
    pool_.for_each(workers, [&](std::size_t t) {
      set_weights(layers_[t], batch.weights);
      const Part part = part_of(samples, workers, t);
      for (std::size_t i = part.begin; i < part.end; ++i) {
        run_one(layers_[t], batch, answer, i, in_weights[t]);
      }
    });
    std::fill(answer.in_weights.begin(), answer.in_weights.end(), 0.0);
    for (const std::vector<double>& one : in_weights) {
      for (std::size_t w = 0; w < answer.in_weights.size(); ++w) answer.in_weights[w] += one[w];
    }
  }

 private:
  AtomValues<double> split(std::span<const double> flat) const {
    AtomValues<double> values;
    std::size_t begin = 0;
    for (const auto& of_predicate : shape_) {
      const auto part = flat.subspan(begin, of_predicate.size());
      values.emplace_back(part.begin(), part.end());
      begin += of_predicate.size();
    }
    return values;
  }

  static void join(const AtomValues<double>& values, std::span<double> flat) {
    auto to = flat.begin();
    for (const auto& of_predicate : values) {
      to = std::copy(of_predicate.begin(), of_predicate.end(), to);
    }
  }

  void set_weights(ExactMeanField& layer, std::span<const double> weights) const {
    const std::vector<double> all(weights.begin(), weights.end());
    for (std::size_t f = 0; f < model_.formulas.size(); ++f) {
      if (!model_.formulas[f].hard) {
        layer.set_weights(f, formula_weights(model_.formulas[f], all));
      }
    }
  }

  void run_one(ExactMeanField& layer,
               const LayerBatch& batch,
               const LayerAnswer& answer,
               std::size_t i,
               std::vector<double>& in_weights) const {
    const std::size_t atoms = count_of(ranges_);
    const bool back = !batch.in_states.empty();
    const auto result = layer.infer(split(of_sample(batch.outputs, i, atoms)), back);
    join(result.log_odds, of_sample(answer.states, i, atoms));
    answer.failed[i] = 0;
    answer.values[i] = 0.0;
    if (!back) return;
    const auto gradient = layer.backward(split(of_sample(batch.in_states, i, atoms)), true, true);
    if (!answer.in_outputs.empty()) {
      join(gradient.in_unaries, of_sample(answer.in_outputs, i, atoms));
    }
    for (std::size_t f = 0; f < model_.formulas.size(); ++f) {
      if (model_.formulas[f].hard) continue;
      add_weight_slopes(model_.formulas[f], gradient.in_weights[f], in_weights);
    }
  }

  MeanFieldModel model_;
  ThreadPool pool_;
  std::vector<double> all_weights_;
  std::vector<bool> soft_;
  std::vector<ExactMeanField> layers_;
  AtomValues<double> shape_;
  std::vector<AtomRange> ranges_;
};

}  // namespace

std::unique_ptr<Layer> make_layer(Session::State& state, double smoothing) {
  const LoadedModel& loaded = state.loaded().loaded;
  if (state.semantics == kHingeSemantics) {
    return std::make_unique<HingeLayer>(
        state.reasoner(), inference_settings(loaded.options), smoothing);
  }
  return std::make_unique<LogicLayer>(loaded, mean_field_settings(loaded.options).options);
}

}  // namespace sorites
