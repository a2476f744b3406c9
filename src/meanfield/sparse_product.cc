#include "meanfield/sparse_product.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/check.h"

namespace sorites {
namespace {

constexpr std::size_t kElementsPerEntry = 16;  // of the dense operand: kSparse of compile.cc
constexpr std::size_t kTaskWork = 1U << 14;    // multiply-adds worth waking a thread for
// A copy costs less than to jump through memory with this many steps per element, in rows this
// long.
constexpr std::size_t kStepsPerCopy = 2, kFewestInRow = 8;

// One label of the product: where it leads in the dense operand (`a`) and the result.
using LoopsByLabel = std::map<std::uint32_t, Loop>;

std::vector<Axis> as_axes(const Labels& labels) {
  std::vector<Axis> axes;
  for (const std::uint32_t label : labels) axes.push_back({false, label});
  return axes;
}

std::ptrdiff_t note_axes(const std::vector<Axis>& axes,
                         std::span<const std::uint32_t> shape,
                         std::ptrdiff_t Loop::*side,
                         LoopsByLabel& loops) {
  SORITES_CHECK(axes.size() == shape.size(), "there is an axis for each size");
  const auto strides = row_major_strides(shape);
  std::ptrdiff_t start = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].fixed) {
      start += static_cast<std::ptrdiff_t>(axes[i].at) * strides[i];
    } else {
      loops[axes[i].at].size = shape[i];
      loops[axes[i].at].*side += strides[i];
    }
  }
  return start;
}

// Finds where atoms lead.
class EntryFinder {
 public:
  EntryFinder(const std::vector<Axis>& axes,
              std::span<const std::uint32_t> shape,
              const LoopsByLabel& loops)
      : axes_(axes), shape_(shape), index_(axes.size()) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const auto same = std::find(axes.begin(), axes.end(), axes[i]) - axes.begin();
      first_.push_back(static_cast<std::size_t>(same));
      const bool counts = !axes[i].fixed && first_[i] == i;
      steps_.push_back(counts ? loops.at(axes[i].at) : Loop{});
    }
  }

  // Nothing if the atom is not on the diagonals and slices that the axes say.
  std::optional<SparseProduct::Entry> find(std::uint64_t atom) {
    for (std::size_t i = axes_.size(); i-- > 0;) {
      index_[i] = static_cast<std::uint32_t>(atom % shape_[i]);
      atom /= shape_[i];
    }
    SparseProduct::Entry entry;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const std::uint32_t expected = axes_[i].fixed ? axes_[i].at : index_[first_[i]];
      if (index_[i] != expected) return std::nullopt;
      entry.dense += steps_[i].a * static_cast<std::ptrdiff_t>(index_[i]);
      entry.out += steps_[i].out * static_cast<std::ptrdiff_t>(index_[i]);
    }
    return entry;
  }

 private:
  const std::vector<Axis>& axes_;
  std::span<const std::uint32_t> shape_;
  std::vector<std::uint32_t> index_;
  std::vector<std::size_t> first_;  // axis with the same label
  std::vector<Loop> steps_;         // no step for fixed axes and labels seen before
};

// The labels that only the dense operand and the result have.
LoopsByLabel free_loops(const LoopsByLabel& loops, const std::vector<Axis>& sparse_axes) {
  LoopsByLabel free = loops;
  for (const Axis& axis : sparse_axes) {
    if (!axis.fixed) free.erase(axis.at);
  }
  return free;
}

// Changes the strides of one side so that free labels come last, in the order of the result; gives
// loops from the old places (`a`) to the new ones (`out`).
std::vector<Loop> move_last(const LoopsByLabel& free,
                            std::ptrdiff_t Loop::*side,
                            LoopsByLabel& loops) {
  std::map<std::pair<bool, std::ptrdiff_t>, std::uint32_t> label_at;  // by order in the copy
  for (const auto& [label, loop] : loops) {
    if (loop.*side == 0) continue;
    const bool is_free = free.contains(label);
    label_at[{is_free, is_free ? -free.at(label).out : -(loop.*side)}] = label;
  }
  std::vector<Loop> copy;
  copy.reserve(label_at.size());
  for (const auto& [key, label] : label_at) copy.push_back({loops[label].size, loops[label].*side});
  std::ptrdiff_t stride = 1;
  std::size_t i = copy.size();
  for (auto at = label_at.rbegin(); at != label_at.rend(); ++at) {
    copy[--i].out = stride;
    loops[at->second].*side = stride;
    stride *= static_cast<std::ptrdiff_t>(copy[i].size);
  }
  return copy;
}

