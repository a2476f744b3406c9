// Maps of tensors: sums over axes, diagonals, slices, transposes, broadcasts.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "meanfield/expression.h"
#include "meanfield/loop_nest.h"

namespace sorites {

// The map of a Node, as loops over its operand and the number one.
LoopNest plan_map(const std::vector<Axis>& a_axes,
                  std::span<const std::uint32_t> a_shape,
                  const std::vector<Axis>& out_axes,
                  std::span<const std::uint32_t> out_shape);

template <class Real>
void run_map(const LoopNest& map, const Real* a, Real* out, ThreadPool& pool) {
  static constexpr Real kOne = 1;
  run_nest(map, a, &kOne, out, {}, pool);
}

// Elements of a tensor as if they were one of another shape.
struct View {
  std::ptrdiff_t start = 0;
  std::vector<std::ptrdiff_t> strides;  // by axis; 0: all along it are the same
};

// All elements, row by row.
View whole_view(std::span<const std::uint32_t> shape);

// A tensor whose axes have these labels, each of which is one of the result's, along all of those.
View view_of_labels(const Labels& labels,
                    std::span<const std::uint32_t> shape,
                    const Labels& out_labels);

// The view that a map is, if it neither sums nor leaves elements at zero.
std::optional<View> view_of_map(const std::vector<Axis>& a_axes,
                                std::span<const std::uint32_t> a_shape,
                                const std::vector<Axis>& out_axes);

}  // namespace sorites
