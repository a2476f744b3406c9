// A ground model with some of its atoms fixed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sorites/model.h"

namespace sorites {

// Rules and network outputs are those of the whole model.
struct FixedModel {
  Model open;                 // terms that still have atoms, which are numbered anew
  Model settled;              // weighted terms without atoms: only outputs can change them
  std::vector<AtomId> atoms;  // per atom of `open`: its number in the whole model
};

// `values`: per atom; NaN for atoms that stay free. Hard ground rules that the fixed atoms break,
// whatever the others are, are left out.
FixedModel fix_atoms(const Model& model, std::span<const double> values);

// Per rule: how many hard ground rules are left out because they are broken by more than
// `tolerance`.
std::vector<std::size_t> broken_hard_terms(const Model& model,
                                           std::span<const double> values,
                                           double tolerance);

}  // namespace sorites
