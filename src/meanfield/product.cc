#include "meanfield/product.h"

#include <algorithm>
#include <map>

#include "base/check.h"

namespace sorites {
namespace {

using LoopsByLabel = std::map<std::uint32_t, Loop>;

// Fewer multiply-adds than this in one matrix, and calling BLAS costs more than it saves.
constexpr std::size_t kFewestMultiplyAdds = 512, kFewestIndices = 4;

void note_strides(const Labels& labels,
                  std::span<const std::uint32_t> shape,
                  std::ptrdiff_t Loop::*side,
                  LoopsByLabel& loops) {
  SORITES_CHECK(labels.size() == shape.size(), "there is a label for each axis");
  const auto strides = row_major_strides(shape);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    Loop& loop = loops[labels[i]];
    loop.size = shape[i];
    loop.*side += strides[i];
  }
}

std::vector<Loop> loops_in_order(const LoopsByLabel& by_label) {
  std::vector<Loop> loops;
  for (const auto& [label, loop] : by_label) loops.push_back(loop);
  return loops;
}

bool is_matrix_product(const std::vector<Loop>& loops) {
  std::size_t rows = 1, columns = 1, sums = 1;
  for (const Loop& loop : loops) {
    if (loop.out == 0) {
      sums *= loop.size;
    } else if (loop.b == 0) {
      rows *= loop.size;
    } else if (loop.a == 0) {
      columns *= loop.size;
    }
  }
  return std::min({rows, columns, sums}) >= kFewestIndices &&
         rows * columns * sums >= kFewestMultiplyAdds;
}

bool exchangeable(const LoopNest& nest) {
  return std::all_of(
      nest.loops.begin(), nest.loops.end(), [](const Loop& loop) { return loop.a == loop.b; });
}

}  // namespace

Product plan_product(const Labels& a_labels,
                     std::span<const std::uint32_t> a_shape,
                     const Labels& b_labels,
                     std::span<const std::uint32_t> b_shape,
                     const Labels& out_labels) {
  LoopsByLabel by_label;
  note_strides(a_labels, a_shape, &Loop::a, by_label);
  note_strides(b_labels, b_shape, &Loop::b, by_label);
  std::vector<std::uint32_t> out_shape;
  for (const std::uint32_t label : out_labels) {
    out_shape.push_back(static_cast<std::uint32_t>(by_label.at(label).size));
  }
  note_strides(out_labels, out_shape, &Loop::out, by_label);

  std::vector<Loop> loops = loops_in_order(by_label);
  const std::size_t out_size = num_elements(out_shape);
  const bool empty =
      std::any_of(loops.begin(), loops.end(), [](const Loop& l) { return l.size == 0; });
  if (!empty) merge_loops(loops);
  if (empty || !is_matrix_product(loops)) return plan_nest(std::move(loops), out_size);
  return plan_matrix_product(loops, out_size);
}

std::size_t scratch_size(const Product& product) {
  const auto* matrices = std::get_if<MatrixProduct>(&product);
  return matrices == nullptr ? 0 : scratch_size(*matrices);
}

template <class Real>
void multiply(const Product& product,
              const Real* a,
              const Real* b,
              Real* out,
              Scaling<Real> scaling,
              Workspace<Real> workspace) {
  if (const auto* nest = std::get_if<LoopNest>(&product)) {
    run_nest(*nest, a, b, out, scaling, workspace.pool);
  } else {
    run_matrix_product(std::get<MatrixProduct>(product), a, b, out, scaling, workspace);
  }
}

template <class Real>
void multiply_tangent(const Product& product,
                      WithTangent<Real> a,
                      WithTangent<Real> b,
                      Real alpha,
                      Real* out,
                      Workspace<Real> workspace) {
  if (a.value == b.value) {
    const auto* nest = std::get_if<LoopNest>(&product);
    const auto* matrices = std::get_if<MatrixProduct>(&product);
    if (nest != nullptr && exchangeable(*nest)) {
      return run_nest(*nest, a.value, a.tangent, out, {2 * alpha, false}, workspace.pool);
    }
    if (matrices != nullptr && matrices->symmetric_if_same && !matrices->out.copied) {
      multiply(product, a.tangent, a.value, out, {alpha, false}, workspace);
      return add_transposes(*matrices, out, workspace.pool);
    }
  }
  if (a.tangent != nullptr) {
    multiply(product, a.tangent, b.value, out, {alpha, false}, workspace);
  }
  if (b.tangent == nullptr) return;
  const bool both = a.tangent != nullptr;
  multiply(product, a.value, b.tangent, out, {alpha, both}, workspace);
}

template void multiply(
    const Product&, const float*, const float*, float*, Scaling<float>, Workspace<float>);
template void multiply(
    const Product&, const double*, const double*, double*, Scaling<double>, Workspace<double>);

template void multiply_tangent(
    const Product&, WithTangent<float>, WithTangent<float>, float, float*, Workspace<float>);
template void multiply_tangent(
    const Product&, WithTangent<double>, WithTangent<double>, double, double*, Workspace<double>);

}  // namespace sorites
