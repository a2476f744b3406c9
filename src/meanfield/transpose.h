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

}  // namespace sorites
