// Inference as a function of network outputs and weights that can be differentiated: a layer.
//
// Under hinge losses, outputs are those of deep predicates and states the values of targets. In
// Markov logic outputs are the unary potentials of all atoms of open predicates, row by row, and
// states their log-odds after all iterations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "session/session_state.h"

namespace sorites {

enum class LayerLoss : std::uint8_t {
  kNone,        // states; gradients of a loss whose slopes in them are given
  kEnergy,      // the smallest energy with the labels fixed
  kPerceptron,  // the same minus the smallest energy
};

// Samples of one model, side by side; everything per sample stands one sample after the other.
struct LayerBatch {
  LayerLoss loss = LayerLoss::kNone;
  std::span<const std::uint64_t> ids;  // each once; a sample starts from the last of its id
  std::span<const double> outputs;     // per sample, per output
  std::span<const double> weights;     // per weight, of all samples
  std::span<const double> labels;      // per sample, per state; NaN: latent. Of losses with labels
  std::span<const double> in_states;   // slopes, per sample and state; empty: no gradients
};

struct LayerAnswer {
  std::span<double> states;  // per sample, per state
  std::span<double> values;  // per sample: the energy or loss
  std::span<int> failed;     // per sample: 1 if there is no answer, which spares the others
  // Of gradients; losses with labels give them too. Summed over samples for weights.
  std::span<double> in_outputs, in_weights;
};

// Not for several threads at once; it uses them itself.
class Layer {
 public:
  virtual ~Layer() = default;

  virtual std::vector<AtomRange> outputs() const = 0;
  virtual std::vector<AtomRange> states() const = 0;
  virtual std::vector<double> weights() const = 0;  // as written
  virtual std::vector<bool> is_soft() const = 0;    // per weight

  // Throws std::invalid_argument if sizes do not fit.
  virtual void run(const LayerBatch& batch, const LayerAnswer& answer) = 0;
};

// `smoothing` is that of implicit differentiation (HingeEnergyOptions).
std::unique_ptr<Layer> make_layer(Session::State& state, double smoothing);

}  // namespace sorites
