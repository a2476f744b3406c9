// What a learning algorithm may ask of a symbolic component: its smallest energy over all targets,
// the same with the labels fixed, the same near a point; each with its gradient in rule weights and
// network outputs. Learning is written against this, so that other energies than hinge-loss Markov
// random fields can take part.
//
//   const auto energy = make_hinge_energy(model, labels_of(model, database));
//   const EnergyValue map = energy->full(parameters);
//   use(map.value, map.state, map.in_weights);
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "hinge/problem/inference_memory.h"
#include "sorites/solve.h"

namespace sorites {

// The label of a target that has none: a latent one.
inline constexpr double kLatent = std::numeric_limits<double>::quiet_NaN();

// A value and its derivatives.
struct EnergyValue {
  double value = 0.0;
  double relative_gap = 0.0;       // how far it may be from the smallest
  std::vector<double> state;       // per target: the minimiser
  std::vector<double> in_weights;  // per rule; 0 for hard ones
  std::vector<double> in_outputs;  // per network output
  // Of full(), where the energy knows them: per ground rule. They save a solve when
  // through_minimiser() is given this value.
  std::vector<double> multipliers;
  // Of full(), where the state is probabilities: their log-odds, per target, which tell more than
  // probabilities near 0 and 1. Empty: they are not known.
  std::vector<double> log_odds;
};

// The slope of a loss in the minimiser: in its values, and in its log-odds where EnergyValue tells
// them. Empty: it has none.
struct StateSlopes {
  std::span<const double> in_state, in_log_odds = {};
};

struct ProximalValue : EnergyValue {
  std::vector<double> in_centre;  // per target
};

// At a state that is given, whether it is the smallest or not. Hard rules count by `violation`
// alone.
struct StateValue : EnergyValue {
  std::vector<double> in_state;  // per target
  double violation = 0.0;        // the largest of a hard rule
  // The sum of the squares of what weighted ground rules compare with 0, on either side of it, and
  // its slopes per output (DeepPSL's regulariser); no slopes: the energy has no such squares.
  double squares = 0.0;
  std::vector<double> squares_in_outputs;
};

struct ParameterGradient {
  std::vector<double> in_weights;
  std::vector<double> in_outputs;
};

// How well the last solves went.
struct EnergyStatistics {
  double relative_gap = 0.0;  // the largest of the last solve of each kind
  std::uint64_t solves = 0;
  std::uint64_t unfinished = 0;  // solves that did not reach their gap
  double seconds = 0.0;          // in solves
};

// What the next calls of each kind start from; empty where they start from nothing.
struct EnergyMemory {
  InferenceMemory full, latent, proximal;
  std::uint64_t num_draws = 0;  // of an energy that draws something anew in every call

  bool operator==(const EnergyMemory&) const = default;
};

// Values depend on the arguments of a call alone, up to the gap; but every call starts from the
// solution of the call before of its kind, so that small changes cost little. A value is that of
// the minimiser found; calls throw LearnError where there is none. `gap` is a relative gap to solve
// to instead of the one that the energy was made with, rougher or finer; 0: that one.
class Energy {
 public:
  virtual ~Energy() = default;

  virtual std::size_t num_weights() const = 0;
  virtual std::size_t num_outputs() const = 0;
  virtual std::span<const double> labels() const = 0;  // per target; kLatent if it has none
  virtual double gap() const = 0;  // the relative gap that was asked for; 0 if there is no such

  // V(w, g) = min over y of E(y; w, g): inference.
  virtual EnergyValue full(const Parameters& parameters, double gap = 0.0) = 0;

  // The same with all labelled targets at their labels.
  virtual EnergyValue latent(const Parameters& parameters, double gap = 0.0) = 0;

  // The Moreau envelope: min over y of E(y; w, g) + proximity |y - centre|^2.
  virtual ProximalValue proximal(const Parameters& parameters,
                                 double proximity,
                                 std::span<const double> centre,
                                 double gap = 0.0) = 0;

  // E(y; w, g) at any state, one value per target, which may be outside of [0, 1]. Nothing is
  // solved, and memory does not grow with the number of ground rules. Throws LearnError where the
  // values of the targets do not tell the energy.
  virtual StateValue at(const Parameters& parameters, std::span<const double> state) = 0;

  // d loss / d parameters, for a loss of the minimiser y* whose slopes in y* are given, by implicit
  // differentiation. `minimum` is what full() gave for these parameters.
  virtual ParameterGradient through_minimiser(const Parameters& parameters,
                                              const EnergyValue& minimum,
                                              const StateSlopes& loss) = 0;

  virtual EnergyStatistics statistics() const = 0;

  // To go on later, or in another energy of the same model, bit for bit. What does not fit is
  // refused by std::invalid_argument.
  virtual EnergyMemory memory() const = 0;
  virtual void restore(const EnergyMemory& memory) = 0;
};

}  // namespace sorites
