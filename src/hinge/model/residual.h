// How far a ground rule is from being satisfied.
#pragma once

#include <cmath>
#include <span>

#include "sorites/model.h"

namespace sorites {

// What rounding may leave of a residual that should be 0: of sums of decimals as data files have
// them. Far above that (a hundred additions of numbers around 1 err by 1e-14), far below any
// distance that a solver is asked for or a reader would see.
inline constexpr double kResidualRounding = 1e-9;

// The same of a sum, per size of what was added: for where a small result may still matter.
inline constexpr double kSumRounding = 1e-12;

// r = a'y + b of one term.
inline double residual_of(const TermBlock& block,
                          std::size_t term,
                          std::span<const double> truth,
                          std::span<const double> outputs) {
  double r = block.offset_of(term);
  const std::span<const AtomId> atoms = block.atoms_of(term);
  for (std::size_t i = 0; i < atoms.size(); ++i) r += block.coefficients[i] * truth[atoms[i]];
  const std::span<const std::uint32_t> ids = block.outputs_of(term);
  for (std::size_t i = 0; i < ids.size(); ++i) r += block.output_coefficients[i] * outputs[ids[i]];
  return r;
}

// The distance to satisfaction: 0 if the ground rule holds.
inline double distance_of(TermKind kind, double residual) {
  return kind == TermKind::kEqual ? std::abs(residual) : std::max(residual, 0.0);
}

}  // namespace sorites
