#include "meanfield/product.h"

#include <gtest/gtest.h>

#include <cmath>

#include "meanfield/blas.h"
#include "meanfield/buffer.h"
#include "meanfield/map.h"
#include "meanfield/random_tensor.h"

namespace sorites {
namespace {

using Values = std::vector<double>;

// A product as an expression of two leaves (or one, if both operands are the same).
struct Case {
  Expression expression;
  NodeId product = kNoNode;

  const Node& node() const { return expression[product]; }
  const Node& a() const { return expression[node().a]; }
  const Node& b() const { return expression[node().b]; }
};

Case make_case(const RandomProduct& random, bool same = false) {
  Case c;
  const auto leaf = [&](std::uint32_t number, const Labels& labels) {
    return c.expression.add_leaf(
        {LeafKind::kMarginal, number}, shape_of(labels, random.sizes), Changes::kWithMarginals);
  };
  const NodeId a = leaf(0, random.a);
  const NodeId b = same ? a : leaf(1, random.b);
  c.product = c.expression.add_product(a, random.a, b, random.b, random.out);
  return c;
}

Product plan_of(const Case& c) {
  const Node& node = c.node();
  return plan_product(node.a_labels, c.a().shape, node.b_labels, c.b().shape, node.out_labels);
}

template <class Real>
std::vector<Real> product_of(const Case& c,
                             const std::vector<Real>& a,
                             const std::vector<Real>& b,
                             Scaling<Real> scaling = {},
                             unsigned threads = 1) {
  ThreadPool pool(threads);
  const SingleThreadedBlas single_threaded;
  const Product product = plan_of(c);
  const Buffer<Real> scratch(scratch_size(product));
  std::vector<Real> out(num_elements(c.node().shape), Real{10});
  const Real* second = c.node().a == c.node().b ? a.data() : b.data();
  multiply<Real>(product, a.data(), second, out.data(), scaling, {scratch, pool});
  return out;
}

template <class Real>
void expect_near(const std::vector<Real>& x, const std::vector<Real>& y, double tolerance) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], tolerance) << "at " << i;
}

void expect_right(Random& random, const Case& c, double tolerance = 1e-12) {
  const Values a = random_values<double>(random, num_elements(c.a().shape));
  const Values b =
      c.node().a == c.node().b ? a : random_values<double>(random, num_elements(c.b().shape));
  const Values expected = slow_contraction(c.expression, c.node(), a, b);
  expect_near(product_of(c, a, b), expected, tolerance);
  Values more = product_of(c, a, b, {-0.5, true});
  for (double& value : more) value = (10.0 - value) / 0.5;
  expect_near(more, expected, 10 * tolerance);
}

template <class Real>
std::vector<Real> tangent_of(const Case& c,
                             WithTangent<Real> a,
                             WithTangent<Real> b,
                             unsigned threads = 1) {
  ThreadPool pool(threads);
  const SingleThreadedBlas single_threaded;
  const Product product = plan_of(c);
  const Buffer<Real> scratch(scratch_size(product));
  std::vector<Real> out(num_elements(c.node().shape), Real{10});
  multiply_tangent<Real>(product, a, b, Real{1}, out.data(), {scratch, pool});
  return out;
}

// Tangents of a product of a tensor by itself.
void expect_right_tangent(Random& random,
                          const RandomProduct& labels,
                          unsigned threads,
                          double tolerance) {
  const Case c = make_case(labels, true);
  const std::size_t size = num_elements(c.a().shape);
  const Values a = random_values<double>(random, size), da = random_values<double>(random, size);
  const Case apart = make_case(labels);
  Values expected = product_of(apart, da, a);
  const Values other = product_of(apart, a, da);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += other[i];
  const WithTangent<double> operand{a.data(), da.data()};
  const Values tangent = tangent_of(c, operand, operand, threads);
  expect_near(tangent, expected, tolerance);
}

