// The layer of Markov logic by mean field: iterations, and the way back through them.
#include <algorithm>
#include <utility>

#include "base/thread_pool.h"
#include "meanfield/lower.h"
#include "meanfield/program_weights.h"
#include "semantics/layer.h"
#include "semantics/mean_field_settings.h"
#include "sorites/meanfield.h"

namespace sorites {
namespace {

// Mean field. Each thread has a layer of its own; where a sample ended before does not matter,
// since the number of iterations is what was asked for.
class MeanFieldLayer final : public Layer {
 public:
  MeanFieldLayer(const Program& program, const Database& database, const MeanFieldOptions& options)
      : model_(mean_field_model(program, database)), pool_(options.threads) {
    MeanFieldOptions own = options;
    own.threads = 1;
    for (unsigned t = 0; t < pool_.num_threads(); ++t) layers_.emplace_back(model_, own);
    atoms_ = layers_.front().no_unaries();
    std::uint32_t first = 0;
    for (PredicateId p = 0; p < atoms_.size(); ++p) {
      const auto count = static_cast<std::uint32_t>(atoms_[p].size());
      if (count > 0) shape_.states.push_back({p, first, count});
      first += count;
    }
    shape_.outputs = shape_.states;
    shape_.num_outputs = shape_.num_states = first;
    shape_.weights = model_.weights;
    shape_.soft = fixed_weights(model_);
    shape_.soft.flip();
  }

  LayerShape shape() const override { return shape_; }

  void run(const LayerBatch& batch, const LayerAnswer& answer) override {
    const std::size_t samples = batch.ids.size();
    check_sizes(batch, answer, shape_);
    require_fit(batch.loss == LayerLoss::kNone, "layer: Markov logic has no loss of labels here");
    const std::size_t workers = std::min(layers_.size(), samples);
    std::vector<std::vector<double>> in_weights(workers,
                                                std::vector<double>(shape_.weights.size(), 0.0));
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
    for (const auto& of_predicate : atoms_) {
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
    const std::size_t atoms = shape_.num_states;
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
  LayerShape shape_;
  std::vector<ExactMeanField> layers_;
  AtomValues<double> atoms_;  // all 0: how many each predicate has
};

}  // namespace

std::unique_ptr<Layer> make_mean_field_layer(const LayerInput& input) {
  return std::make_unique<MeanFieldLayer>(
      input.data.program, input.data.database, mean_field_settings(input.data.options).options);
}

}  // namespace sorites
