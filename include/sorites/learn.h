// Learning the weights of rules, by Session::learn(): options, and what it says (docs/learning.md).
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
  double metric = 0.0;                 // minus the evaluation metric of a sample; for kPolicy

  bool has_minimiser_based() const { return squared_error != 0.0 || cross_entropy != 0.0; }
};

enum class LearnAlgorithm : std::uint8_t {
  kGradient,           // follow the gradient; minimiser-based losses by implicit differentiation
  kBilevel,            // minimiser-based losses through value functions and Moreau envelopes
  kGradientFollowing,  // so that energies fall where minimiser-based losses do (DeepPSL)
  kPolicy,             // any loss of samples: weights and outputs are drawn around what they are
  kGridSearch,         // all weights of a grid
  kRandomGrid,         // points of the grid, at random
  kRandomSearch,       // any weights, at random
  kGuidedSearch,       // the same, then around the best
  kHyperband,          // many weights roughly, the best of them exactly
  kGaussianProcess,
};
std::string_view name_of(LearnAlgorithm algorithm);  // "gradient", "random-grid", ...

// Where weights live, and how a step keeps them there.
enum class WeightDomain : std::uint8_t {
  kMirrorSimplex,     // sum 1, by mirror descent: w exp(-step gradient), normalised
  kProjectedSimplex,  // sum 1, by projection
  kNonNegative,
  kSoftmaxSimplex,  // sum 1, by steps on the logarithms: weights of any size move at the same pace
  kReal,            // any number: for energies in which a weight may be negative
};
std::string_view name_of(WeightDomain domain);  // "mirror-simplex", ...

enum class WeightOptimizer : std::uint8_t { kPlain, kAdam, kAdagrad };
enum class StepSchedule : std::uint8_t {
  kConstant,
  kInverse,      // step / epoch
  kInverseRoot,  // step / sqrt(epoch)
};
std::string_view name_of(StepSchedule schedule);  // "constant", "inverse", "inverse-root"

// Without them value-based losses collapse to weights of 0, or to one weight.
struct WeightRegularizers {
  // How far the weights are from the first ones w0, in their ratios: - n sum w0 log w / sum w0, in
  // units of the loss of w0 per learned weight, whatever the size of the data or the loss.
  double relative_log = 0.1;
  double negative_log = 0.0;             // - sum log w
  double entropy = 0.0;                  // sum w log w
  double l2 = 0.0, pull_to_start = 0.0;  // sum w^2; half of the sum of (w - w0)^2
};

// Energies are in units of the mean constraint at first, losses in units of the loss at first.
struct BilevelOptions {
  double proximity = 1e-3;             // of the Moreau envelope, in units of the largest weight
  double relaxation = 0.01;            // iota at the start, in units of the first constraint
  double energy_loss = 0.0;            // coefficient of the energy loss that is added
  double linear_penalty = 0.1;         // lambda at the start; as PSL
  double squared_penalty = 100.0;      // mu at the start: docs/method/learning.md, as proximity
  double penalty_growth = 2.0;         // of mu: as algorithm 2 of Dickens et al. 2024a
  std::uint64_t max_inner_epochs = 0;  // per setting of the penalties; 0: a twentieth of all
  double constraint_tolerance = 0.01;  // sigma*; as PSL
  double movement_tolerance = 1e-3;    // omega*
};

enum class PolicyEstimator : std::uint8_t { kIndecater, kReinforce };
enum class WeightPolicy : std::uint8_t { kNone, kLogNormal, kDirichlet };
struct PolicyOptions {
  PolicyEstimator estimator = PolicyEstimator::kIndecater;  // of slopes in network outputs
  std::uint64_t draws = 2;   // per sample and step: the fewest that have others to compare with
  double energy_loss = 0.0;  // coefficient of the energy loss that is added, by its exact slopes
  WeightPolicy weights = WeightPolicy::kLogNormal;  // how those that are learned are drawn
  double deviation = 0.1;  // relative, of a weight; of Dirichlet: of the weights in the mean
};

struct SearchOptions {  // as many points as PSL looks at, but for the Dirichlet: docs/learning.md
  std::vector<double> grid = {0.001, 0.01, 0.1, 1.0, 10.0};  // weights of the grid searches
  std::uint64_t max_points = 0;     // 0: all of the grid, 150, 250, - and 25, by algorithm
  bool dirichlet = true;            // draw weights from a Dirichlet distribution; else each alone
  double dirichlet_alpha = 1.0;     // all shares of the sum are equally likely
  std::uint64_t guided_seeds = 25;  // random points first ...
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
  std::optional<WeightOptimizer> optimizer;  // none: Adam for kSoftmaxSimplex, else plain steps
  double step_size = 0.1;
  StepSchedule schedule = StepSchedule::kConstant;
  double max_gradient = 25.0;  // as PSL: gradients are scaled so that no entry is larger ...
  double max_gradient_norm = std::numeric_limits<double>::infinity();  // ... nor the norm
  std::uint64_t max_epochs = 100;
  // Stop if the squared change of the weights, in units of their sum of squares, is smaller.
  double movement_tolerance = 1e-8;
  std::uint64_t movement_period = 10;
  std::uint64_t training_patience = 0;    // epochs without a better training metric; 0: no end
  std::uint64_t validation_patience = 0;  // the same of the validation metric, or loss
  std::uint64_t metric_period = 1;        // epochs between looks at the metrics
  double time_limit_seconds = std::numeric_limits<double>::infinity();
  // A step after every so many samples, drawn at random; 0: one step per epoch, of all of them.
  std::uint64_t samples_per_step = 0;
  std::uint64_t steps_per_inference = 1;  // that follow the states of one inference
  unsigned threads = 1;                   // that share the samples of a step; 0: one per core
  std::uint64_t network_epochs = 0;  // first, networks learn alone for so many epochs (modular)
  std::uint64_t restarts = 0;        // networks that are stuck start anew, at most so often
  bool keep_best = true;  // the weights of the best validation, or training, metric or loss
  BilevelOptions bilevel;
  double following_step = 0.01;    // alpha of kGradientFollowing: how far states follow the loss
  double following_squares = 0.0;  // mu: of the squares of ground rules that do not bite
  PolicyOptions policy;
  SearchOptions search;
  std::uint64_t seed = 4;
  std::stop_token stop;
};

// How far the bilevel algorithm is, in its units.
struct BilevelEpoch {
  double relaxation = 0.0, squared_penalty = 0.0, linear_penalty = 0.0, violation = 0.0;
  double active = 0.0;  // share of samples whose constraint pulls
};

// One line of the training log.
struct LearnEpoch {
  std::uint64_t epoch = 0;  // from 0: the weights that learning started from
  std::uint64_t start = 0;  // how often learning has started anew before
  double loss = 0.0;        // of inferred states, with all that is added; of the steps, if several
  std::optional<double> training_metric, validation_metric;
  std::optional<double> validation_loss;           // where there is no metric: the mean over labels
  double relative_gap = 0.0, gradient_norm = 0.0;  // gap: the largest of the epoch's solves
  double movement = 0.0;  // squared change of the weights, in units of their sum of squares
  double seconds = 0.0;   // since learning began
  double inference_seconds = 0.0, network_seconds = 0.0;  // of these, in solves and in networks
  std::uint64_t num_trained = 0;  // entities that networks were trained on so far
  std::optional<BilevelEpoch> bilevel;
  std::optional<double> gradient_variance;  // of a policy: of its estimate, summed over all slopes
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
