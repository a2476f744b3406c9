// Products and maps of evidence of which few atoms are true: one step per true atom, along the axes
// that only the other operand has.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "meanfield/expression.h"
#include "meanfield/loop_nest.h"

namespace sorites {

// Whether loops over the true atoms are faster than a product of matrices, and the list smaller
// than the tensor.
bool sparse_pays(std::size_t num_true, std::size_t num_atoms);

struct SparseProduct {
  struct Entry {
    std::ptrdiff_t dense = 0, out = 0;  // where its elements start
  };
  std::vector<Entry> entries;   // by `out`, then `dense`
  LoopNest free;                // from the dense operand (`a` of the loops) to the result
  bool entries_inside = false;  // the loop over the entries is the inner one
  std::size_t out_size = 0;

  // Copies with the axes of the loops last, where that pays; their sizes are 0 where not.
  LoopNest dense_copy, out_copy;
  std::size_t dense_copy_size = 0, out_copy_size = 0;
};

// `atoms` are the elements of the sparse operand that are one; all others are zero.
SparseProduct plan_sparse_product(std::span<const std::uint64_t> atoms,
                                  const Labels& sparse_labels,
                                  std::span<const std::uint32_t> sparse_shape,
                                  const Labels& dense_labels,
                                  std::span<const std::uint32_t> dense_shape,
                                  const Labels& out_labels);

// The map of a sparse operand, as a product with the number one.
SparseProduct plan_sparse_map(std::span<const std::uint64_t> atoms,
                              const std::vector<Axis>& sparse_axes,
                              std::span<const std::uint32_t> sparse_shape,
                              const std::vector<Axis>& out_axes,
                              std::span<const std::uint32_t> out_shape);

std::size_t scratch_size(const SparseProduct& product);

// As run_nest(). `scratch` has at least scratch_size() elements.
template <class Real>
void run_sparse_product(const SparseProduct& product,
                        const Real* dense,
                        Real* out,
                        Scaling<Real> scaling,
                        std::span<Real> scratch,
                        ThreadPool& pool);

}  // namespace sorites
