// Loops over the rows of a problem, cut into parts that threads share.
#pragma once

#include <algorithm>

#include "base/thread_pool.h"
#include "hinge/problem/problem.h"

namespace sorites {

// Calls visit(block, width, first, last) for the rows [first, last) of every block that lie within
// part `part` of all rows. `width` is the block's as a compile-time constant (2 or 3: nearly all
// rows), or as a run-time number.
template <int kWidth>
struct Width {
  static constexpr std::size_t value(const RowBlock& block) {
    return kWidth > 0 ? static_cast<std::size_t>(kWidth) : block.width();
  }
};

template <class Visit>
void for_blocks(const Problem& problem, Part part, const Visit& visit) {
  for (const RowBlock& block : problem.blocks) {
    const std::size_t first = std::max(part.begin, block.first_row);
    const std::size_t last = std::min(part.end, block.end_row());
    if (first >= last) continue;
    switch (block.width()) {
      case 2:
        visit(block, Width<2>(), first, last);
        break;
      case 3:
        visit(block, Width<3>(), first, last);
        break;
      default:
        visit(block, Width<0>(), first, last);
    }
  }
}

// a'x over the entries of a row.
template <class W>
inline double dot(const RowBlock& block, W, const std::uint32_t* entry, const double* x) {
  double sum = 0.0;
  for (std::size_t k = 0; k < W::value(block); ++k) sum += block.coefficients[k] * x[entry[k]];
  return sum;
}

// Adds `factor` a to the entries of a row.
template <class W>
inline void scatter(
    const RowBlock& block, W, const std::uint32_t* entry, double factor, double* g) {
  for (std::size_t k = 0; k < W::value(block); ++k) g[entry[k]] += factor * block.coefficients[k];
}

}  // namespace sorites
