// Products of matrices, one or many, wherever their axes stand in the operands and the result.
#pragma once

#include <span>
#include <vector>

#include "meanfield/loop_nest.h"

namespace sorites {

// Where the elements of a matrix are: in a tensor as it is or, if no order of its axes makes
// matrices of it, in a copy with the axes in order.
struct MatrixPlace {
  std::ptrdiff_t row = 0, column = 0;  // strides; one of them is 1
  bool copied = false;
  LoopNest copy;         // from the tensor to the copy; of the result: from the copy to the tensor
  std::size_t size = 0;  // elements of the copy
};

// out[m x n] = a[m x k] b[k x n], for every index of the batch.
struct MatrixProduct {
  std::size_t m = 0, n = 0, k = 0;
  MatrixPlace a, b, out;
  std::vector<Loop> batch;  // outermost first
  std::size_t num_batches = 1;
  std::size_t out_size = 0;
  bool swapped = false;            // `a` here is the second operand
  bool symmetric_if_same = false;  // b is a' if both operands are the same memory
};

// `loops` are merged, of more than one index each, and there are rows, columns and sums among them.
MatrixProduct plan_matrix_product(const std::vector<Loop>& loops, std::size_t out_size);

std::size_t scratch_size(const MatrixProduct& product);

// Memory for copies, of scratch_size() elements, and the threads that share the work.
template <class Real>
struct Workspace {
  std::span<Real> scratch;
  ThreadPool& pool;
};

// As run_nest().
template <class Real>
void run_matrix_product(const MatrixProduct& product,
                        const Real* a,
                        const Real* b,
                        Real* out,
                        Scaling<Real> scaling,
                        Workspace<Real> workspace);

// Adds to each matrix of the result its transpose. The matrices must be square.
template <class Real>
void add_transposes(const MatrixProduct& product, Real* out, ThreadPool& pool);

}  // namespace sorites
