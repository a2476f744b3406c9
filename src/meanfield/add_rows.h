// The innermost loop of linear combinations.
#pragma once

#include <cstddef>
#include <span>

namespace sorites {

template <class Real>
struct ScaledRow {
  Real factor = 1;
  const Real* data = nullptr;
};

// out[i] = offset + sum of factor * data[i] for i < size, or out[i] += that. Fast if a row stays in
// the first cache.
template <class Real>
void add_rows(std::span<const ScaledRow<Real>> rows,
              Real offset,
              Real* out,
              std::size_t size,
              bool accumulate = false);

// out[i] += factor * a[i] * b[i].
template <class Real>
void add_product_of_rows(Real factor, const Real* a, const Real* b, Real* out, std::size_t size);

}  // namespace sorites
