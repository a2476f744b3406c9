// A ground model in parts that have nothing to do with each other.
#pragma once

#include <cstddef>
#include <vector>

#include "sorites/model.h"

namespace sorites {

// Rules and network outputs are those of the whole model.
struct ModelPart {
  Model model;
  std::vector<AtomId> atoms;  // per atom of the part: its number in the whole model
};

// Parts of `components_per_part` connected components each (atoms are connected by terms that touch
// both), in the order of their first atoms. Atoms in no term are in the first part. The sum of the
// parts' energies is that of the model.
std::vector<ModelPart> split_by_components(const Model& model, std::size_t components_per_part);

}  // namespace sorites
