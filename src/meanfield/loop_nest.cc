#include "meanfield/loop_nest.h"

#include <algorithm>

#include "meanfield/buffer.h"
#include "meanfield/transpose.h"

namespace sorites {
namespace {

// A tile: as many rows as a cache line has floats, as many columns as make a row worth its call.
constexpr std::size_t kTileRows = kFloatsPerLine, kTileColumns = 256;
constexpr std::size_t kTaskWork = 1U << 16;  // turns that are worth the waking of a thread

bool continues(const Loop& outer, const Loop& inner) {
  const auto size = static_cast<std::ptrdiff_t>(inner.size);
  return outer.a == inner.a * size && outer.b == inner.b * size && outer.out == inner.out * size;
}

// Memory is read and written fastest along loops with few of these.
int num_jumps(const Loop& loop) {
  return (loop.a > 1 ? 1 : 0) + (loop.b > 1 ? 1 : 0) + (loop.out > 1 ? 1 : 0);
}

bool better_innermost(const Loop& x, const Loop& y) {
  if (num_jumps(x) != num_jumps(y)) return num_jumps(x) < num_jumps(y);
  if ((x.out == 1) != (y.out == 1)) return x.out == 1;
  return x.size > y.size;
}

// Whether an operand lies along the outer of two loops and across the inner one.
bool lies_across(std::ptrdiff_t outer, std::ptrdiff_t inner) { return outer == 1 && inner > 1; }

bool needs_tiles(const Loop& outer, const Loop& inner) {
  return outer.out != 0 && inner.out != 0 &&
         (lies_across(outer.a, inner.a) || lies_across(outer.b, inner.b));
}

// The last loop, with operands that lie across it as they are in tiles: transposed.
Loop last_loop(const LoopNest& nest) {
  Loop last = nest.loops.back();
  if (nest.tiled) {
    const Loop& outer = nest.loops[nest.loops.size() - 2];
    if (lies_across(outer.a, last.a)) last.a = 1;
    if (lies_across(outer.b, last.b)) last.b = 1;
  }
  return last;
}

template <class Real>
class Runner {
 public:
  Runner(const LoopNest& nest, Scaling<Real> scaling)
      : nest_(nest),
        alpha_(scaling.alpha),
        row_(choose_row_kernel<Real>(last_loop(nest), scaling.accumulate || !nest.writes_once)) {}

  void run(std::span<const Loop> loops, const Real* a, const Real* b, Real* out) const {
    const Loop& loop = loops.front();
    if (loops.size() == 1) return row_(loop, a, b, out, alpha_);
    if (loops.size() == 2 && nest_.tiled) return run_tiles(loop, loops[1], a, b, out);
    const auto inner = loops.subspan(1);
    for (std::size_t i = 0; i < loop.size; ++i) {
      run(inner, a, b, out);
      a += loop.a;
      b += loop.b;
      out += loop.out;
    }
  }

 private:
  // One operand in a tile: rows `stride` apart, elements of a row `step`.
  struct TileOperand {
    const Real* data;
    std::ptrdiff_t stride, step;
  };

  static TileOperand in_tile(const Real* data,
                             std::ptrdiff_t outer,
                             std::ptrdiff_t inner,
                             std::size_t rows,
                             std::size_t columns,
                             Real* copy) {
    if (!lies_across(outer, inner)) return {data, outer, inner};
    transpose(data, static_cast<std::size_t>(inner), copy, kTileColumns, columns, rows);
    return {copy, kTileColumns, 1};
  }

  void run_tiles(
      const Loop& outer, const Loop& inner, const Real* a, const Real* b, Real* out) const {
    for (std::size_t i = 0; i < outer.size; i += kTileRows) {
      for (std::size_t j = 0; j < inner.size; j += kTileColumns) {
        const auto across = static_cast<std::ptrdiff_t>(i), along = static_cast<std::ptrdiff_t>(j);
        Loop rows = outer, columns = inner;
        rows.size = std::min(kTileRows, outer.size - i);
        columns.size = std::min(kTileColumns, inner.size - j);
        run_tile(rows,
                 columns,
                 a + across * outer.a + along * inner.a,
                 b + across * outer.b + along * inner.b,
                 out + across * outer.out + along * inner.out);
      }
    }
  }

  void run_tile(const Loop& rows, Loop columns, const Real* a, const Real* b, Real* out) const {
    alignas(64) Real copy_of_a[kTileRows * kTileColumns], copy_of_b[kTileRows * kTileColumns];
    const TileOperand x = in_tile(a, rows.a, columns.a, rows.size, columns.size, copy_of_a);
    const TileOperand y = in_tile(b, rows.b, columns.b, rows.size, columns.size, copy_of_b);
    columns.a = x.step;
    columns.b = y.step;
    for (std::ptrdiff_t k = 0; k < static_cast<std::ptrdiff_t>(rows.size); ++k) {
      row_(columns, x.data + k * x.stride, y.data + k * y.stride, out + k * rows.out, alpha_);
    }
  }

