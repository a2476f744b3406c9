// The energy of a ground model at a given state, and of its connected components.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/energy.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// Value and slopes, summed up term by term: nothing is kept per term. Squares are those of terms of
// the first `num_written` rules; those after them are no rules of the program.
StateValue energy_at(const Model& model,
                     const Parameters& parameters,
                     std::span<const double> state,
                     std::size_t num_written);

// What a connected component of a model has of its energy.
struct ComponentEnergy {
  std::vector<AtomId> atoms;           // of the component, ascending
  std::vector<std::uint32_t> outputs;  // that only terms without atoms connect
  std::size_t terms = 0;
  double energy = 0.0;
  double violation = 0.0;  // the largest of a hard term
};

// Per component, in the order of their first atoms (hinge/model/split_components.h); atoms in no
// term are in none. Energies sum up to that of the model; terms without atoms and outputs are a
// component of their own, the last, if there are any.
std::vector<ComponentEnergy> component_energies(const Model& model,
                                                const Parameters& parameters,
                                                std::span<const double> state);

}  // namespace sorites
