// A model in parts that no formula connects, such as sentences or pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

// Formulas and weights are those of the whole model; constants and atoms have numbers of their own.
struct MeanFieldPart {
  MeanFieldModel model;
  std::vector<std::uint32_t> targets, outputs;  // per one of the part: its number in the whole
};

// Cuts one domain into parts of about `components_per_part` connected components each, spread
// over the domain: neighbours are often alike. Two of its constants are connected by a fact, or a
// target, that a formula needs to be about both. Messages do not cross between parts, so each is
// inferred as in the whole. Components without targets are left out. Empty if no domain can be cut.
std::vector<MeanFieldPart> split_by_constants(const MeanFieldModel& model,
                                              std::size_t components_per_part);

}  // namespace sorites