  const LoopNest& nest_;
  Real alpha_;
  RowKernel<Real> row_;
};

// The loop to split among threads: the longest that writes; 0 turns if there is none.
std::size_t loop_to_split(const std::vector<Loop>& loops) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < loops.size(); ++i) {
    const bool writes = loops[i].out != 0;
    if (writes && (loops[best].out == 0 || loops[i].size > loops[best].size)) best = i;
  }
  return best;
}

std::size_t num_turns(const std::vector<Loop>& loops) {
  std::size_t turns = 1;
  for (const Loop& loop : loops) turns *= loop.size;
  return turns;
}

}  // namespace

void merge_loops(std::vector<Loop>& loops) {
  std::erase_if(loops, [](const Loop& loop) { return loop.size == 1; });
  for (std::size_t i = 0; i < loops.size();) {
    const auto inner = std::find_if(loops.begin(), loops.end(), [&](const Loop& loop) {
      return &loop != &loops[i] && continues(loops[i], loop);
    });
    if (inner == loops.end()) {
      ++i;
      continue;
    }
    inner->size *= loops[i].size;
    loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i));
    i = 0;
  }
}

LoopNest plan_nest(std::vector<Loop> loops,
                   std::size_t out_size,
                   std::ptrdiff_t a_start,
                   std::ptrdiff_t out_start) {
  LoopNest nest{{}, a_start, out_start, out_size};
  nest.empty = std::any_of(loops.begin(), loops.end(), [](const Loop& l) { return l.size == 0; });
  if (nest.empty) return nest;
  merge_loops(loops);
  if (loops.empty()) loops.emplace_back();
  const auto innermost = std::min_element(loops.begin(), loops.end(), better_innermost);
  std::iter_swap(innermost, loops.end() - 1);
  // The result's order outside, then sums.
  std::stable_sort(loops.begin(), loops.end() - 1, [](const Loop& x, const Loop& y) {
    return x.out != y.out ? x.out > y.out : std::max(x.a, x.b) > std::max(y.a, y.b);
  });
  std::size_t written = 1;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (loops[i].out != 0) written *= loops[i].size;
    if (loops[i].out == 0 && i + 1 < loops.size()) nest.writes_once = false;
  }
  if (written != out_size) nest.writes_once = false;
  nest.tiled = loops.size() > 1 && needs_tiles(loops[loops.size() - 2], loops.back());
  nest.loops = std::move(loops);
  return nest;
}

template <class Real>
void run_nest(const LoopNest& nest,
              const Real* a,
              const Real* b,
              Real* out,
              Scaling<Real> scaling,
              ThreadPool& pool) {
  if (!scaling.accumulate && (nest.empty || !nest.writes_once)) {
    std::fill_n(out, nest.out_size, Real{0});
  }
  if (nest.empty) return;
  a += nest.a_start;
  out += nest.out_start;
  const Runner<Real> runner(nest, scaling);
  const std::size_t split = loop_to_split(nest.loops);
  const std::size_t turns = num_turns(nest.loops);
  const std::size_t of_threads = pool.num_threads() == 1 ? 1 : std::size_t{4} * pool.num_threads();
  const std::size_t tasks = std::min({turns / kTaskWork,
                                      nest.loops[split].out == 0 ? 1 : nest.loops[split].size,
                                      std::max(of_threads, turns / kMostWork)});
  if (tasks <= 1) return runner.run(nest.loops, a, b, out);
  pool.for_each(tasks, [&](std::size_t task) {
    std::vector<Loop> loops = nest.loops;
    const auto [begin, end] = part_of(loops[split].size, tasks, task);
    loops[split].size = end - begin;
    const auto first = static_cast<std::ptrdiff_t>(begin);
    const Loop& loop = loops[split];
    runner.run(loops, a + first * loop.a, b + first * loop.b, out + first * loop.out);
  });
}

std::vector<std::ptrdiff_t> row_major_strides(std::span<const std::uint32_t> shape) {
  std::vector<std::ptrdiff_t> strides(shape.size());
  std::ptrdiff_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= static_cast<std::ptrdiff_t>(shape[i]);
  }
  return strides;
}

template void run_nest(
    const LoopNest&, const float*, const float*, float*, Scaling<float>, ThreadPool&);
template void run_nest(
    const LoopNest&, const double*, const double*, double*, Scaling<double>, ThreadPool&);

}  // namespace sorites
