// The hard terms of a model as rows  a'y + b <= 0  or  a'y + b = 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hinge/problem/problem.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// How far a hard row may be off before it counts as broken: well below what solvers are asked for,
// well above rounding errors.
inline constexpr double kHardTolerance = 1e-6;

// Spans are views of the model.
struct HardRow {
  TermId id;
  bool is_equal = false;
  double offset = 0.0;
  std::span<const double> coefficients;
  std::span<const AtomId> atoms;

  bool holds(double residual) const {
    return residual <= kHardTolerance && (!is_equal || residual >= -kHardTolerance);
  }
};

// Those that some state in [0, 1]^n breaks. Terms with an offset that is not finite are left out.
std::vector<HardRow> hard_rows_of(const Model& model, const Parameters& parameters);

// Numbers of rows that no atom connects with others, set by set.
std::vector<std::vector<std::uint32_t>> connected_rows(std::span<const HardRow> rows,
                                                       std::size_t num_atoms);

}  // namespace sorites
