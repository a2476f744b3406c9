// Linear combinations of tensors of one shape.
#pragma once

#include <span>

#include "base/thread_pool.h"

namespace sorites {

template <class Real>
struct ScaledTensor {
  Real factor = 1;
  const Real* data = nullptr;
};

// out = offset + sum of factor * data, in one pass over memory.
template <class Real>
void run_sum(std::span<const ScaledTensor<Real>> terms,
             Real offset,
             std::span<Real> out,
             ThreadPool& pool);

}  // namespace sorites
