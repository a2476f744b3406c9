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
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "sorites/database.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// The label of a target that has none: a latent one.
inline constexpr double kLatent = std::numeric_limits<double>::quiet_NaN();

// A value and its derivatives.
struct EnergyValue {
  double value = 0.0;
  std::vector<double> state;       // per target: the minimiser
  std::vector<double> in_weights;  // per rule; 0 for hard ones
  std::vector<double> in_outputs;  // per network output
};

struct ProximalValue : EnergyValue {
  std::vector<double> in_centre;  // per target
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

// Every call starts from the solution of the call before of its kind. A value is that of the
// minimiser found; calls throw LearnError where there is none.
class Energy {
 public:
  virtual ~Energy() = default;

  virtual std::size_t num_weights() const = 0;
  virtual std::size_t num_outputs() const = 0;
  virtual std::span<const double> labels() const = 0;  // per target; kLatent if it has none

  // V(w, g) = min over y of E(y; w, g): inference.
  virtual EnergyValue full(const Parameters& parameters) = 0;

  // The same with all labelled targets at their labels.
  virtual EnergyValue latent(const Parameters& parameters) = 0;

  // The Moreau envelope: min over y of E(y; w, g) + proximity |y - centre|^2.
  virtual ProximalValue proximal(const Parameters& parameters,
                                 double proximity,
                                 std::span<const double> centre) = 0;

  // d loss / d parameters, for a loss of the minimiser y* whose slope in y* is given, by implicit
  // differentiation at the solution of the last full(), which must be of these parameters.
  virtual ParameterGradient through_minimiser(const Parameters& parameters,
                                              std::span<const double> loss_in_state) = 0;

  // How exactly the next calls solve: 1 is as exactly as asked for; less is rougher, and quicker.
  virtual void set_effort(double effort) = 0;

  // The relative gap that will do for the next values, even if a smaller one was asked for.
  virtual void set_sufficient_gap(double gap) = 0;

  virtual EnergyStatistics statistics() const = 0;

  // What the next calls start from, to go on later bit for bit.
  virtual std::vector<double> memory() const = 0;
  virtual void restore(std::span<const double> memory) = 0;
};

struct HingeEnergyOptions {
  SolveOptions solve;      // solver, gap, limits, threads, stop
  bool warm_start = true;  // else every solve starts from nothing
  // Of through_minimiser(): how far a hinge is taken to bend around its kink. Smaller is more
  // exact, but then gradients of linear models vanish or explode.
  double smoothing = 0.05;
};

// The energy of a ground model, which it keeps a reference to. Throws std::invalid_argument if
// there is not one label (or kLatent) per atom.
std::unique_ptr<Energy> make_hinge_energy(const Model& model,
                                          std::vector<double> labels,
                                          const HingeEnergyOptions& options = {});

// The truth of the data for each atom of the model, kLatent where there is none.
std::vector<double> labels_of(const Model& model, const Database& database);

}  // namespace sorites