TEST(Product, EqualsLoopsOverAllLabels) {
  Random random(1);
  for (int i = 0; i < 5000; ++i) {
    expect_right(random, make_case(random_product(random, 5)));
    if (HasFatalFailure()) FAIL() << "case " << i;
  }
}

TEST(Product, EqualsLoopsOverAllLabelsIfThereAreMatrices) {
  Random random(2);
  int matrices = 0, copies = 0, swapped = 0;
  for (int i = 0; i < 1500; ++i) {
    RandomProduct product = random_product(random, 12);
    std::size_t work = 1;
    for (const auto& [label, size] : product.sizes) work *= size;
    if (work > 30'000) continue;
    const Case c = make_case(product);
    expect_right(random, c, 1e-11);
    if (HasFatalFailure()) FAIL() << "case " << i;
    const Product plan = plan_of(c);
    if (const auto* plan_of_matrices = std::get_if<MatrixProduct>(&plan)) {
      ++matrices;
      if (scratch_size(plan) > 0) ++copies;
      if (plan_of_matrices->swapped) ++swapped;
    }
  }
  EXPECT_GT(matrices, 20);
  EXPECT_GT(copies, 5);
  EXPECT_GT(swapped, 5);
}

TEST(Product, OfATensorByItself) {
  Random random(3);
  int symmetric = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::uint32_t most_size = i % 2 == 0 ? 12 : 4;
    RandomProduct product = random_product(random, most_size);
    // The same sizes along both, and work that a test has time for.
    if (product.a.size() != product.b.size()) continue;
    std::size_t work = 1;
    const std::uint32_t size = 1 + random_below(random, most_size);
    for (auto& [label, label_size] : product.sizes) work *= label_size = size;
    if (work > 50'000) continue;
    const Case c = make_case(product, true);
    expect_right(random, c, 1e-11);
    expect_right_tangent(random, product, 1, 1e-11);
    if (HasFatalFailure()) FAIL() << "case " << i;
    const Product plan = plan_of(c);
    const auto* matrices = std::get_if<MatrixProduct>(&plan);
    if (matrices != nullptr && matrices->symmetric_if_same) ++symmetric;
  }
  EXPECT_GT(symmetric, 10);
}

TEST(Product, PlainMatricesAreNotCopied) {
  Random random(4);
  const Indices sizes{{0, 30}, {1, 40}, {2, 50}};
  for (const Labels& a : {Labels{0, 2}, Labels{2, 0}}) {
    for (const Labels& b : {Labels{2, 1}, Labels{1, 2}}) {
      for (const Labels& out : {Labels{0, 1}, Labels{1, 0}}) {
        const Case c = make_case({a, b, out, sizes});
        ASSERT_TRUE(std::holds_alternative<MatrixProduct>(plan_of(c)));
        EXPECT_EQ(scratch_size(plan_of(c)), 0U);
        expect_right(random, c, 1e-11);
      }
    }
  }
}

TEST(Product, DoesNotDependOnTheNumberOfThreads) {
  Random random(5);
  const std::vector<RandomProduct> products{
      {{0, 2}, {2, 1}, {0, 1}, {{0, 301}, {1, 103}, {2, 150}}},  // matrices
      {{0, 2}, {1, 2}, {1, 0}, {{0, 180}, {1, 180}, {2, 140}}},  // symmetric if the same
      {{0, 1, 3}, {0, 3, 2}, {0, 1, 2}, {{0, 200}, {1, 20}, {2, 30}, {3, 25}}},  // batch
      {{0, 1}, {1}, {0}, {{0, 700}, {1, 300}}},                                  // by a vector
      {{1, 0}, {1}, {0}, {{0, 700}, {1, 300}}},
      {{0, 1}, {1, 0}, {0, 1}, {{0, 400}, {1, 400}}},  // elementwise
      {{0}, {1}, {1, 0}, {{0, 400}, {1, 400}}},        // broadcasting
      {{0, 1}, {0, 1}, {}, {{0, 400}, {1, 400}}},      // one number
  };
  for (const RandomProduct& product : products) {
    for (const bool same : {false, true}) {
      if (same && shape_of(product.a, product.sizes) != shape_of(product.b, product.sizes))
        continue;
      if (same) expect_right_tangent(random, product, 3, 1e-9);
      const Case c = make_case(product, same);
      const auto a = random_values<float>(random, num_elements(c.a().shape));
      const auto b = random_values<float>(random, num_elements(c.b().shape));
      const auto alone = product_of(c, a, b, {}, 1);
      EXPECT_EQ(alone, product_of(c, a, b, {}, 3));
      const Values exact_a(a.begin(), a.end()), exact_b(b.begin(), b.end());
      const Values expected =
          slow_contraction(c.expression, c.node(), exact_a, same ? exact_a : exact_b);
      for (std::size_t i = 0; i < alone.size(); ++i) {
        ASSERT_NEAR(alone[i], expected[i], 2e-5 * (1.0 + std::abs(expected[i])));
      }
    }
  }
}

TEST(Product, OfEmptyDomains) {
  Random random(6);
  for (int i = 0; i < 500; ++i) {
    RandomProduct product = random_product(random, 4);
    for (auto& [label, size] : product.sizes) {
      if (random_below(random, 3) == 0) size = 0;
    }
    expect_right(random, make_case(product));
  }
}

TEST(Map, EqualsLoopsOverAllLabels) {
  Random random(7);
  for (int i = 0; i < 5000; ++i) {
    Expression expression;
    std::vector<std::uint32_t> shape(random_below(random, 5));
    for (std::uint32_t& size : shape) size = 1 + random_below(random, 4);
    const NodeId leaf = expression.add_leaf({}, shape, Changes::kWithMarginals);
    const NodeId map = add_random_map(random, expression, leaf, 1 + random_below(random, 4));
    if (map == leaf) continue;
    const Node& node = expression[map];
    const Values a = random_values<double>(random, num_elements(shape));
    Values out(num_elements(node.shape), 10.0);
    ThreadPool pool(1);
    run_map(plan_map(node.a_axes, shape, node.out_axes, node.shape), a.data(), out.data(), pool);
    expect_near(out, slow_contraction(expression, node, a, {}), 1e-12);
    if (HasFatalFailure()) FAIL() << "case " << i;
  }
}

TEST(Map, OfLargeTensorsOnThreads) {
  Random random(8);
  const std::uint32_t size = 300;
  const auto a = random_values<float>(random, size * size);
  const std::vector<std::uint32_t> matrix{size, size}, vector{size};
  const Axis x{false, 0}, y{false, 1};
  const auto run = [&](const LoopNest& map, std::size_t out_size, unsigned threads) {
    ThreadPool pool(threads);
    std::vector<float> out(out_size, 10.0F);
    run_map(map, a.data(), out.data(), pool);
    return out;
  };
  const LoopNest transpose = plan_map({x, y}, matrix, {y, x}, matrix);
  const auto transposed = run(transpose, a.size(), 3);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) ASSERT_EQ(transposed[j * size + i], a[i * size + j]);
  }
  for (const auto& map : {transpose,
                          plan_map({x, y}, matrix, {x}, vector),
                          plan_map({x, y}, matrix, {y}, vector),
                          plan_map({x, x}, matrix, {x, x}, matrix)}) {
    EXPECT_EQ(run(map, map.out_size, 1), run(map, map.out_size, 3));
  }
}

TEST(Map, OfEmptyDomains) {
  ThreadPool pool(1);
  const std::vector<std::uint32_t> none{0, 3}, vector{3};
  const double nothing = 0.0;
  Values out(3, 10.0);
  run_map(
      plan_map({{false, 0}, {false, 1}}, none, {{false, 1}}, vector), &nothing, out.data(), pool);
  EXPECT_EQ(out, Values(3, 0.0));
  out.assign(3, 10.0);
  run_map(
      plan_map({{true, 0}, {false, 1}}, none, {{false, 1}}, vector), &nothing, out.data(), pool);
  EXPECT_EQ(out, Values(3, 0.0));
}

}  // namespace
}  // namespace sorites
