// Markov logic as an Energy: with it all of learn() works on Markov logic models, networks
// included.
//
//   const auto energy = make_mean_field_energy(model, task_of(model));
//   const LearnResult result = learn({{energy.get()}}, weights_of(model), options);
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sorites/energy.h"
#include "sorites/meanfield.h"

namespace sorites {

struct MarkovAtom {
  std::uint32_t predicate = 0;
  std::size_t atom = 0;     // its number among the predicate's, row by row
  std::uint32_t value = 1;  // with classes: of which class
};

// What is inferred and from which networks.
struct MarkovTask {
  // The state: the probability that each of these atoms has this value.
  std::vector<MarkovAtom> targets;
  std::vector<double> labels;  // per target; kLatent if it has none
  // Network outputs, as probabilities: their logarithm (of odds, without classes) is the unary
  // potential.
  std::vector<MarkovAtom> outputs;
};

// The unary potential of a network output: its logarithm if it is the probability of a class, else
// that of its odds. Outputs are kept away from 0 and 1.
double unary_of_output(double output, bool of_class);

// Targets are the queries, labels their truth; there are no networks.
MarkovTask task_of(const MarkovModel& model);

// All weights, formula by formula; one for a hard formula, which is not used.
std::vector<double> weights_of(const MarkovModel& model);

// The variational free energy, whose minimiser mean-field inference looks for: values are those
// where the iterations end, and so are their gradients; minimiser-based losses are differentiated
// through all iterations.
std::unique_ptr<Energy> make_mean_field_energy(const MarkovModel& model,
                                               MarkovTask task,
                                               const MeanFieldOptions& options = {});

}  // namespace sorites
