#include "learn/epochs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

#include "base/thread_pool.h"
#include "learn/descent.h"

namespace sorites {
namespace {

class Epochs {
 public:
  Epochs(LearnSet& training,
         WeightSpace& space,
         const LearnOptions& options,
         LearnProgress& progress)
      : training_(training),
        networks_(training.networks),
        space_(space),
        options_(options),
        progress_(progress) {
    descent_ = options.algorithm == LearnAlgorithm::kBilevel
                   ? make_bilevel_descent(training, options)
                   : make_gradient_descent(training, options);
    all_.resize(training.samples.size());
    std::iota(all_.begin(), all_.end(), std::size_t{0});
  }

  LearnStop run(std::vector<double> weights, bool resumed) {
    if (resumed) {
      weights = progress_.state().weights;
      restore(progress_.state().steps);
    }
    for (std::uint64_t epoch = resumed ? progress_.state().epoch : 0;; ++epoch) {
      progress_.begin(epoch, weights);
      progress_.state().steps = state();
      std::vector<std::vector<double>> states(all_.size());
      if (epoch == 0 || !in_parts()) look(weights, epoch, states);
      LearnEpoch record;
      record.loss = loss_;
      record.gradient_norm = gradient_norm_;
      record.movement = movement_;
      descent_->describe(record);
      if (epoch % std::max<std::uint64_t>(options_.metric_period, 1) == 0) {
        progress_.measure(states, record);
      }
      if (progress_.interrupted()) return LearnStop::kInterrupted;
      progress_.finish(record);
      if (const auto why = stop(epoch)) return *why;
      move(weights, epoch + 1);
      if (progress_.interrupted()) return LearnStop::kInterrupted;
      check_finite(epoch + 1);  // before the state of the last good epoch is given up
    }
  }

 private:
  // Whether an epoch has steps of its own. Otherwise its step follows the gradient of all samples,
  // which the epoch has looked at anyhow.
  bool in_parts() const { return options_.samples_per_step > 0 || networks_ != nullptr; }

  // Loss and gradient of all samples.
  void look(const std::vector<double>& weights,
            std::uint64_t epoch,
            std::vector<std::vector<double>>& states) {
    gradient_ = evaluate(weights, all_, states, epoch);
    loss_ = gradient_.of_inference + (networks_ != nullptr ? networks_->own_loss() : 0.0);
    gradient_norm_ = space_.clip(gradient_.in_weights);
    check_finite(epoch);
  }

  // The loss of some samples, with their share of the regularisers.
  LossGradient evaluate(const std::vector<double>& weights,
                        std::span<const std::size_t> samples,
                        std::vector<std::vector<double>>& states,
                        std::uint64_t epoch) {
    LossGradient now;
    if (networks_learn_alone(epoch)) {
      now.in_weights.assign(weights.size(), 0.0);
      for (const std::size_t s : samples) {
        now.in_outputs.emplace_back(training_.samples[s].energy->num_outputs(), 0.0);
      }
      return now;
    }
    now = descent_->evaluate(weights, samples, 1.0, states);
    std::vector<double> slopes(weights.size(), 0.0);
    const double share = static_cast<double>(samples.size()) / static_cast<double>(all_.size());
    space_.see_loss(now.of_inference / share, weights);
    const double regularizer = share * space_.regularize(weights, slopes);
    now.value += regularizer;
    now.of_inference += regularizer;
    for (std::size_t r = 0; r < slopes.size(); ++r) now.in_weights[r] += share * slopes[r];
    return now;
  }

  bool networks_learn_alone(std::uint64_t epoch) const {
    return networks_ != nullptr && epoch <= options_.network_epochs && options_.network_epochs > 0;
  }

  void move(std::vector<double>& weights, std::uint64_t epoch) {
    const std::vector<double> before = weights;
    if (in_parts()) {
      move_in_parts(weights, epoch);
      if (progress_.interrupted()) return;
    } else {
      space_.step(weights, gradient_.in_weights, step_length(options_, epoch));
    }
    double moved = 0.0, size = 0.0;
    for (const std::size_t r : space_.learned()) {
      moved += (weights[r] - before[r]) * (weights[r] - before[r]);
      size += before[r] * before[r];
    }
    movement_ = moved / std::max(size, std::numeric_limits<double>::min());
    if (networks_learn_alone(epoch)) return;
    CleanOutputs outputs;
    if (networks_ != nullptr) outputs = [&](std::size_t s) { return networks_->predict(s); };
    converged_ = descent_->finish_epoch(weights, std::sqrt(movement_), outputs);
  }

