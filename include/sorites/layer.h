// Inference as a function with gradients, of samples side by side: Session::layer().
// Under hinge losses outputs are those of deep predicates, and states the values of targets. In
// Markov logic outputs are the unary potentials of all atoms of open predicates, row by row, and
// states their log-odds after all iterations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sorites/model.h"

namespace sorites {

struct LayerShape {  // what goes in and what comes out, of one sample
  std::vector<AtomRange> outputs, states;
  std::size_t num_outputs = 0, num_states = 0;
  std::vector<double> weights;  // as written
  std::vector<bool> soft;       // per weight
};

enum class LayerLoss : std::uint8_t {
  kNone,        // states; gradients of a loss whose slopes in them are given
  kEnergy,      // the smallest energy with the labels fixed
  kPerceptron,  // the same minus the smallest energy
};

// Everything per sample stands one sample after the other.
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

}  // namespace sorites
