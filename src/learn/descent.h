// What steps of learning follow: the gradient of a loss, with whatever an algorithm keeps besides.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "learn/learning.h"

namespace sorites {

class ThreadPool;

struct LossGradient {
  double value = 0.0;
  double of_inference = 0.0;  // the loss of the inferred states; `value`, but for bilevel steps
  double variance = 0.0;      // of slopes that are estimated, summed up
  std::vector<double> in_weights;
  std::vector<std::vector<double>> in_outputs;  // per sample asked for
};

// The outputs of a sample without the noise of training; none where no network learns.
using CleanOutputs = std::function<std::vector<double>(std::size_t sample)>;

class Descent {
 public:
  virtual ~Descent() = default;

  // The loss of some samples. Their states of inference, where it was needed, are left in `states`
  // (per sample of the set), which is empty for samples that nothing was inferred for. `effort` in
  // (0, 1]: how exactly to look.
  virtual LossGradient evaluate(std::span<const double> weights,
                                std::span<const std::size_t> samples,
                                double effort,
                                std::vector<std::vector<double>>& states) = 0;

  // The same for other parameters, but at the states that evaluate() found for these samples last.
  // Throws LearnError where an algorithm cannot do that.
  virtual LossGradient evaluate_again(std::span<const double> weights,
                                      std::span<const std::size_t> samples);

  // Before the first evaluation of an epoch, also of one that is gone on from.
  virtual void begin_epoch(std::uint64_t /*epoch*/) {}

  // After an epoch that led to these weights, which moved so far in units of their size. Whether
  // the algorithm has come to its end.
  virtual bool finish_epoch(std::span<const double> /*weights*/,
                            double /*movement*/,
                            const CleanOutputs& /*outputs*/) {
    return false;
  }

  // What a log is to show of it.
  virtual void describe(LearnEpoch& /*epoch*/) const {}

  // What the bilevel algorithm keeps. restore() throws std::invalid_argument if it does not fit.
  virtual std::optional<BilevelState> state() const { return std::nullopt; }
  virtual void restore(const std::optional<BilevelState>& state);
};

// Value-based losses by their value functions, minimiser-based ones by implicit differentiation.
std::unique_ptr<Descent> make_gradient_descent(const LearnSet& training,
                                               const LearnOptions& options);

// The bilevel value-function algorithm (Dickens et al. 2024a, algorithm 2).
std::unique_ptr<Descent> make_bilevel_descent(const LearnSet& training,
                                              const LearnOptions& options);

// So that the energy falls where the loss does (Dasaratha et al. 2023, algorithm 1).
std::unique_ptr<Descent> make_gradient_following(const LearnSet& training,
                                                 const LearnOptions& options);

// The expected loss of weights and outputs that are drawn (Dickens et al. 2024b, eq. 53 to 62).
// `learned`: the weights that are drawn, if any are.
std::unique_ptr<Descent> make_policy_descent(const LearnSet& training,
                                             const LearnOptions& options,
                                             std::vector<std::size_t> learned);

// The numbers of one sample.
Parameters parameters_of(const LearnSample& sample, std::span<const double> weights);

// A relative gap that will do at less than full effort: the larger, the less is asked for.
double sufficient_gap(const Energy& energy, double effort);

// to += factor from.
void add_scaled(double factor, std::span<const double> from, std::vector<double>& to);

// Of one sample, to add to.
LossGradient zero_gradient(const LearnSample& sample, std::size_t num_weights);

// Samples are looked at on all threads, and summed up in their order: how many threads there are
// changes nothing.
LossGradient sum_over(std::span<const std::size_t> samples,
                      std::size_t num_weights,
                      ThreadPool& pool,
                      const std::function<LossGradient(std::size_t sample)>& loss_of);

}  // namespace sorites