  // Steps after some of the samples in random order, or one for all of them.
  void move_in_parts(std::vector<double>& weights, std::uint64_t epoch) {
    if (networks_ != nullptr) networks_->begin_epoch(epoch, options_.max_epochs);
    loss_ = 0.0;
    std::vector<double> sum(weights.size(), 0.0);  // of the gradients of all steps
    std::vector<std::size_t> order = all_;
    const std::size_t most = options_.samples_per_step;
    std::mt19937_64 random(options_.seed + epoch);
    if (most > 0) std::shuffle(order.begin(), order.end(), random);
    // Parts of nearly the same size: a small last one would count as much as the others.
    const std::size_t parts = most > 0 ? (order.size() + most - 1) / most : 1;
    for (std::size_t p = 0; p < parts; ++p) {
      if (progress_.interrupted()) return;
      const Part part = part_of(order.size(), parts, p);
      step(weights, {order.data() + part.begin, part.end - part.begin}, epoch, sum);
    }
    gradient_norm_ = space_.clip(sum);
  }

  void step(std::vector<double>& weights,
            std::span<const std::size_t> samples,
            std::uint64_t epoch,
            std::vector<double>& sum) {
    if (networks_ != nullptr) take_outputs(samples);
    std::vector<std::vector<double>> states(all_.size());
    LossGradient now = evaluate(weights, samples, states, epoch);
    loss_ += now.of_inference;
    for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += now.in_weights[r];
    if (networks_ != nullptr) loss_ += networks_->step(now.in_outputs);
    if (networks_learn_alone(epoch)) return;
    space_.clip(now.in_weights);
    space_.step(weights, now.in_weights, step_length(options_, epoch));
  }

  void take_outputs(std::span<const std::size_t> samples) {
    std::vector<std::vector<double>> outputs = networks_->forward(samples);
    for (std::size_t k = 0; k < samples.size(); ++k) {
      training_.samples[samples[k]].outputs = std::move(outputs[k]);
    }
  }

  std::optional<LearnStop> stop(std::uint64_t epoch) const {
    if (const auto why = progress_.stop()) return why;
    if (converged_) return LearnStop::kConverged;
    const bool look = epoch % std::max<std::uint64_t>(options_.movement_period, 1) == 0;
    if (epoch > 0 && look && networks_ == nullptr && movement_ < options_.movement_tolerance) {
      return LearnStop::kMovement;
    }
    return epoch >= options_.max_epochs ? std::optional(LearnStop::kEpochs) : std::nullopt;
  }

  StepState state() const {
    StepState state;
    state.loss = loss_;
    state.gradient_norm = gradient_norm_;
    state.movement = movement_;
    state.converged = converged_;
    state.weights = space_.state();
    state.bilevel = descent_->state();
    return state;
  }

  void restore(const StepState& state) {
    space_.restore(state.weights);
    descent_->restore(state.bilevel);
    loss_ = state.loss;
    gradient_norm_ = state.gradient_norm;
    movement_ = state.movement;
    converged_ = state.converged;
  }

  void check_finite(std::uint64_t epoch) const {
    if (std::isfinite(loss_)) return;
    throw LearnError("the loss is no finite number any more in epoch " + std::to_string(epoch) +
                     ": try a smaller step size" +
                     (networks_ != nullptr ? " and learning rate" : "") +
                     ", or a simplex as the domain of the weights");
  }

  LearnSet& training_;
  OutputSource* networks_;
  WeightSpace& space_;
  const LearnOptions& options_;
  LearnProgress& progress_;
  std::unique_ptr<Descent> descent_;
  std::vector<std::size_t> all_;  // samples
  LossGradient gradient_;         // of all samples, where an epoch looks at them
  double loss_ = 0.0;             // of the last epoch
  double gradient_norm_ = 0.0;
  double movement_ = 0.0;  // relative squared change of the weights in the last epoch
  bool converged_ = false;
};

}  // namespace

LearnStop learn_by_steps(LearnSet& training,
                         std::vector<double> weights,
                         WeightSpace& space,
                         const LearnOptions& options,
                         LearnProgress& progress,
                         bool resumed) {
  return Epochs(training, space, options, progress).run(std::move(weights), resumed);
}

}  // namespace sorites
