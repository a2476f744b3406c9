// Linear combinations of tensors, of views of them, or of products of two element by element.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "meanfield/map.h"

namespace sorites {

// One tensor, or two that are multiplied.
using TermViews = std::vector<View>;

struct SumPlan {
  std::vector<std::size_t> sizes;  // of the loops over the result, outermost first
  std::vector<TermViews> terms;    // with a stride per loop
  bool plain = true;               // all are as the result is
};

SumPlan plan_sum(std::span<const std::uint32_t> shape, std::vector<TermViews> terms);

template <class Real>
struct ScaledTensor {
  Real factor = 1;
  const Real* data = nullptr;   // null: nothing is added
  const Real* times = nullptr;  // of a term of two
};

// out = offset + sum of factor * data (* times), or out += that, in one pass over memory. There is
// a tensor for each term of the plan.
template <class Real>
void run_sum(const SumPlan& plan,
             std::span<const ScaledTensor<Real>> tensors,
             Real offset,
             Real* out,
             ThreadPool& pool,
             bool accumulate = false);

}  // namespace sorites
