// Learning the weights of rules: how it is done, and what it says on the way. Session::learn() does
// it. A loss says what is wrong with weights, an algorithm how they are changed: docs/learning.md.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sorites {

// Learning cannot go on: what() says why.
struct LearnError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The sum that learning minimises, each loss with its coefficient. E is the energy, y* its
// minimiser, t the labels.
struct LossMix {
  double energy = 0.0;                 // min E with the labels fixed
  double structured_perceptron = 0.0;  // the same minus min E
  double squared_error = 0.0;          // sum over labelled targets of (y* - t)^2
  double cross_entropy = 0.0;          // - sum of t log y* + (1 - t) log(1 - y*)

  bool has_minimiser_based() const { return squared_error != 0.0 || cross_entropy != 0.0; }
};

enum class LearnAlgorithm : std::uint8_t {
  kGradient,      // follow the gradient; minimiser-based losses by implicit differentiation
  kBilevel,       // minimiser-based losses through value functions and Moreau envelopes
  kGridSearch,    // all weights of a grid
  kRandomGrid,    // points of the grid, at random
  kRandomSearch,  // any weights, at random
  kGuidedSearch,  // the same, then around the best
  kHyperband,     // many weights roughly, the best of them exactly
  kGaussianProcess,
};
inline constexpr LearnAlgorithm kLearnAlgorithms[] = {LearnAlgorithm::kGradient,
                                                      LearnAlgorithm::kBilevel,
                                                      LearnAlgorithm::kGridSearch,
                                                      LearnAlgorithm::kRandomGrid,
                                                      LearnAlgorithm::kRandomSearch,
                                                      LearnAlgorithm::kGuidedSearch,
                                                      LearnAlgorithm::kHyperband,
                                                      LearnAlgorithm::kGaussianProcess};
std::string_view name_of(LearnAlgorithm algorithm);  // "gradient", "random-grid", ...
std::optional<LearnAlgorithm> learn_algorithm_named(std::string_view name);

// Where weights live, and how a step keeps them there.
enum class WeightDomain : std::uint8_t {
  kMirrorSimplex,     // sum 1, by mirror descent: w exp(-step gradient), normalised
  kProjectedSimplex,  // sum 1, by projection
  kNonNegative,
  // Sum 1, by steps of Adam on the logarithms of the weights: weights of any size move at the same
  // pace.
  kSoftmaxSimplex,
};
std::string_view name_of(WeightDomain domain);  // "mirror-simplex", ...
std::optional<WeightDomain> weight_domain_named(std::string_view name);

enum class StepSchedule : std::uint8_t {
  kConstant,
  kInverse,      // step / epoch
  kInverseRoot,  // step / sqrt(epoch)
};
std::string_view name_of(StepSchedule schedule);  // "constant", "inverse", "inverse-root"
std::optional<StepSchedule> step_schedule_named(std::string_view name);

// Without them the value-based losses collapse to weights of 0, or to one weight.
struct WeightRegularizers {
  // How far the weights are from the first ones w0, in their ratios: - n sum w0 log w / sum w0, in
  // units of the loss of w0 per learned weight, whatever the size of the data or the loss.
  double relative_log = 0.1;
  double negative_log = 0.0;  // - sum log w
  double entropy = 0.0;       // sum w log w
  double l2 = 0.0;            // sum w^2
};

// Energies are in units of the mean constraint at first, losses in units of the loss at first.
struct BilevelOptions {
  double proximity = 1e-3;             // of the Moreau envelope, in units of the largest weight
  double relaxation = 0.01;            // iota at the start, in units of the first constraint
  double energy_loss = 0.0;            // coefficient of the energy loss that is added
  double linear_penalty = 0.1;         // lambda at the start
  double squared_penalty = 100.0;      // mu at the start
  double penalty_growth = 2.0;         // of mu
  std::uint64_t max_inner_epochs = 0;  // per setting of the penalties; 0: a twentieth of all
  double constraint_tolerance = 0.01;  // sigma*
  double movement_tolerance = 1e-3;    // omega*
};

