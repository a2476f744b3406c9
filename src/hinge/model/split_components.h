// A ground model in parts that have nothing to do with each other.
#pragma once

#include <cstddef>
#include <vector>

#include "sorites/model.h"

namespace sorites {

// Rules are those of the whole model. Atoms and outputs have numbers of their own.
struct ModelPart {
  Model model;
  std::vector<AtomId> atoms;           // per atom of the part: its number in the whole model
  std::vector<std::uint32_t> outputs;  // the same of its network outputs
};

inline constexpr std::uint32_t kNoComponent = ~std::uint32_t{0};

// The connected components of a model: atoms are connected by terms that touch both. Outputs do not
// connect, but by terms without atoms, which go where other terms have their outputs, or make
// components of their own.
struct ComponentsOfModel {
  std::vector<std::uint32_t> of_node;  // per atom, then per output: kNoComponent if in no term
  std::uint32_t count = 0;             // in the order of their first atoms

  // Of a term with atoms or outputs.
  std::uint32_t of_term(const Model& model, const TermBlock& block, std::size_t term) const;
};
ComponentsOfModel components_of(const Model& model);

// Parts of `components_per_part` components each. Atoms in no term are in the first part; outputs
// in no term are in none. The sum of the parts' energies is that of the model.
std::vector<ModelPart> split_by_components(const Model& model, std::size_t components_per_part);

}  // namespace sorites
