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
        progress_(progress),
        first_space_(space.state()) {
    descent_ = make_descent();
    all_.resize(training.samples.size());
    std::iota(all_.begin(), all_.end(), std::size_t{0});
  }

  LearnStop run(const std::vector<double>& first_weights, bool resumed) {
    std::vector<double> weights = first_weights;
    if (resumed) {
      weights = progress_.state().weights;
      restore(progress_.state().steps);
    }
    const std::uint64_t first = resumed ? progress_.state().epoch : 0;
    descent_->begin_epoch(first);
    for (std::uint64_t epoch = first;; ++epoch) {
      progress_.begin(epoch, weights);
      progress_.state().steps = state();
      std::vector<std::vector<double>> states(all_.size());
      if (epoch == start_epoch_ || !in_parts()) look(weights, epoch, states);
      LearnEpoch record;
      record.start = start_;
      record.loss = loss_;
      record.gradient_norm = gradient_norm_;
      record.movement = movement_;
      const bool estimates = options_.algorithm == LearnAlgorithm::kPolicy;
      if (estimates && options_.policy.draws > 1) record.gradient_variance = variance_;
      descent_->describe(record);
      if (epoch % std::max<std::uint64_t>(options_.metric_period, 1) == 0) {
        progress_.measure(states, record);
      }
      if (progress_.interrupted()) return LearnStop::kInterrupted;
      progress_.finish(record);
      if (const auto why = stop(epoch)) return *why;
      if (is_stuck(epoch) && start_anew(epoch + 1)) {
        weights = first_weights;
        continue;
      }
      move(weights, epoch + 1);
      if (progress_.interrupted()) return LearnStop::kInterrupted;
      check_finite(epoch + 1);  // before the state of the last good epoch is given up
    }
  }

 private:
  std::unique_ptr<Descent> make_descent() const {
    switch (options_.algorithm) {
      case LearnAlgorithm::kBilevel:
        return make_bilevel_descent(training_, options_);
      case LearnAlgorithm::kGradientFollowing:
        return make_gradient_following(training_, options_);
      case LearnAlgorithm::kPolicy:
        return make_policy_descent(training_, options_, space_.learned());
      default:
        return make_gradient_descent(training_, options_);
    }
  }

  // Networks that learn from what rules say may settle on a reading that the rules half tolerate:
  // even digits as odd ones and odd as even, whose sums have the right parity. Their loss then
  // stays where others have left it far behind: docs/method/learning.md has figures.
  bool is_stuck(std::uint64_t epoch) const {
    constexpr std::uint64_t kPart = 5;  // looked at after a fifth of the epochs
    constexpr double kShare = 0.25;     // of the first loss
    if (networks_ == nullptr || start_ >= options_.restarts) return false;
    if (epoch - start_epoch_ != options_.network_epochs + options_.max_epochs / kPart) return false;
    // Losses of networks that learn alone have no part of inference.
    const std::uint64_t alone = options_.network_epochs > 0 ? options_.network_epochs + 1 : 0;
    const std::uint64_t first = start_epoch_ + alone;
    for (const LearnEpoch& past : progress_.state().history) {
      if (past.epoch == first && first < epoch) return loss_ > kShare * past.loss;
    }
    return false;
  }

  // The epoch is the first of the new start; the best epoch of all starts is kept.
  bool start_anew(std::uint64_t epoch) {
    if (!networks_->start_anew(options_.seed + start_ + 1)) return false;
    ++start_;
    start_epoch_ = epoch;
    space_.restore(first_space_);
    descent_ = make_descent();
    for (const std::size_t s : all_) training_.samples[s].outputs = networks_->predict(s);
    movement_ = 0.0;
    converged_ = false;
    return true;
  }

  // Whether an epoch has steps of its own. Otherwise its step follows the gradient of all samples,
  // which the epoch has looked at anyhow.
  bool in_parts() const { return options_.samples_per_step > 0 || networks_ != nullptr; }

  // Loss and gradient of all samples.
  void look(const std::vector<double>& weights,
            std::uint64_t epoch,
            std::vector<std::vector<double>>& states) {
    variance_ = 0.0;
    gradient_ = evaluate(weights, all_, epoch, &states);
    // Of their own, networks have a mean per step: the same sum as when they learn.
    const double own = networks_ != nullptr ? networks_->own_loss() : 0.0;
    loss_ = gradient_.of_inference + static_cast<double>(steps_per_epoch()) * own;
    gradient_norm_ = space_.clip(gradient_.in_weights);
    check_finite(epoch);
  }

  // The loss of some samples, with their share of the regularisers. Without `states` nothing is
  // inferred: slopes are those at the states of the evaluation before.
  LossGradient evaluate(const std::vector<double>& weights,
                        std::span<const std::size_t> samples,
                        std::uint64_t epoch,
                        std::vector<std::vector<double>>* states) {
    LossGradient now;
    if (networks_learn_alone(epoch)) {
      now.in_weights.assign(weights.size(), 0.0);
      for (const std::size_t s : samples) {
        now.in_outputs.emplace_back(training_.samples[s].energy->num_outputs(), 0.0);
      }
      return now;
    }
    now = states != nullptr ? descent_->evaluate(weights, samples, 1.0, *states)
                            : descent_->evaluate_again(weights, samples);
    variance_ += now.variance;
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
    return networks_ != nullptr && epoch - start_epoch_ <= options_.network_epochs &&
           options_.network_epochs > 0;
  }

  void move(std::vector<double>& weights, std::uint64_t epoch) {
    const std::vector<double> before = weights;
    descent_->begin_epoch(epoch);
    if (in_parts()) {
      move_in_parts(weights, epoch);
      if (progress_.interrupted()) return;
    } else {
      space_.step(weights, gradient_.in_weights, step_length(options_, epoch - start_epoch_));
      std::vector<double> sum = gradient_.in_weights;
      for (std::uint64_t k = 1; k < options_.steps_per_inference; ++k) {
        step_again(weights, all_, epoch, sum);
      }
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

  std::size_t steps_per_epoch() const {
    const std::size_t most = options_.samples_per_step;
    return most > 0 ? (all_.size() + most - 1) / most : 1;
  }

  // Steps after some of the samples in random order, or one for all of them.
  void move_in_parts(std::vector<double>& weights, std::uint64_t epoch) {
    if (networks_ != nullptr) networks_->begin_epoch(epoch - start_epoch_, options_.max_epochs);
    loss_ = variance_ = 0.0;
    std::vector<double> sum(weights.size(), 0.0);  // of the gradients of all steps
    std::vector<std::size_t> order = all_;
    std::mt19937_64 random(options_.seed + epoch);
    if (options_.samples_per_step > 0) std::shuffle(order.begin(), order.end(), random);
    // Parts of nearly the same size: a small last one would count as much as the others.
    const std::size_t parts = steps_per_epoch();
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
    LossGradient now = evaluate(weights, samples, epoch, &states);
    loss_ += now.of_inference;
    loss_ += follow(weights, now, epoch, sum);
    if (networks_learn_alone(epoch)) return;
    for (std::uint64_t k = 1; k < options_.steps_per_inference; ++k) {
      step_again(weights, samples, epoch, sum);
    }
  }

  // A step at the states of the inference before.
  void step_again(std::vector<double>& weights,
                  std::span<const std::size_t> samples,
                  std::uint64_t epoch,
                  std::vector<double>& sum) {
    if (networks_ != nullptr) take_outputs(samples);
    LossGradient now = evaluate(weights, samples, epoch, nullptr);
    follow(weights, now, epoch, sum);
  }

  // Networks and weights take a step; returns the loss that networks have of their own.
  double follow(std::vector<double>& weights,
                LossGradient& now,
                std::uint64_t epoch,
                std::vector<double>& sum) {
    for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += now.in_weights[r];
    const double own = networks_ != nullptr ? networks_->step(now.in_outputs) : 0.0;
    if (networks_learn_alone(epoch)) return own;
    space_.clip(now.in_weights);
    space_.step(weights, now.in_weights, step_length(options_, epoch - start_epoch_));
    return own;
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
    const bool is_done = epoch - start_epoch_ >= options_.max_epochs;
    return is_done ? std::optional(LearnStop::kEpochs) : std::nullopt;
  }

  StepState state() const {
    StepState state;
    state.loss = loss_;
    state.gradient_norm = gradient_norm_;
    state.movement = movement_;
    state.converged = converged_;
    state.variance = variance_;
    state.start = start_;
    state.start_epoch = start_epoch_;
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
    variance_ = state.variance;
    start_ = state.start;
    start_epoch_ = state.start_epoch;
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
  double variance_ = 0.0;  // of the estimates of the last epoch
  WeightState first_space_;
  std::uint64_t start_ = 0, start_epoch_ = 0;
};

}  // namespace

LearnStop learn_by_steps(LearnSet& training,
                         const std::vector<double>& weights,
                         WeightSpace& space,
                         const LearnOptions& options,
                         LearnProgress& progress,
                         bool resumed) {
  return Epochs(training, space, options, progress).run(weights, resumed);
}

}  // namespace sorites
