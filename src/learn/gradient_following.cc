// Gradient following (Dasaratha, Puranam, Phogat, Tiyyagura, Duffy, "DeepPSL: End-to-end perception
// and reasoning", 2023, section 4): parameters are changed so that a step down the energy goes
// where the loss falls.
//
// With y the minimiser and y' = y - alpha dL/dy, each step lowers
//
//   (E(y'; w, g) - E(y; w, g) + mu (Omega(y') - Omega(y))) / alpha,   Omega = sum of squares of all
//
// that ground rules compare with 0, whether they bite or not: where no rule bites, it still says
// where outputs are to go. y and y' stay for as many steps as are asked for. Sums run over ground
// rules one by one, so memory does not grow with them. Divided by alpha the slopes do not depend on
// it as it becomes small.
#include "base/thread_pool.h"
#include "learn/descent.h"
#include "learn/losses.h"

namespace sorites {
namespace {

class GradientFollowing final : public Descent {
 public:
  GradientFollowing(const LearnSet& training, const LearnOptions& options)
      : training_(training),
        loss_(options.loss),
        step_(options.following_step),
        squares_(options.following_squares),
        paths_(training.samples.size()),
        pool_(options.threads) {}

  LossGradient evaluate(std::span<const double> weights,
                        std::span<const std::size_t> samples,
                        double effort,
                        std::vector<std::vector<double>>& states) override {
    LossGradient sum = sum_over(samples, weights.size(), pool_, [&](std::size_t s) {
      const double loss = find_path(s, weights, effort);
      states[s] = paths_[s].from;
      LossGradient one = follow(s, weights);
      one.of_inference = loss;
      return one;
    });
    return sum;
  }

  LossGradient evaluate_again(std::span<const double> weights,
                              std::span<const std::size_t> samples) override {
    return sum_over(samples, weights.size(), pool_, [&](std::size_t s) {
      LossGradient one = follow(s, weights);
      one.of_inference = paths_[s].loss;
      return one;
    });
  }

 private:
  struct Path {
    std::vector<double> from, to;  // y and y'
    std::vector<double> labelled;  // of the energy loss, if that is added
    double loss = 0.0;
  };

  double find_path(std::size_t s, std::span<const double> weights, double effort) {
    const LearnSample& sample = training_.samples[s];
    const Parameters parameters = parameters_of(sample, weights);
    const double gap = sufficient_gap(*sample.energy, effort);
    Path& path = paths_[s];
    path.from = sample.energy->full(parameters, gap).state;
    const StateLoss loss = state_loss(loss_, path.from, sample.energy->labels());
    path.to = path.from;
    add_scaled(-step_, loss.in_state, path.to);
    path.loss = loss.value;
    if (loss_.energy != 0.0) {
      EnergyValue latent = sample.energy->latent(parameters, gap);
      path.labelled = std::move(latent.state);
      path.loss += loss_.energy * latent.value;
    }
    return path.loss;
  }

  LossGradient follow(std::size_t s, std::span<const double> weights) const {
    const LearnSample& sample = training_.samples[s];
    const Parameters parameters = parameters_of(sample, weights);
    const Path& path = paths_[s];
    LossGradient sum = zero_gradient(sample, weights.size());
    const auto take = [&](const std::vector<double>& state, double factor, double squares) {
      const StateValue value = sample.energy->at(parameters, state);
      check(value, sample.energy->num_outputs());
      sum.value += factor * value.value + squares * value.squares;
      add_scaled(factor, value.in_weights, sum.in_weights);
      add_scaled(factor, value.in_outputs, sum.in_outputs.back());
      add_scaled(squares, value.squares_in_outputs, sum.in_outputs.back());
    };
    take(path.to, 1.0 / step_, squares_ / step_);
    take(path.from, -1.0 / step_, -squares_ / step_);
    if (loss_.energy != 0.0) take(path.labelled, loss_.energy, 0.0);
    return sum;
  }

  void check(const StateValue& value, std::size_t num_outputs) const {
    if (squares_ == 0.0 || value.squares_in_outputs.size() == num_outputs) return;
    throw LearnError(
        "gradient following: this semantics has no squares of ground rules; leave out "
        "`learn.following_squares`");
  }

  const LearnSet& training_;
  LossMix loss_;
  double step_, squares_;
  std::vector<Path> paths_;  // per sample: those of its last inference
  ThreadPool pool_;
};

}  // namespace

std::unique_ptr<Descent> make_gradient_following(const LearnSet& training,
                                                 const LearnOptions& options) {
  return std::make_unique<GradientFollowing>(training, options);
}

}  // namespace sorites