// Chooses which sides are copied, so that the innermost loop runs along memory.
void plan_copies(const LoopsByLabel& free,
                 std::size_t num_entries,
                 std::size_t dense_size,
                 LoopsByLabel& loops,
                 SparseProduct& product) {
  const Loop* last = nullptr;
  std::size_t work = num_entries;
  for (const auto& [label, loop] : free) {
    if (last == nullptr || loop.out < last->out) last = &loop;
    work *= loop.size;
  }
  if (last == nullptr || last->size < kFewestInRow) return;
  const bool copy_dense = last->a > 1, copy_out = last->out > 1;
  const std::size_t copied = (copy_dense ? dense_size : 0) + (copy_out ? product.out_size : 0);
  if (kStepsPerCopy * work < copied) return;
  if (copy_dense) {
    product.dense_copy = plan_nest(move_last(free, &Loop::a, loops), dense_size);
    product.dense_copy_size = dense_size;
  }
  if (copy_out) {
    std::vector<Loop> copy = move_last(free, &Loop::out, loops);
    for (Loop& loop : copy) std::swap(loop.a, loop.out);
    product.out_copy = plan_nest(std::move(copy), product.out_size);
    product.out_copy_size = product.out_size;
  }
}

struct SparseOperand {
  std::span<const std::uint64_t> atoms;
  const std::vector<Axis>& axes;
  std::span<const std::uint32_t> shape;
};

SparseProduct plan(const SparseOperand& sparse,
                   LoopsByLabel loops,
                   std::size_t dense_size,
                   std::ptrdiff_t out_start,
                   std::size_t out_size) {
  SparseProduct product;
  product.out_size = out_size;
  const LoopsByLabel free_labels = free_loops(loops, sparse.axes);
  if (out_size > 0 && dense_size > 1) {
    plan_copies(free_labels, sparse.atoms.size(), dense_size, loops, product);
  }
  EntryFinder finder(sparse.axes, sparse.shape, loops);
  for (const std::uint64_t atom : sparse.atoms) {
    if (const auto entry = finder.find(atom)) product.entries.push_back(*entry);
  }
  std::sort(product.entries.begin(), product.entries.end(), [](const auto& x, const auto& y) {
    return x.out != y.out ? x.out < y.out : x.dense < y.dense;
  });
  std::vector<Loop> free;
  for (const auto& [label, loop] : free_labels) free.push_back(loops.at(label));
  product.free = plan_nest(std::move(free), out_size, 0, out_start);
  if (!product.free.empty) {
    const Loop& innermost = product.free.loops.back();
    product.entries_inside = innermost.size == 1 || innermost.a > 1 || innermost.out > 1;
  }
  return product;
}

template <class Real>
struct Run {
  std::span<const SparseProduct::Entry> entries;
  Real alpha;
  RowKernel<Real> row;

  // All entries at each index of the loops.
  void entries_inside(std::span<const Loop> loops, const Real* dense, Real* out) const {
    if (loops.empty()) {
      for (const auto& entry : entries) out[entry.out] += alpha * dense[entry.dense];
      return;
    }
    for (std::size_t i = 0; i < loops.front().size; ++i) {
      entries_inside(loops.subspan(1), dense, out);
      dense += loops.front().a;
      out += loops.front().out;
    }
  }

  // All indices of the loops for one entry.
  void one_entry(std::span<const Loop> loops, const Real* dense, Real* out) const {
    static constexpr Real kOne = 1;
    const Loop& loop = loops.front();
    if (loops.size() == 1) return row(loop, dense, &kOne, out, alpha);
    for (std::size_t i = 0; i < loop.size; ++i) {
      one_entry(loops.subspan(1), dense, out);
      dense += loop.a;
      out += loop.out;
    }
  }
};

// Moves a place in the list on to where the next element of the result starts, so that no two parts
// of the list write to the same.
std::size_t next_start(const std::vector<SparseProduct::Entry>& entries, std::size_t at) {
  while (at > 0 && at < entries.size() && entries[at].out == entries[at - 1].out) ++at;
  return at;
}

