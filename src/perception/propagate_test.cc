#include "perception/propagate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace sorites {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::FloatNear;
using Edge = std::pair<std::uint32_t, std::uint32_t>;

TEST(NormalizeRows, RowsSumToOne) {
  FeatureArray features{{2}, {1.0F, 3.0F, 0.0F, 0.0F, -1.0F, 1.0F}};
  normalize_rows(features);
  EXPECT_THAT(features.values, ElementsAre(0.25F, 0.75F, 0.0F, 0.0F, -0.5F, 0.5F));
}

TEST(PropagateOverGraph, PathOfThree) {
  FeatureArray features{{1}, {1.0F, 0.0F, 0.0F}};
  const Edge edges[] = {{0, 1}, {2, 1}, {1, 0}, {1, 1}};  // one twice, and a loop
  propagate_over_graph(features, edges, 1);
  EXPECT_THAT(features.values,
              ElementsAre(FloatEq(0.5F), FloatNear(1.0F / std::sqrt(6.0F), 1e-6F), 0.0F));
}

TEST(PropagateOverGraph, NoHopsAndNoEdgesChangeNothing) {
  FeatureArray features{{2}, {1.0F, 2.0F, 3.0F, 4.0F}};
  const std::vector<float> before = features.values;
  const Edge edges[] = {{0, 1}};
  propagate_over_graph(features, edges, 0);
  EXPECT_EQ(features.values, before);
  propagate_over_graph(features, {}, 3);
  EXPECT_EQ(features.values, before);
}

TEST(PropagateOverGraph, RefusesEdgesOutsideTheGraph) {
  FeatureArray features{{1}, {1.0F}};
  const Edge edges[] = {{0, 1}};
  EXPECT_THROW(propagate_over_graph(features, edges, 1), std::invalid_argument);
}

// S^k X by dense matrices.
std::vector<float> dense(const std::vector<float>& x, const std::vector<Edge>& edges, int hops) {
  const std::size_t n = x.size();
  std::vector<double> a(n * n), degree(n), value(x.begin(), x.end()), next(n);
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] = 1.0;
  for (const auto& [i, j] : edges) a[i * n + j] = a[j * n + i] = 1.0;
  for (std::size_t i = 0; i < n * n; ++i) degree[i / n] += a[i];
  for (; hops > 0; --hops) {
    for (std::size_t i = 0; i < n; ++i) {
      next[i] = 0.0;
      for (std::size_t j = 0; j < n; ++j) {
        next[i] += a[i * n + j] / std::sqrt(degree[i] * degree[j]) * value[j];
      }
    }
    value.swap(next);
  }
  return {value.begin(), value.end()};
}

RC_GTEST_PROP(PropagateOverGraph, EqualsDenseMatrices, ()) {
  const auto n = *rc::gen::inRange<std::uint32_t>(1, 8);
  const auto node = rc::gen::inRange<std::uint32_t>(0, n);
  const auto edges = *rc::gen::container<std::vector<Edge>>(rc::gen::pair(node, node));
  const auto hops = *rc::gen::inRange(0, 4);
  FeatureArray features{{1}, {}};
  for (std::uint32_t i = 0; i < n; ++i) features.values.push_back(static_cast<float>(i * i) - 3.0F);
  const std::vector<float> expected = dense(features.values, edges, hops);
  propagate_over_graph(features, edges, static_cast<std::size_t>(hops));
  for (std::size_t i = 0; i < n; ++i) {
    RC_ASSERT(std::abs(features.values[i] - expected[i]) < 1e-3F);
  }
}

}  // namespace
}  // namespace sorites
