#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "eval/test_relation.h"

namespace sorites {
namespace {

constexpr Evaluator kKind = Evaluator::kRanking;

TEST(RankingEvaluator, FollowsAnExampleByHand) {
  TestRelation has;
  has.target({"ann", "tea"}, 0.9, 0.0);
  has.target({"ann", "jazz"}, 0.8, 1.0);
  has.target({"ann", "rain"}, 0.7, 1.0);
  has.target({"bob", "tea"}, 0.6, 1.0);
  has.target({"cid", "tea"}, 0.6, 0.0);  // nothing to be found: left out
  EXPECT_DOUBLE_EQ(has.metric("mrr", kKind), (0.5 + 1.0) / 2);
  EXPECT_DOUBLE_EQ(has.metric("hits_at_1", kKind), 0.5);
  EXPECT_DOUBLE_EQ(has.metric("hits_at_10", kKind), 1.0);
  const double ann = (1 / std::log2(3.0) + 1 / std::log2(4.0)) / (1 + 1 / std::log2(3.0));
  EXPECT_DOUBLE_EQ(has.metric("ndcg", kKind), (ann + 1.0) / 2);
}

TEST(RankingEvaluator, CountsHitsUpToTheTenthPlace) {
  for (const int true_place : {10, 11}) {
    TestRelation has;
    for (int place = 1; place <= 12; ++place) {
      has.target({"ann", std::to_string(place)}, 1.0 - 0.01 * place, place == true_place ? 1 : 0);
    }
    EXPECT_EQ(has.metric("hits_at_10", kKind), true_place == 10 ? 1.0 : 0.0);
    EXPECT_DOUBLE_EQ(has.metric("mrr", kKind), 1.0 / true_place);
  }
}

// The mean over all orders of the atoms in which none of higher value comes after one of lower.
struct Brute {
  double mrr = 0, hits_at_1 = 0, ndcg = 0, count = 0;
};

Brute over_all_orders(const std::vector<int>& value, const std::vector<bool>& is_true) {
  std::vector<std::size_t> order(value.size());
  std::iota(order.begin(), order.end(), 0);
  Brute sum;
  do {
    bool sorted = true;
    for (std::size_t i = 1; i < order.size(); ++i) {
      sorted = sorted && value[order[i - 1]] >= value[order[i]];
    }
    if (!sorted) continue;
    double gain = 0, ideal = 0, found = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (!is_true[order[i]]) continue;
      const auto place = static_cast<double>(i + 1);
      if (found == 0) sum.mrr += 1 / place;
      if (found == 0 && i == 0) sum.hits_at_1 += 1;
      gain += 1 / std::log2(place + 1);
      ideal += 1 / std::log2(found + 2);
      found += 1;
    }
    sum.ndcg += gain / ideal;
    sum.count += 1;
  } while (std::next_permutation(order.begin(), order.end()));
  return sum;
}

TEST(RankingEvaluator, AveragesOverAllOrdersOfTies) {
  EXPECT_TRUE(rc::check([] {
    const int size = *rc::gen::inRange(1, 7);
    std::vector<int> value;
    std::vector<bool> is_true;
    TestRelation has;
    for (int i = 0; i < size; ++i) {
      value.push_back(*rc::gen::inRange(0, 3));
      is_true.push_back(*rc::gen::arbitrary<bool>());
      has.target({"ann", std::to_string(i)}, 0.3 * value.back(), is_true.back() ? 1.0 : 0.0);
    }
    RC_PRE(std::count(is_true.begin(), is_true.end(), true) > 0);
    const Brute expected = over_all_orders(value, is_true);
    RC_ASSERT(std::fabs(has.metric("mrr", kKind) - expected.mrr / expected.count) < 1e-12);
    RC_ASSERT(std::fabs(has.metric("hits_at_1", kKind) - expected.hits_at_1 / expected.count) <
              1e-12);
    RC_ASSERT(std::fabs(has.metric("ndcg", kKind) - expected.ndcg / expected.count) < 1e-12);
  }));
}

}  // namespace
}  // namespace sorites
