// Transposes of matrices.
#pragma once

#include <cstddef>

namespace sorites {

// to[j * to_stride + i] = from[i * from_stride + j] for i < rows, j < columns.
template <class Real>
void transpose(const Real* from,
               std::size_t from_stride,
               Real* to,
               std::size_t to_stride,
               std::size_t rows,
               std::size_t columns);

// Makes a square matrix symmetric: what is below the diagonal is also what is above it.
template <class Real>
void mirror(Real* matrix, std::size_t stride, std::size_t size);

// matrix[i][j] += matrix[j][i], both as they were, for rows i in [begin, end) and j <= i, and what
// mirrors them. Calls for disjoint rows do not touch the same elements.
template <class Real>
void add_transpose(Real* matrix, std::size_t stride, std::size_t begin, std::size_t end);

}  // namespace sorites
