#include "sorites/learn.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "learn/descent.h"
#include "learn/progress.h"
#include "learn/weight_search.h"
#include "learn/weight_space.h"

namespace sorites {
namespace {

void check(const LearnSet& training,
           const std::vector<double>& weights,
           const std::vector<bool>& fixed) {
  if (training.samples.empty()) throw std::invalid_argument("learn: there are no samples");
  if (fixed.size() != weights.size()) {
    throw std::invalid_argument("learn: weights and fixed rules differ in number");
  }
  bool labelled = false;
  for (const LearnSample& sample : training.samples) {
    if (sample.energy->num_weights() != weights.size()) {
      throw std::invalid_argument("learn: one weight per rule is needed");
    }
    if (sample.outputs.size() != sample.energy->num_outputs()) {
      throw std::invalid_argument("learn: one value per network output is needed");
    }
    const auto labels = sample.energy->labels();
    labelled |= std::any_of(labels.begin(), labels.end(), [](double t) { return !std::isnan(t); });
  }
  if (!labelled) {
    throw LearnError("no target has a label: learning needs truth for at least some targets");
  }
  if (std::find(fixed.begin(), fixed.end(), false) == fixed.end()) {
    throw LearnError("there is no weight to learn: every rule is hard or has no ground rules");
  }
}

// Gradient descent and the bilevel algorithm: epochs of steps.
class Epochs {
 public:
  Epochs(const LearnSet& training,
         WeightSpace& space,
         const LearnOptions& options,
         LearnProgress& progress)
      : training_(training), space_(space), options_(options), progress_(progress) {
    descent_ = options.algorithm == LearnAlgorithm::kBilevel
                   ? make_bilevel_descent(training, options)
                   : make_gradient_descent(training, options);
    all_.resize(training.samples.size());
    std::iota(all_.begin(), all_.end(), std::size_t{0});
  }

  LearnStop run(std::vector<double> weights, bool resumed) {
    if (resumed) {
      weights = progress_.state().weights;
      restore(progress_.state().algorithm);
    }
    for (std::uint64_t epoch = resumed ? progress_.state().epoch : 0;; ++epoch) {
      progress_.begin(epoch, weights, memory());
      std::vector<std::vector<double>> states(all_.size());
      LearnEpoch record;
      LossGradient now = evaluate(weights, all_, states);
      record.loss = now.value;
      if (epoch % std::max<std::uint64_t>(options_.metric_period, 1) == 0) {
        progress_.measure(states, record);
      }
      if (progress_.interrupted()) return LearnStop::kInterrupted;
      check_finite(record.loss, epoch);
      record.gradient_norm = space_.clip(now.in_weights);
      record.movement = movement_;
      progress_.finish(record);
      if (const auto why = progress_.stop()) return *why;
      if (converged_) return LearnStop::kConverged;
      if (epoch > 0 && epoch % std::max<std::uint64_t>(options_.movement_period, 1) == 0 &&
          movement_ < options_.movement_tolerance) {
        return LearnStop::kMovement;
      }
      if (epoch >= options_.max_epochs) return LearnStop::kEpochs;
      move(weights, now, epoch + 1);
    }
  }

 private:
  // The loss of some samples, with their share of the regularisers.
  LossGradient evaluate(const std::vector<double>& weights,
                        std::span<const std::size_t> samples,
                        std::vector<std::vector<double>>& states) {
    LossGradient now = descent_->evaluate(weights, samples, states);
    std::vector<double> slopes(weights.size(), 0.0);
    const double share = static_cast<double>(samples.size()) / static_cast<double>(all_.size());
    now.value += share * space_.regularize(weights, slopes);
    for (std::size_t r = 0; r < slopes.size(); ++r) now.in_weights[r] += share * slopes[r];
    return now;
  }

  void move(std::vector<double>& weights, const LossGradient& now, std::uint64_t epoch) {
    const std::vector<double> before = weights;
    const double length = step_length(options_, epoch);
    if (options_.incremental) {
      std::vector<std::size_t> order = all_;
      std::mt19937_64 random(options_.seed + epoch);
      std::shuffle(order.begin(), order.end(), random);
      std::vector<std::vector<double>> states(all_.size());
      for (const std::size_t s : order) {
        LossGradient one = evaluate(weights, {&s, 1}, states);
        space_.clip(one.in_weights);
        space_.step(weights, one.in_weights, length);
        descent_->step();
      }
    } else {
      space_.step(weights, now.in_weights, length);
      descent_->step();
    }
    double moved = 0.0, size = 0.0;
    for (const std::size_t r : space_.learned()) {
      moved += (weights[r] - before[r]) * (weights[r] - before[r]);
      size += before[r] * before[r];
    }
    movement_ = moved / std::max(size, std::numeric_limits<double>::min());
    converged_ = descent_->finish_epoch(std::sqrt(moved));
  }

  std::vector<double> memory() const {
    std::vector<double> memory = {movement_, converged_ ? 1.0 : 0.0};
    for (const std::vector<double>& more : {space_.memory(), descent_->memory()}) {
      memory.insert(memory.end(), more.begin(), more.end());
    }
    return memory;
  }
  void restore(std::span<const double> memory) {
    const std::size_t space = space_.memory().size();
    if (memory.size() < 2 + space) {
      throw std::invalid_argument("learn: the state is of another algorithm");
    }
    movement_ = memory[0];
    converged_ = memory[1] != 0.0;
    space_.restore(memory.subspan(2, space));
    descent_->restore(memory.subspan(2 + space));
  }

  static void check_finite(double loss, std::uint64_t epoch) {
    if (std::isfinite(loss)) return;
    throw LearnError("the loss is no finite number any more in epoch " + std::to_string(epoch) +
                     ": try a smaller step size, or a simplex as the domain of the weights");
  }

  const LearnSet& training_;
  WeightSpace& space_;
  const LearnOptions& options_;
  LearnProgress& progress_;
  std::unique_ptr<Descent> descent_;
  std::vector<std::size_t> all_;  // samples
  double movement_ = 0.0;         // relative squared change of the weights in the last step
  bool converged_ = false;
};

}  // namespace

LearnResult learn(const LearnSet& training,
                  const LearnSet* validation,
                  std::vector<double> weights,
                  const std::vector<bool>& fixed,
                  const LearnOptions& options,
                  const LearnHooks& hooks,
                  const LearnState* resume) {
  check(training, weights, fixed);
  WeightSpace space(options, fixed);
  space.enter(weights);
  LearnProgress progress(training, validation, options, hooks, resume);
  const bool by_steps = options.algorithm == LearnAlgorithm::kGradient ||
                        options.algorithm == LearnAlgorithm::kBilevel;
  const LearnStop why =
      by_steps
          ? Epochs(training, space, options, progress).run(std::move(weights), resume != nullptr)
          : search_weights(training, std::move(weights), space, options, progress);
  return progress.result(why);
}

}  // namespace sorites
