#include <algorithm>
#include <utility>

#include "meanfield/blas.h"
#include "meanfield/matrix_product.h"
#include "meanfield/transpose.h"

namespace sorites {
namespace {

// What a task computes depends on sizes alone, so that results do not depend on the number of
// threads.
constexpr std::size_t kTaskWork = std::size_t{1} << 21;  // multiply-adds worth waking a thread for
constexpr std::size_t kMostRows = 384;  // of a block, each of which reads all columns again
constexpr std::size_t kRowUnit = 16;    // that BLAS computes at once
// Multiply-adds of a block, about 0.2 s: a product can be stopped between blocks alone.
constexpr std::size_t kMostWork = std::size_t{1} << 32;

template <class Real>
MatrixView<Real> view(const MatrixPlace& place, const Real* data) {
  const bool transposed = place.column != 1;
  return {data, static_cast<std::size_t>(transposed ? place.column : place.row), transposed};
}

template <class Real>
MatrixView<Real> skip_rows(MatrixView<Real> matrix, std::size_t rows) {
  matrix.data += matrix.transposed ? rows : rows * matrix.stride;
  return matrix;
}

// Matrices of one index of the batch.
template <class Real>
struct Matrices {
  std::size_t m, n, k;
  MatrixView<Real> a, b;
  ResultMatrix<Real> out;
};

// All indices of the batch: where the first matrices are.
template <class Real>
struct Operands {
  const Real* a;
  const Real* b;
  Real* out;
};

template <class Real>
Matrices<Real> matrices_of(const MatrixProduct& product,
                           Operands<Real> operands,
                           std::size_t batch) {
  auto [a, b, out] = operands;
  for (std::size_t i = product.batch.size(); i-- > 0;) {
    const Loop& loop = product.batch[i];
    const auto at = static_cast<std::ptrdiff_t>(batch % loop.size);
    batch /= loop.size;
    a += at * loop.a;
    b += at * loop.b;
    out += at * loop.out;
  }
  return {product.m,
          product.n,
          product.k,
          view(product.a, a),
          view(product.b, b),
          {out, static_cast<std::size_t>(product.out.row)}};
}

template <class Real>
void multiply_rows(const Matrices<Real>& x, std::size_t begin, std::size_t end, Scaling<Real> s) {
  const ResultMatrix<Real> rows{x.out.data + begin * x.out.stride, x.out.stride};
  gemm({end - begin, x.n, x.k}, skip_rows(x.a, begin), x.b, rows, s);
}

// Rows [begin, end) of a a' up to the diagonal, and the columns that mirror them.
template <class Real>
void multiply_symmetric_rows(const Matrices<Real>& x,
                             std::size_t begin,
                             std::size_t end,
                             Real alpha) {
  const auto rows = skip_rows(x.a, begin);
  const std::size_t stride = x.out.stride;
  Real* left = x.out.data + begin * stride;
  if (begin > 0) {
    gemm({end - begin, begin, x.k}, rows, x.b, {left, stride}, {alpha, false});
    transpose(left, stride, x.out.data + begin, stride, end - begin, begin);
  }
  Real* diagonal = left + begin;
  syrk(end - begin, x.k, rows, {diagonal, stride}, alpha);
  mirror(diagonal, stride, end - begin);
}

struct Blocks {
  std::size_t per_matrix = 1;  // blocks of rows
  std::size_t rows = 0;        // in a block
  std::size_t matrices = 1;    // of the batch in one task
};

// Numbers of blocks are powers of two, as numbers of threads mostly are. A symmetric product has
// more: their work differs, and a thread with the largest should have time for no other but the
// smallest.
Blocks blocks_of(const MatrixProduct& product, bool symmetric) {
  const std::size_t work = product.m * product.n * product.k / (symmetric ? 2 : 1);
  Blocks blocks;
  blocks.rows = product.m;
  if (work < 2 * kTaskWork || product.m < 4 * kRowUnit) {
    blocks.matrices = std::max<std::size_t>(1, kTaskWork / std::max<std::size_t>(work, 1));
    return blocks;
  }
  std::size_t count = 2;
  const std::size_t most_rows =
      std::clamp(kMostWork / (product.n * product.k), 4 * kRowUnit, kMostRows);
  while (product.m > count * most_rows) count *= 2;
  if (symmetric) count *= 2;
  blocks.rows = (product.m / count + kRowUnit - 1) / kRowUnit * kRowUnit;
  blocks.per_matrix = (product.m + blocks.rows - 1) / blocks.rows;
  return blocks;
}

template <class Real>
void run_blocks(const MatrixProduct& product,
                Operands<Real> operands,
                Scaling<Real> scaling,
                bool symmetric,
                ThreadPool& pool) {
  const Blocks blocks = blocks_of(product, symmetric);
  const std::size_t groups = (product.num_batches + blocks.matrices - 1) / blocks.matrices;
  const auto task = [&](std::size_t index) {
    const std::size_t first = index / blocks.per_matrix * blocks.matrices;
    const std::size_t last = std::min(first + blocks.matrices, product.num_batches);
    // The last rows first: in a symmetric product they are most work.
    const std::size_t block = blocks.per_matrix - 1 - index % blocks.per_matrix;
    const std::size_t begin = block * blocks.rows;
    const std::size_t end = std::min(begin + blocks.rows, product.m);
    for (std::size_t batch = first; batch < last; ++batch) {
      const Matrices<Real> matrices = matrices_of(product, operands, batch);
      if (symmetric) {
        multiply_symmetric_rows(matrices, begin, end, scaling.alpha);
      } else {
        multiply_rows(matrices, begin, end, scaling);
      }
    }
  };
  if (groups * blocks.per_matrix == 1) return task(0);
  pool.for_each(groups * blocks.per_matrix, task);
}

}  // namespace

template <class Real>
void run_matrix_product(const MatrixProduct& product,
                        const Real* a,
                        const Real* b,
                        Real* out,
                        Scaling<Real> scaling,
                        Workspace<Real> workspace) {
  const auto& [scratch, pool] = workspace;
  static constexpr Real kOne = 1;
  // What is added to need not be symmetric, and could not be mirrored.
  const bool symmetric = product.symmetric_if_same && a == b && !scaling.accumulate;
  if (product.swapped) std::swap(a, b);
  Real* copy_of_a = scratch.data();
  Real* copy_of_b = symmetric ? copy_of_a : copy_of_a + product.a.size;
  Real* copy_of_out = scratch.data() + product.a.size + product.b.size;
  if (product.a.copied) {
    run_nest(product.a.copy, a, &kOne, copy_of_a, {}, pool);
    a = copy_of_a;
  }
  if (product.b.copied) {
    if (!symmetric) run_nest(product.b.copy, b, &kOne, copy_of_b, {}, pool);
    b = copy_of_b;
  }
  if (!product.out.copied) return run_blocks<Real>(product, {a, b, out}, scaling, symmetric, pool);
  run_blocks<Real>(product, {a, b, copy_of_out}, {scaling.alpha, false}, symmetric, pool);
  run_nest(product.out.copy, copy_of_out, &kOne, out, {1, scaling.accumulate}, pool);
}

template <class Real>
void add_transposes(const MatrixProduct& product, Real* out, ThreadPool& pool) {
  const Blocks blocks = blocks_of(product, true);
  const std::size_t tasks = product.num_batches * blocks.per_matrix;
  pool.for_each(tasks, [&](std::size_t task) {
    Real* matrix = out;
    std::size_t batch = task / blocks.per_matrix;
    for (std::size_t i = product.batch.size(); i-- > 0;) {
      const Loop& loop = product.batch[i];
      matrix += static_cast<std::ptrdiff_t>(batch % loop.size) * loop.out;
      batch /= loop.size;
    }
    const std::size_t block = blocks.per_matrix - 1 - task % blocks.per_matrix;
    const std::size_t begin = block * blocks.rows;
    const std::size_t end = std::min(begin + blocks.rows, product.m);
    add_transpose(matrix, static_cast<std::size_t>(product.out.row), begin, end);
  });
}

template void run_matrix_product(
    const MatrixProduct&, const float*, const float*, float*, Scaling<float>, Workspace<float>);
template void run_matrix_product(const MatrixProduct&,
                                 const double*,
                                 const double*,
                                 double*,
                                 Scaling<double>,
                                 Workspace<double>);

template void add_transposes(const MatrixProduct&, float*, ThreadPool&);
template void add_transposes(const MatrixProduct&, double*, ThreadPool&);

}  // namespace sorites
