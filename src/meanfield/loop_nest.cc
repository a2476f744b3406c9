#include "meanfield/loop_nest.h"

#include <algorithm>

namespace sorites {
namespace {

constexpr std::size_t kTile = 16;            // a cache line of floats
constexpr std::size_t kTaskWork = 1U << 15;  // turns that are worth the waking of a thread

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
  return x.size > y.size;
}

// Two loops that both write, of which one runs along memory and the other across it.
bool needs_tiles(const Loop& outer, const Loop& inner) {
  if (outer.out == 0 || inner.out == 0 || inner.size <= kTile || outer.size == 1) return false;
  return (outer.a == 1 && inner.a > 1) || (outer.b == 1 && inner.b > 1) ||
         (outer.out == 1 && inner.out > 1);
}

template <class Real>
class Runner {
 public:
  Runner(const LoopNest& nest, Scaling<Real> scaling)
      : nest_(nest),
        alpha_(scaling.alpha),
        row_(choose_row_kernel<Real>(nest.loops.back(), scaling.accumulate || !nest.writes_once)) {}

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
  void run_tiles(
      const Loop& outer, const Loop& inner, const Real* a, const Real* b, Real* out) const {
    for (std::size_t i = 0; i < outer.size; i += kTile) {
      const std::size_t end = std::min(i + kTile, outer.size);
      for (std::size_t j = 0; j < inner.size; j += kTile) {
        Loop tile = inner;
        tile.size = std::min(kTile, inner.size - j);
        const auto along = static_cast<std::ptrdiff_t>(j);
        for (std::size_t k = i; k < end; ++k) {
          const auto across = static_cast<std::ptrdiff_t>(k);
          row_(tile,
               a + across * outer.a + along * inner.a,
               b + across * outer.b + along * inner.b,
               out + across * outer.out + along * inner.out,
               alpha_);
        }
      }
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
  const std::size_t tasks = std::min({turns / kTaskWork,
                                      nest.loops[split].out == 0 ? 1 : nest.loops[split].size,
                                      std::size_t{4} * pool.num_threads()});
  if (tasks <= 1 || pool.num_threads() == 1) return runner.run(nest.loops, a, b, out);
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