struct SearchOptions {
  std::vector<double> grid = {0.001, 0.01, 0.1, 1.0, 10.0};  // weights of the grid searches
  std::uint64_t max_points = 0;  // 0: all of the grid, 150, 250, - and 25, by algorithm
  bool dirichlet = true;         // draw weights from a Dirichlet distribution; else each alone
  double dirichlet_alpha = 1.0;
  std::uint64_t guided_seeds = 25;     // random points first ...
  std::uint64_t guided_explored = 10;  // ... then so many of the best are explored
  std::uint64_t hyperband_base = 10, hyperband_brackets = 4;  // points in the smallest bracket
  std::uint64_t hyperband_survival = 4;                       // one of so many goes on
  double gp_explore = 2.0, gp_scale = 1.0;  // standard deviations of optimism; kernel's length
  std::uint64_t gp_candidates = 1000;       // points to choose each next one from
};

struct LearnOptions {
  LearnAlgorithm algorithm = LearnAlgorithm::kGradient;
  LossMix loss = {.structured_perceptron = 1.0};
  WeightDomain domain = WeightDomain::kSoftmaxSimplex;
  WeightRegularizers regularizers;
  double step_size = 0.1;
  StepSchedule schedule = StepSchedule::kConstant;
  double max_gradient = 25.0;  // gradients are scaled so that no entry is larger ...
  double max_gradient_norm = std::numeric_limits<double>::infinity();  // ... nor the norm
  std::uint64_t max_epochs = 100;
  // Stop if the squared change of the weights in an epoch is smaller, in units of their sum of
  // squares; looked at every `movement_period` epochs.
  double movement_tolerance = 1e-8;
  std::uint64_t movement_period = 10;
  std::uint64_t training_patience = 0;    // epochs without a better training metric; 0: no end
  std::uint64_t validation_patience = 0;  // the same of the validation metric
  std::uint64_t metric_period = 1;        // epochs between looks at the metrics
  double time_limit_seconds = std::numeric_limits<double>::infinity();
  // A step after every so many samples, drawn at random; 0: one step per epoch, of all of them.
  std::uint64_t samples_per_step = 0;
  unsigned threads = 1;              // that share the samples of a step; 0: one per core
  std::uint64_t network_epochs = 0;  // first, networks learn alone for so many epochs (modular)
  bool keep_best = true;  // the weights of the best validation metric, training metric, or loss
  BilevelOptions bilevel;
  SearchOptions search;
  std::uint64_t seed = 4;
  std::stop_token stop;
};

// How far the bilevel algorithm is, in its units; `active`: share of samples whose constraint
// pulls.
struct BilevelEpoch {
  double relaxation = 0.0, squared_penalty = 0.0, linear_penalty = 0.0, violation = 0.0,
         active = 0.0;
};

// One line of the training log.
struct LearnEpoch {
  std::uint64_t epoch = 0;  // from 0: the weights that learning started from
  double loss = 0.0;        // of inferred states, with all that is added; of the steps, if several
  std::optional<double> training_metric, validation_metric;
  double relative_gap = 0.0;  // the largest of the epoch's solves
  double gradient_norm = 0.0;
  double movement = 0.0;  // squared change of the weights, in units of their sum of squares
  double seconds = 0.0;   // since learning began
  double inference_seconds = 0.0, network_seconds = 0.0;  // of these, in solves and in networks
  std::uint64_t num_trained = 0;  // entities that networks were trained on so far
  std::optional<BilevelEpoch> bilevel;
};

enum class LearnStop : std::uint8_t {
  kEpochs,
  kMovement,
  kTrainingMetric,
  kValidationMetric,
  kTime,
  kInterrupted,
  kSearched,   // a search tried all its points
  kConverged,  // bilevel: the relaxation reached its end
};
std::string_view name_of(LearnStop stop);  // "epochs", "movement", ...

}  // namespace sorites
