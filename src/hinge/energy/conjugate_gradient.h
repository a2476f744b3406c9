// Linear systems whose factor would not fit: conjugate gradients.
#pragma once

#include <span>
#include <vector>

#include "hinge/methods/normal_matrix.h"

namespace sorites {

// Solves (diagonal + A' scale A) x = right, roughly, from x on, with the diagonal of the matrix as
// preconditioner.
void solve_by_conjugate_gradient(const SparseRows& rows,
                                 std::span<const double> scale,
                                 std::span<const double> diagonal,
                                 std::span<const double> right,
                                 std::vector<double>& x);

}  // namespace sorites
