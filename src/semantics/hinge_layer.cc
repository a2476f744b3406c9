// The layer of hinge-loss semantics: minima of energies, and implicit differentiation.
#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/thread_pool.h"
#include "semantics/inference_settings.h"
#include "semantics/layer.h"
#include "sorites/learn.h"

namespace sorites {
namespace {

bool same(std::span<const double> a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return x == y || (x != x && y != y);
  });
}

class HingeLayer final : public Layer {
 public:
  HingeLayer(Reasoner& reasoner,
             const InferenceSettings& settings,
             const std::optional<double>& smoothing)
      : reasoner_(reasoner), pool_(settings.solve.threads) {
    shape_.outputs.assign(reasoner.outputs().begin(), reasoner.outputs().end());
    shape_.states.assign(reasoner.targets().begin(), reasoner.targets().end());
    shape_.num_outputs = count_of(shape_.outputs);
    shape_.num_states = count_of(shape_.states);
    for (const WeightSlot& slot : reasoner.weight_slots()) {
      shape_.soft.push_back(!reasoner.rules()[slot.rule].hard);
    }
    require_fit(!settings.relax, "layer: hard rules that are relaxed have no weights to learn");
    options_.energy.solve = settings.solve;
    options_.energy.solve.threads = 1;  // samples are what is done side by side
    if (smoothing) options_.energy.smoothing = *smoothing;
  }

  LayerShape shape() const override {
    LayerShape shape = shape_;
    shape.weights = reasoner_.weights();  // learning may have changed them
    return shape;
  }

  void run(const LayerBatch& batch, const LayerAnswer& answer) override {
    check_sizes(batch, answer, shape());
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
    const std::size_t size = shape_.num_states;
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
    const auto outputs = of_sample(batch.outputs, i, shape_.num_outputs);
    const auto states = of_sample(answer.states, i, shape_.num_states);
    const auto in_outputs = of_sample(answer.in_outputs, i, shape_.num_outputs);
    answer.failed[i] = 0;
    try {
      set_parameters(batch, outputs, sample);
      const EnergyValue value = value_of(batch.loss, sample);
      std::copy(value.state.begin(), value.state.end(), states.begin());
      answer.values[i] = value.value;
      ParameterGradient gradient{value.in_weights, value.in_outputs};
      if (!batch.in_states.empty()) {
        gradient = sample.energy().through_minimiser(
            sample.parameters, value, {of_sample(batch.in_states, i, shape_.num_states)});
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
  LayerShape shape_;
  ThreadPool pool_;
  SampleOptions options_;
  std::unordered_map<std::uint64_t, Sample> samples_;
};

}  // namespace

std::unique_ptr<Layer> make_hinge_layer(const LayerInput& input) {
  return std::make_unique<HingeLayer>(
      input.reasoner(), inference_settings(input.data.options), input.smoothing);
}

}  // namespace sorites
