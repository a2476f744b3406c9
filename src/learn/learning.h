// The algorithms of learning, whatever the energy and whoever makes its outputs.
//
//   const auto energy = make_hinge_energy(model, labels_of(model, database));
//   const LearnSet training{.samples = {{.energy = energy.get()}}};
//   const LearnResult result = learn(training, nullptr, weights, fixed, {.max_epochs = 50});
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "learn/energy.h"
#include "sorites/learn.h"

namespace sorites {

// All that a network goes on from bit for bit.
struct NetworkState {
  double temperature = 1.0;
  double learning_rate = 0.0;
  std::uint64_t steps = 0;                           // of the optimizer
  std::vector<float> first_moments, second_moments;  // per parameter, where the optimizer has them
  std::vector<float> parameters;
  std::vector<std::vector<std::byte>> buffers;  // means and the like, as they lie in memory
  std::vector<std::byte> random;                // state of the generator of random numbers

  bool operator==(const NetworkState&) const = default;
};

// What makes the outputs of the samples of a set: networks, which learn with the weights.
class OutputSource {
 public:
  virtual ~OutputSource() = default;

  // The outputs of a sample as inference has them: nothing is random.
  virtual std::vector<double> predict(std::size_t sample) = 0;

  // The outputs of some samples in training, where dropout and noise are on.
  virtual std::vector<std::vector<double>> forward(std::span<const std::size_t> samples) = 0;

  // After forward(), given the slopes of the loss in these outputs: adds the loss that networks
  // have of their own (labels of their outputs), and moves the networks one step. Returns the value
  // of their own loss in the step.
  virtual double step(std::span<const std::vector<double>> loss_in_outputs) = 0;

  // Their own loss on all samples, with outputs as predict() has them.
  virtual double own_loss() = 0;

  // Before the first step of an epoch, counted from 1: rates and temperatures may change.
  virtual void begin_epoch(std::uint64_t epoch, std::uint64_t max_epochs) = 0;

  // Of every network. What is of other networks is refused by an exception.
  virtual std::vector<NetworkState> memory() const = 0;
  virtual void restore(std::span<const NetworkState> memory) = 0;

  // Networks that learn begin again, from other parameters. False: there are no others.
  virtual bool start_anew(std::uint64_t /*seed*/) { return false; }

