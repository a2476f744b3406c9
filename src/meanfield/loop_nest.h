// Nested loops over two operands and a result, for all products but those of matrices, and for maps
// (the second operand of a map is the number one).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "meanfield/row_kernel.h"
#include "meanfield/scaling.h"

namespace sorites {

// Turns of a task, at most: a loop can be stopped between tasks alone.
inline constexpr std::size_t kMostWork = 1U << 27;

struct LoopNest {
  std::vector<Loop> loops;  // outermost first
  std::ptrdiff_t a_start = 0, out_start = 0;
  std::size_t out_size = 0;  // of the whole result
  bool empty = false;        // an axis has no indices
  bool writes_once = true;   // each element of the result
  bool tiled = false;        // the last two loops
};

// Loops that are one loop become one; those over one index go.
void merge_loops(std::vector<Loop>& loops);

// The order that suits memory best. `out_size` elements of which the loops may reach only some.
LoopNest plan_nest(std::vector<Loop> loops,
                   std::size_t out_size,
                   std::ptrdiff_t a_start = 0,
                   std::ptrdiff_t out_start = 0);

// out = alpha a b, or out += alpha a b. Each element is computed in one order, whatever the
// threads.
template <class Real>
void run_nest(const LoopNest& nest,
              const Real* a,
              const Real* b,
              Real* out,
              Scaling<Real> scaling,
              ThreadPool& pool);

// How many elements it is between neighbours along each axis, row by row.
std::vector<std::ptrdiff_t> row_major_strides(std::span<const std::uint32_t> shape);

}  // namespace sorites