// On copies, if there are any.
template <class Real>
void run_entries(
    const SparseProduct& product, const Real* dense, Real* out, Real alpha, ThreadPool& pool) {
  const auto& entries = product.entries;
  out += product.free.out_start;
  const std::vector<Loop>& loops = product.free.loops;
  const RowKernel<Real> row = choose_row_kernel<Real>(loops.back(), true);
  std::size_t work = entries.size();
  for (const Loop& loop : loops) work *= loop.size;
  const std::size_t tasks = std::clamp<std::size_t>(
      work / kTaskWork,
      1,
      std::min(entries.size(), std::max(std::size_t{4} * pool.num_threads(), work / kMostWork)));
  pool.for_each(tasks, [&](std::size_t task) {
    const Part part = part_of(entries.size(), tasks, task);
    const std::size_t begin = next_start(entries, part.begin);
    const std::size_t end = next_start(entries, part.end);
    if (begin >= end) return;
    const Run<Real> run{std::span(entries).subspan(begin, end - begin), alpha, row};
    if (product.entries_inside) return run.entries_inside(loops, dense, out);
    for (const auto& entry : run.entries) {
      run.one_entry(loops, dense + entry.dense, out + entry.out);
    }
  });
}

}  // namespace

bool sparse_pays(std::size_t num_true, std::size_t num_atoms) {
  return num_true < num_atoms / kElementsPerEntry;
}

SparseProduct plan_sparse_product(std::span<const std::uint64_t> atoms,
                                  const Labels& sparse_labels,
                                  std::span<const std::uint32_t> sparse_shape,
                                  const Labels& dense_labels,
                                  std::span<const std::uint32_t> dense_shape,
                                  const Labels& out_labels) {
  LoopsByLabel loops;
  const std::vector<Axis> sparse_axes = as_axes(sparse_labels);
  note_axes(sparse_axes, sparse_shape, &Loop::b, loops);
  note_axes(as_axes(dense_labels), dense_shape, &Loop::a, loops);
  std::vector<std::uint32_t> out_shape;
  for (const std::uint32_t label : out_labels) {
    out_shape.push_back(static_cast<std::uint32_t>(loops.at(label).size));
  }
  note_axes(as_axes(out_labels), out_shape, &Loop::out, loops);
  return plan({atoms, sparse_axes, sparse_shape},
              std::move(loops),
              num_elements(dense_shape),
              0,
              num_elements(out_shape));
}

SparseProduct plan_sparse_map(std::span<const std::uint64_t> atoms,
                              const std::vector<Axis>& sparse_axes,
                              std::span<const std::uint32_t> sparse_shape,
                              const std::vector<Axis>& out_axes,
                              std::span<const std::uint32_t> out_shape) {
  const std::size_t out_size = num_elements(out_shape);
  if (out_size == 0) atoms = {};
  LoopsByLabel loops;
  note_axes(sparse_axes, sparse_shape, &Loop::b, loops);
  const std::ptrdiff_t out_start = note_axes(out_axes, out_shape, &Loop::out, loops);
  return plan({atoms, sparse_axes, sparse_shape}, std::move(loops), 1, out_start, out_size);
}

std::size_t scratch_size(const SparseProduct& product) {
  return product.dense_copy_size + product.out_copy_size;
}

template <class Real>
void run_sparse_product(const SparseProduct& product,
                        const Real* dense,
                        Real* out,
                        Scaling<Real> scaling,
                        std::span<Real> scratch,
                        ThreadPool& pool) {
  static constexpr Real kOne = 1;
  const bool nothing = product.entries.empty() || product.free.empty;
  const bool copies_out = product.out_copy_size > 0 && !nothing;
  if (!scaling.accumulate && !copies_out) std::fill_n(out, product.out_size, Real{0});
  if (nothing) return;
  if (product.dense_copy_size > 0) {
    run_nest(product.dense_copy, dense, &kOne, scratch.data(), {}, pool);
    dense = scratch.data();
  }
  if (!copies_out) return run_entries(product, dense, out, scaling.alpha, pool);
  Real* copy = scratch.data() + product.dense_copy_size;
  std::fill_n(copy, product.out_copy_size, Real{0});
  run_entries(product, dense, copy, scaling.alpha, pool);
  run_nest(product.out_copy, copy, &kOne, out, {1, scaling.accumulate}, pool);
}

template void run_sparse_product(
    const SparseProduct&, const float*, float*, Scaling<float>, std::span<float>, ThreadPool&);
template void run_sparse_product(
    const SparseProduct&, const double*, double*, Scaling<double>, std::span<double>, ThreadPool&);

}  // namespace sorites
