#include "meanfield/map.h"

#include <algorithm>
#include <map>

#include "base/check.h"

namespace sorites {
namespace {

using LoopsByLabel = std::map<std::uint32_t, Loop>;

// Adds the axes of one side of a map and gives where its fixed indices start. An index that an axis
// does not have leaves nothing to map.
std::ptrdiff_t note_axes(const std::vector<Axis>& axes,
                         std::span<const std::uint32_t> shape,
                         std::ptrdiff_t Loop::*side,
                         LoopsByLabel& loops,
                         bool& empty) {
  SORITES_CHECK(axes.size() == shape.size(), "there is an axis for each size");
  const auto strides = row_major_strides(shape);
  std::ptrdiff_t start = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].fixed) {
      empty = empty || axes[i].at >= shape[i];
      start += static_cast<std::ptrdiff_t>(axes[i].at) * strides[i];
      continue;
    }
    Loop& loop = loops[axes[i].at];
    loop.size = shape[i];
    loop.*side += strides[i];
  }
  return start;
}

}  // namespace

LoopNest plan_map(const std::vector<Axis>& a_axes,
                  std::span<const std::uint32_t> a_shape,
                  const std::vector<Axis>& out_axes,
                  std::span<const std::uint32_t> out_shape) {
  LoopsByLabel by_label;
  bool empty = false;
  const std::ptrdiff_t a_start = note_axes(a_axes, a_shape, &Loop::a, by_label, empty);
  const std::ptrdiff_t out_start = note_axes(out_axes, out_shape, &Loop::out, by_label, empty);
  std::vector<Loop> loops;
  for (const auto& [label, loop] : by_label) loops.push_back(loop);
  if (empty) loops.push_back({.size = 0});
  return plan_nest(std::move(loops), num_elements(out_shape), a_start, out_start);
}

View whole_view(std::span<const std::uint32_t> shape) { return {0, row_major_strides(shape)}; }

View view_of_labels(const Labels& labels,
                    std::span<const std::uint32_t> shape,
                    const Labels& out_labels) {
  View view{0, std::vector<std::ptrdiff_t>(out_labels.size())};
  const auto strides = row_major_strides(shape);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto at = std::find(out_labels.begin(), out_labels.end(), labels[i]);
    SORITES_CHECK(at != out_labels.end(), "no axis is summed");
    view.strides[static_cast<std::size_t>(at - out_labels.begin())] += strides[i];
  }
  return view;
}

std::optional<View> view_of_map(const std::vector<Axis>& a_axes,
                                std::span<const std::uint32_t> a_shape,
                                const std::vector<Axis>& out_axes) {
  for (std::size_t i = 0; i < out_axes.size(); ++i) {
    const bool repeated = std::count(out_axes.begin(), out_axes.end(), out_axes[i]) > 1;
    if (out_axes[i].fixed || repeated) return std::nullopt;
  }
  View view{0, std::vector<std::ptrdiff_t>(out_axes.size())};
  const auto strides = row_major_strides(a_shape);
  for (std::size_t i = 0; i < a_axes.size(); ++i) {
    if (a_axes[i].fixed) {
      if (a_axes[i].at >= a_shape[i]) return std::nullopt;
      view.start += static_cast<std::ptrdiff_t>(a_axes[i].at) * strides[i];
      continue;
    }
    const auto at = std::find(out_axes.begin(), out_axes.end(), a_axes[i]);
    if (at == out_axes.end()) return std::nullopt;
    view.strides[static_cast<std::size_t>(at - out_axes.begin())] += strides[i];
  }
  return view;
}

}  // namespace sorites