  // So far: time in networks, and entities (images, nodes, ...) they were trained on.
  virtual double seconds() const = 0;
  virtual std::uint64_t num_trained() const = 0;
};

// What a network chooses among, seen as a policy: one of some outputs is 1 and the others are 0,
// with their values as probabilities.
struct OutputChoice {
  std::vector<std::uint32_t> outputs;
  bool may_be_none = false;  // also none of them, with the probability that is left
};

// A model to learn from.
struct LearnSample {
  Energy* energy = nullptr;
  std::vector<double> outputs;             // of networks that do not learn; empty if there are none
  double weight_scale = 1.0;               // weights times this are those as written
  std::vector<OutputChoice> choices = {};  // of policies; outputs in none of them are not drawn
};

// Several samples may stand for one data set (batches by connected components, folds). The metric
// sees the states of all of them, in order, and their outputs.
struct LearnSet {
  std::vector<LearnSample> samples;
  std::function<double(std::span<const std::vector<double>> states,
                       std::span<const std::vector<double>> outputs)>
      metric;  // larger is better
  // The same of one sample alone, for policies.
  std::function<double(
      std::size_t sample, std::span<const double> state, std::span<const double> outputs)>
      sample_metric = {};
  OutputSource* networks = nullptr;  // null: outputs stay as they are
};

// What steps of Adam and Adagrad depend on.
struct AdamState {
  std::uint64_t steps = 0;
  std::vector<double> mean, mean_square;  // of slopes, per learned weight; of Adagrad: sums
};

// What regularisers and steps of weights depend on besides the weights.
struct WeightState {
  std::optional<double> log_unit;  // of relative_log: a share of the first loss that was seen
  std::vector<double> log_shares;  // of relative_log, per learned weight
  AdamState adam;
};

// What the bilevel algorithm keeps of a sample.
struct BilevelSample {
  std::vector<double> state;    // y, which is learned
  double relaxation = 0.0;      // iota at first, as an energy
  double linear_penalty = 0.0;  // lambda, in units of loss per energy
  double constraint = 0.0;      // c when it was last looked at, in units of energy
  double value = 0.0;           // V at that time
};

struct BilevelUnits {
  double energy = 1.0, loss = 1.0;  // means over the samples at first
  double proximity = 0.0;           // p
};

struct BilevelState {
  std::optional<BilevelUnits> units;  // none before the first evaluation
  double relaxation = 1.0;            // iota, as a share of what it was at first
  double squared_penalty = 0.0;       // mu
  double violation_tolerance = 0.0;   // sigma
  std::uint64_t inner_epochs = 0;
  std::vector<BilevelSample> samples;
};

// What learning by steps keeps from epoch to epoch.
struct StepState {
  double loss = 0.0;  // of the last epoch, and so are these
  double gradient_norm = 0.0;
  double movement = 0.0;
  bool converged = false;
  double variance = 0.0;                     // of estimated gradients
  std::uint64_t start = 0, start_epoch = 0;  // how often learning began anew, and when it last did
  WeightState weights;
  std::optional<BilevelState> bilevel;  // of kBilevel
};

// All that learning goes on from: put into another call, it goes on bit for bit. It is that of the
// beginning of `epoch`, but for history and best weights, which know that epoch.
struct LearnState {
  std::uint64_t epoch = 0;
  std::vector<double> weights;
  std::vector<double>
      best_weights;  // the same as `weights` as long as nothing tells what is better
  std::optional<double> best_metric;
  double best_loss = std::numeric_limits<double>::infinity();  // among weights of the best metric
  std::uint64_t best_epoch = 0;
  std::vector<LearnEpoch> history;
  std::vector<EnergyMemory> energies;       // of the training samples, then of the validation ones
  StepState steps;                          // of kGradient and kBilevel
  std::vector<double> tried;                // of searches: what each point gave, in order
  std::vector<NetworkState> networks;       // empty if there are none
  std::vector<NetworkState> best_networks;  // that go with best_weights
};

struct LearnHooks {
  // After every epoch.
  std::function<void(const LearnEpoch&, const LearnState&)> epoch;
  bool keep_memory = false;  // whether states hold the memory of the energies: needed to resume
  const LearnState* resume = nullptr;  // a state to go on from
};

struct LearnResult {
  std::vector<double> weights;  // per rule: the best, or the last (LearnOptions::keep_best)
  LearnStop stop = LearnStop::kEpochs;
  LearnState state;
};

inline constexpr LearnAlgorithm kLearnAlgorithms[] = {LearnAlgorithm::kGradient,
                                                      LearnAlgorithm::kBilevel,
                                                      LearnAlgorithm::kGradientFollowing,
                                                      LearnAlgorithm::kPolicy,
                                                      LearnAlgorithm::kGridSearch,
                                                      LearnAlgorithm::kRandomGrid,
                                                      LearnAlgorithm::kRandomSearch,
                                                      LearnAlgorithm::kGuidedSearch,
                                                      LearnAlgorithm::kHyperband,
                                                      LearnAlgorithm::kGaussianProcess};
// Whether it tries weights, rather than taking steps.
bool is_search(LearnAlgorithm algorithm);
// Whether the weights keep their sum, so that only their ratios are learned.
bool is_simplex(WeightDomain domain);

// Learns weights, and the networks of the training set, which end up as they go with the weights of
// the result (also if learning fails: those of its last good epoch). `weights` are those to start
// from, one per rule; those of `fixed` rules (hard ones, and those that have no ground rules) are
// not learned, but keep their ratio to the others. Searches leave networks as they are. Throws
// LearnError, or std::invalid_argument if sizes or options do not fit.
LearnResult learn(const LearnSet& training,
                  const LearnSet* validation,
                  std::vector<double> weights,
                  const std::vector<bool>& fixed,
                  const LearnOptions& options,
                  const LearnHooks& hooks = {});

}  // namespace sorites
