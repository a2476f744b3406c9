// The innermost loop of all that is not a product of matrices.
#pragma once

#include <cstddef>

namespace sorites {

// One loop over two operands and a result: how far each moves per turn, in elements. An operand
// that does not have the axis does not move; if the result does not, the loop is a sum.
struct Loop {
  std::size_t size = 1;
  std::ptrdiff_t a = 0, b = 0, out = 0;

  bool operator==(const Loop&) const = default;
};

// out[i] = alpha a[i] b[i] or out[i] += alpha a[i] b[i], with the strides of a loop.
template <class Real>
using RowKernel = void (*)(const Loop& loop, const Real* a, const Real* b, Real* out, Real alpha);

// The fastest for these strides on this processor.
template <class Real>
RowKernel<Real> choose_row_kernel(const Loop& loop, bool accumulate);

}  // namespace sorites
