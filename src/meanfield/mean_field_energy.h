// Markov logic as an Energy: with it all of learn() works on Markov logic models, networks
// included.
//
//   const auto energy = make_mean_field_energy(program, database);
//   const LearnSet training{.samples = {{.energy = energy.get()}}};
//   const LearnResult result = learn(training, nullptr, weights, fixed, options);
#pragma once

#include <memory>

#include "learn/energy.h"
#include "sorites/meanfield.h"

namespace sorites {

// The unary potential of a network output: its logarithm if it is the probability of a class, else
// that of its odds. Outputs are kept away from 0 and 1.
double unary_of_output(double output, bool of_class);

// The variational free energy, whose minimiser mean-field inference looks for: values are those
// where the iterations end, and so are their gradients; minimiser-based losses are differentiated
// through all iterations.
//
// Targets are the target rows of the database, labels their truth, weights those of the program
// rule by rule (of `+v` rules one per combination of constants, row by row), outputs the target
// rows of neural predicates.
std::unique_ptr<Energy> make_mean_field_energy(const Program& program,
                                               const Database& database,
                                               const MeanFieldOptions& options = {});
std::unique_ptr<Energy> make_mean_field_energy(MeanFieldModel model,
                                               const MeanFieldOptions& options = {});

}  // namespace sorites
