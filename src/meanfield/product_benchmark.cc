// Products, sums and activations in single precision, with sgemm of the BLAS library as the
// yardstick. Arguments are the size of the axes, then the number of threads.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "meanfield/activation.h"
#include "meanfield/blas.h"
#include "meanfield/evaluator.h"

extern "C" void openblas_set_num_threads(int);

namespace sorites {
namespace {

Buffer<float> random_buffer(std::size_t size) {
  Buffer<float> buffer(size);
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
  for (float& value : std::span<float>(buffer)) value = uniform(random);
  return buffer;
}

void count_operations(benchmark::State& state, double multiply_adds) {
  state.counters["flops"] = benchmark::Counter(
      2.0 * multiply_adds * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void sgemm_itself(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto a = random_buffer(n * n), b = random_buffer(n * n), out = random_buffer(n * n);
  openblas_set_num_threads(static_cast<int>(state.range(1)));
  for ([[maybe_unused]] auto _ : state) {
    gemm({n, n, n}, {a.data(), n, false}, {b.data(), n, false}, {out.data(), n}, {});
    benchmark::ClobberMemory();
  }
  count_operations(state, static_cast<double>(n * n * n));
}

struct Contraction {
  Labels a, b, out;
  std::vector<std::uint32_t> sizes;  // by label
};

void multiply_all(benchmark::State& state, const Contraction& c, bool same, unsigned threads) {
  const auto shape = [&](const Labels& labels) {
    std::vector<std::uint32_t> sizes;
    for (const std::uint32_t label : labels) sizes.push_back(c.sizes[label]);
    return sizes;
  };
  const Product product = plan_product(c.a, shape(c.a), c.b, shape(c.b), c.out);
  const auto a = random_buffer(num_elements(shape(c.a)));
  const auto other = random_buffer(num_elements(shape(c.b)));
  const auto& b = same ? a : other;
  const auto out = random_buffer(num_elements(shape(c.out)));
  const Buffer<float> scratch(scratch_size(product));
  ThreadPool pool(threads);
  const SingleThreadedBlas single_threaded;
  for ([[maybe_unused]] auto _ : state) {
    multiply<float>(product, a.data(), b.data(), out.data(), {}, {scratch, pool});
    benchmark::ClobberMemory();
  }
  count_operations(state, static_cast<double>(num_elements(c.sizes)));
}

void product_of_squares(benchmark::State& state, const Contraction& labels, bool same) {
  Contraction c = labels;
  std::size_t num_labels = 0;
  for (const Labels* list : {&c.a, &c.b, &c.out}) {
    for (const std::uint32_t label : *list)
      num_labels = std::max<std::size_t>(num_labels, label + 1);
  }
  c.sizes.assign(num_labels, static_cast<std::uint32_t>(state.range(0)));
  multiply_all(state, c, same, static_cast<unsigned>(state.range(1)));
}

void batch_of_small(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  multiply_all(state,
               {{0, 1, 3}, {0, 3, 2}, {0, 1, 2}, {1'000, n, n, n}},
               false,
               static_cast<unsigned>(state.range(1)));
}

// A tenth of the pairs that a list would be kept for.
void sparse_by_dense(benchmark::State& state, const Contraction& c) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  const std::vector<std::uint32_t> shape{n, n};
  std::vector<std::uint64_t> atoms;
  std::mt19937 random(1);
  for (std::uint64_t atom = 0; atom < std::uint64_t{n} * n; ++atom) {
    if (random() % 160 == 0) atoms.push_back(atom);
  }
  const SparseProduct product = plan_sparse_product(atoms, c.a, shape, c.b, shape, c.out);
  const auto dense = random_buffer(std::size_t{n} * n), out = random_buffer(product.out_size);
  const Buffer<float> scratch(scratch_size(product));
  ThreadPool pool(static_cast<unsigned>(state.range(1)));
  for ([[maybe_unused]] auto _ : state) {
    run_sparse_product<float>(product, dense.data(), out.data(), {}, scratch, pool);
    benchmark::ClobberMemory();
  }
  count_operations(state, static_cast<double>(atoms.size()) * n);
}

void transpose(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  const std::vector<std::uint32_t> shape{n, n};
  const Axis x{false, 0}, y{false, 1};
  const LoopNest map = plan_map({x, y}, shape, {y, x}, shape);
  const auto a = random_buffer(std::size_t{n} * n), out = random_buffer(std::size_t{n} * n);
  ThreadPool pool(static_cast<unsigned>(state.range(1)));
  for ([[maybe_unused]] auto _ : state) {
    run_map(map, a.data(), out.data(), pool);
    benchmark::ClobberMemory();
  }
}

void sum_of_three(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto a = random_buffer(n * n), b = random_buffer(n * n), c = random_buffer(n * n);
  const auto out = random_buffer(n * n);
  const std::vector<std::uint32_t> shape(2, static_cast<std::uint32_t>(n));
  const SumPlan plan = plan_sum(shape, std::vector<TermViews>(3, {whole_view(shape)}));
  const std::vector<ScaledTensor<float>> terms{
      {1.0F, a.data()}, {-2.0F, b.data()}, {3.0F, c.data()}};
  ThreadPool pool(static_cast<unsigned>(state.range(1)));
  for ([[maybe_unused]] auto _ : state) {
    run_sum<float>(plan, terms, 1.0F, out.data(), pool);
    benchmark::ClobberMemory();
  }
}

template <class Real>
void sigmoid_of_squares(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  std::vector<Real> x(n * n), p(n * n);
  std::mt19937 random(1);
  std::normal_distribution<Real> normal(0, 3);
  for (Real& value : x) value = normal(random);
  ThreadPool pool(static_cast<unsigned>(state.range(1)));
  for ([[maybe_unused]] auto _ : state) {
    sigmoid<Real>(x, p, pool);
    benchmark::ClobberMemory();
  }
}

// What transitivity of a symmetric-free relation takes per iteration: Q Q, S S' with S = Q + Q', a
// transpose, sums and the sigmoid. At best that of 1.5 products of matrices.
void iteration_of_transitivity(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  const std::vector<std::uint32_t> shape{n, n};
  Expression e;
  const NodeId q = e.add_leaf({}, shape, Changes::kWithMarginals);
  const Axis x{false, 0}, y{false, 1};
  const NodeId transposed = e.add_map(q, {x, y}, {y, x}, shape);
  const NodeId both = e.add_sum({{q, {1.0, {}}}, {transposed, {1.0, {}}}});
  const NodeId symmetric = e.add_product(both, {0, 2}, both, {1, 2}, {0, 1});
  const NodeId squared = e.add_product(q, {0, 2}, q, {2, 1}, {0, 1});
  const NodeId masked = e.add_product(q, {0, 1}, transposed, {0, 1}, {0, 1});
  const NodeId messages = e.add_sum(
      {{symmetric, {-1e-3, {}}}, {squared, {1e-3, {}}}, {masked, {0.5, {}}}, {q, {0.1, {}}}});
  ThreadPool pool(static_cast<unsigned>(state.range(1)));
  TensorEvaluator<float> evaluator(e, {messages}, {}, pool);
  const auto start = random_buffer(std::size_t{n} * n);
  std::copy_n(start.data(), start.size(), evaluator.leaf(q).begin());
  for ([[maybe_unused]] auto _ : state) {
    evaluator.update();
    sigmoid<float>(evaluator.value(messages), evaluator.leaf(q), pool);
  }
  count_operations(state, 1.5 * n * n * n);
}

// Many small nodes, where what counts is the time that a step takes apart from its work.
void iteration_of_small_nodes(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  Expression e;
  const NodeId pairs = e.add_leaf({LeafKind::kMarginal, 0}, {n, n}, Changes::kWithMarginals);
  NodeId vector = e.add_leaf({LeafKind::kMarginal, 1}, {n}, Changes::kWithMarginals);
  const Axis x{false, 0};
  for (int i = 0; i < 25; ++i) {
    const NodeId next = e.add_product(pairs, {0, 1}, vector, {1}, {0});
    const NodeId total = e.add_map(next, {x}, {}, {});
    const NodeId scaled = e.add_product(total, {}, vector, {0}, {0});
    vector = e.add_sum({{next, {1e-2, {}}}, {scaled, {-1e-2, {}}}});
  }
  ThreadPool pool(static_cast<unsigned>(state.range(1)));
  TensorEvaluator<float> evaluator(e, {vector}, {}, pool);
  for ([[maybe_unused]] auto _ : state) evaluator.update();
  state.counters["nodes/s"] = benchmark::Counter(100.0 * static_cast<double>(state.iterations()),
                                                 benchmark::Counter::kIsRate);
}

void sizes(benchmark::internal::Benchmark* b) {
  b->ArgsProduct({{64, 128, 256, 512, 1024, 2048}, {1, 2}})->UseRealTime();
}
void few_sizes(benchmark::internal::Benchmark* b) {
  b->ArgsProduct({{64, 300, 512, 2048}, {1, 2}})->UseRealTime();
}

const Contraction kMatrices{{0, 2}, {2, 1}, {0, 1}, {}}, kTransposed{{2, 0}, {1, 2}, {1, 0}, {}};
const Contraction kSymmetric{{0, 2}, {1, 2}, {0, 1}, {}};
const Contraction kByVector{{0, 1}, {1}, {0}, {}}, kVectorBy{{1, 0}, {1}, {0}, {}};
const Contraction kElementwise{{0, 1}, {0, 1}, {0, 1}, {}}, kAcross{{0, 1}, {1, 0}, {0, 1}, {}};
const Contraction kDot{{0, 1}, {0, 1}, {}, {}}, kCopied{{2, 0, 3}, {3, 1, 2}, {0, 1}, {}};

BENCHMARK(sgemm_itself)->Apply(sizes);
BENCHMARK_CAPTURE(product_of_squares, matrices, kMatrices, false)->Apply(sizes);
BENCHMARK_CAPTURE(product_of_squares, transposed, kTransposed, false)->Apply(sizes);
BENCHMARK_CAPTURE(product_of_squares, symmetric, kSymmetric, true)->Apply(sizes);
BENCHMARK_CAPTURE(product_of_squares, by_vector, kByVector, false)->Apply(few_sizes);
BENCHMARK_CAPTURE(product_of_squares, vector_by, kVectorBy, false)->Apply(few_sizes);
BENCHMARK_CAPTURE(product_of_squares, elementwise, kElementwise, false)->Apply(few_sizes);
BENCHMARK_CAPTURE(product_of_squares, elementwise_across, kAcross, false)->Apply(few_sizes);
BENCHMARK_CAPTURE(product_of_squares, dot, kDot, false)->Apply(few_sizes);
BENCHMARK_CAPTURE(product_of_squares, copied, kCopied, false)
    ->ArgsProduct({{60}, {1, 2}})
    ->UseRealTime();
BENCHMARK(batch_of_small)->ArgsProduct({{4, 8, 16, 32}, {1, 2}})->UseRealTime();
BENCHMARK_CAPTURE(sparse_by_dense, rows, kMatrices)->Apply(few_sizes);
BENCHMARK_CAPTURE(sparse_by_dense, columns, kTransposed)->Apply(few_sizes);
BENCHMARK(transpose)->Apply(few_sizes);
BENCHMARK(sum_of_three)->Apply(few_sizes);
BENCHMARK(sigmoid_of_squares<float>)->Apply(few_sizes);
BENCHMARK(sigmoid_of_squares<double>)->Apply(few_sizes);
BENCHMARK(iteration_of_transitivity)->Apply(few_sizes);
BENCHMARK(iteration_of_small_nodes)->ArgsProduct({{16, 64, 300}, {1, 2}})->UseRealTime();

}  // namespace
}  // namespace sorites

BENCHMARK_MAIN();
