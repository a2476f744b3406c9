#include "meanfield/matrix_product.h"

#include <algorithm>
#include <limits>

namespace sorites {
namespace {

using Loops = std::vector<Loop>;
using Side = std::ptrdiff_t Loop::*;

struct Groups {
  Loops batch, rows, columns, sums;
};

Loops ordered_by(Loops loops, Side side) {
  std::sort(loops.begin(), loops.end(), [side](const Loop& x, const Loop& y) {
    return x.*side > y.*side;
  });
  return loops;
}

Groups grouped(const Loops& loops) {
  Groups groups;
  for (const Loop& loop : loops) {
    if (loop.out == 0) {
      groups.sums.push_back(loop);
    } else if (loop.b == 0) {
      groups.rows.push_back(loop);
    } else if (loop.a == 0) {
      groups.columns.push_back(loop);
    } else {
      groups.batch.push_back(loop);
    }
  }
  return groups;
}

std::size_t total_size(const Loops& loops) {
  std::size_t size = 1;
  for (const Loop& loop : loops) size *= loop.size;
  return size;
}

// The stride of loops that are one axis of a tensor; 0 if they are not.
std::ptrdiff_t stride_of(const Loops& loops, Side side) {
  for (std::size_t i = 0; i + 1 < loops.size(); ++i) {
    const auto size = static_cast<std::ptrdiff_t>(loops[i + 1].size);
    if (loops[i].*side != loops[i + 1].*side * size) return 0;
  }
  return loops.back().*side;
}

// Strides of a copy with the axes in this order, as the `out` of loops whose `a` is the tensor.
Loops copy_loops(const Groups& groups, const Loops& rows, const Loops& columns, Side side) {
  Loops copy;
  for (const Loops* group : {&groups.batch, &rows, &columns}) {
    for (const Loop& loop : *group) copy.push_back({loop.size, loop.*side, 0, 0});
  }
  std::ptrdiff_t stride = 1;
  for (std::size_t i = copy.size(); i-- > 0;) {
    copy[i].out = stride;
    stride *= static_cast<std::ptrdiff_t>(copy[i].size);
  }
  return copy;
}

MatrixPlace place_of(const Groups& groups, const Loops& rows, const Loops& columns, Side side) {
  MatrixPlace place;
  place.row = stride_of(rows, side);
  place.column = stride_of(columns, side);
  place.copied = place.row == 0 || place.column == 0 || (place.row != 1 && place.column != 1);
  if (!place.copied) return place;
  place.row = static_cast<std::ptrdiff_t>(total_size(columns));
  place.column = 1;
  place.size = total_size(groups.batch) * total_size(rows) * total_size(columns);
  Loops copy = copy_loops(groups, rows, columns, side);
  if (side == &Loop::out) {
    for (Loop& loop : copy) std::swap(loop.a, loop.out);
  }
  place.copy = plan_nest(copy, place.size);
  return place;
}

// The batch's stride in a copy.
void set_batch_strides(Loops& batch, std::size_t matrix_size, Side side) {
  auto stride = static_cast<std::ptrdiff_t>(matrix_size);
  for (std::size_t i = batch.size(); i-- > 0;) {
    batch[i].*side = stride;
    stride *= static_cast<std::ptrdiff_t>(batch[i].size);
  }
}

bool same_copies(const MatrixPlace& a, const MatrixPlace& b) {
  return a.copied == b.copied && a.copy.loops == b.copy.loops;
}

MatrixProduct plan_in_order(const Groups& groups,
                            const Loops& rows,
                            const Loops& columns,
                            const Loops& sums) {
  MatrixProduct product;
  product.m = total_size(rows);
  product.n = total_size(columns);
  product.k = total_size(sums);
  product.a = place_of(groups, rows, sums, &Loop::a);
  // b as columns x sums, which a symmetric product has in common with a.
  product.b = place_of(groups, columns, sums, &Loop::b);
  product.out = place_of(groups, rows, columns, &Loop::out);
  product.batch = groups.batch;
  product.num_batches = total_size(groups.batch);
  if (product.a.copied) set_batch_strides(product.batch, product.m * product.k, &Loop::a);
  if (product.b.copied) set_batch_strides(product.batch, product.n * product.k, &Loop::b);
  if (product.out.copied) set_batch_strides(product.batch, product.m * product.n, &Loop::out);
  product.symmetric_if_same =
      product.m == product.n && product.a.row == product.b.row &&
      product.a.column == product.b.column && same_copies(product.a, product.b) &&
      std::all_of(product.batch.begin(), product.batch.end(), [](const Loop& loop) {
        return loop.a == loop.b;
      });
  std::swap(product.b.row, product.b.column);
  return product;
}

}  // namespace

MatrixProduct plan_matrix_product(const std::vector<Loop>& loops, std::size_t out_size) {
  Groups groups = grouped(loops);
  groups.batch = ordered_by(groups.batch, &Loop::out);
  MatrixProduct best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const Side rows : {&Loop::out, &Loop::a}) {
    for (const Side columns : {&Loop::out, &Loop::b}) {
      for (const Side sums : {&Loop::a, &Loop::b}) {
        MatrixProduct product = plan_in_order(groups,
                                              ordered_by(groups.rows, rows),
                                              ordered_by(groups.columns, columns),
                                              ordered_by(groups.sums, sums));
        const std::size_t copied = product.a.size + product.b.size + product.out.size;
        if (copied >= least) continue;
        least = copied;
        best = std::move(product);
      }
    }
  }
  best.out_size = out_size;
  // With the result by columns, out' = b' a' has it by rows.
  if (best.out.column != 1) {
    std::swap(best.m, best.n);
    std::swap(best.a, best.b);
    std::swap(best.out.row, best.out.column);
    std::swap(best.a.row, best.a.column);
    std::swap(best.b.row, best.b.column);
    for (Loop& loop : best.batch) std::swap(loop.a, loop.b);
    best.swapped = true;
  }
  return best;
}

std::size_t scratch_size(const MatrixProduct& product) {
  return product.a.size + product.b.size + product.out.size;
}

}  // namespace sorites
