#include "hinge/presolve/fold_window.h"

#include <gtest/gtest.h>

#include <random>

namespace sorites {
namespace {

double uniform(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

// Many terms of few rules on two variables.
Fold random_fold(std::mt19937_64& random, std::size_t num_rules) {
  Fold fold;
  for (std::uint32_t r = 0; r < num_rules; ++r) {
    for (const double a : {1.0, -0.5}) {
      fold.pieces.push_back({r, r % 2 == 0 ? TermKind::kHinge : TermKind::kSquaredHinge, a});
    }
  }
  fold.begin.push_back(0);
  for (int variable = 0; variable < 2; ++variable) {
    const std::size_t count = random() % 150;
    for (std::size_t e = 0; e < count; ++e) {
      fold.events.push_back(
          {uniform(random, -0.3, 1.3), static_cast<std::uint32_t>(random() % fold.pieces.size())});
    }
    fold.begin.push_back(fold.events.size());
  }
  return fold;
}

double value(const FoldedTerms& folded, std::size_t i, double x) {
  const auto segments = folded.of(i);
  return segments[segment_at(segments, x)].value(x);
}

// Also after new weights, some of which become 0 or cease to be.
TEST(FoldWindow, IsTheWholeFunctionWithinAndBelowItOutside) {
  constexpr std::size_t kRules = 5;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    ThreadPool pool(1);
    Fold fold = random_fold(random, kRules);
    sort_events(fold, pool);
    const std::vector<double> lower = {0.0, 0.25}, upper = {1.0, 0.75};
    FoldWindow window =
        window_around(fold, std::vector{uniform(random, 0.0, 1.0), uniform(random, 0.25, 0.75)});
    FoldedTerms folded;
    for (int round = 0; round < 4; ++round) {
      std::vector<double> weights;
      for (std::size_t r = 0; r < kRules; ++r) {
        weights.push_back(random() % 4 == 0 ? 0.0 : uniform(random, 0.0, 2.0));
      }
      fold_window({fold, weights, {lower, upper}}, window, pool, folded);
      const FoldedTerms whole = folded_terms(fold, weights, lower, upper, pool);
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(folded.of(i).front().start, lower[i]);
        for (int step = 0; step <= 100; ++step) {
          const double x = lower[i] + (upper[i] - lower[i]) * step / 100.0;
          const double expected = value(whole, i, x);
          if (x >= window.low[i] && x <= window.high[i]) {
            EXPECT_NEAR(value(folded, i, x), expected, 1e-11 * (1.0 + expected));
          } else {
            EXPECT_LE(value(folded, i, x), expected + 1e-11 * (1.0 + expected));
          }
        }
      }
    }
  }
}

TEST(FoldWindow, IsWholeForVariablesThatLeaveIt) {
  std::mt19937_64 random(11);
  ThreadPool pool(1);
  Fold fold = random_fold(random, 4);
  while (fold.begin[1] < 80 || fold.begin[2] - fold.begin[1] < 80) fold = random_fold(random, 4);
  sort_events(fold, pool);
  const std::vector<double> lower = {0.0, 0.0}, upper = {1.0, 1.0}, weights = {1.0, 0.5, 0.2, 2.0};
  FoldWindow window = window_around(fold, {0.5, 0.5});
  FoldedTerms folded;
  fold_window({fold, weights, {lower, upper}}, window, pool, folded);
  const FoldWindow before = window;
  EXPECT_EQ(open_windows(fold, std::vector{1.0, 0.5}, window), 1U);
  EXPECT_EQ(window.centre, (std::vector{kNoWindow, 0.5}));
  EXPECT_EQ(window.low[1], before.low[1]);
  EXPECT_EQ(window.high[1], before.high[1]);
  fold_window({fold, weights, {lower, upper}}, window, pool, folded);
  const FoldedTerms whole = folded_terms(fold, weights, lower, upper, pool);
  for (int step = 0; step <= 100; ++step) {
    EXPECT_NEAR(value(folded, 0, 0.01 * step), value(whole, 0, 0.01 * step), 1e-10);
  }
  const FoldWindow again = window_around(fold, window.centre);
  EXPECT_EQ(again.low, window.low);
  EXPECT_EQ(again.events.size(), window.events.size());
  EXPECT_EQ(again.active.size(), window.active.size());
}

TEST(FoldWindow, KeepsFewKinksAndKnowsItsEnds) {
  Fold fold;
  fold.pieces.push_back({0, TermKind::kHinge, 1.0});
  for (int e = 0; e < 100; ++e) fold.events.push_back({0.01 * e, 0});
  fold.begin = {0, 100};
  const FoldWindow window = window_around(fold, std::vector{0.505});
  EXPECT_EQ(window.events.size(), 24U);
  ASSERT_EQ(window.active.size(), 1U);
  EXPECT_EQ(window.active[0].count, 39.0);  // those left of the window
  EXPECT_TRUE(is_within(window, std::vector{0.505}));
  EXPECT_TRUE(is_within(window, std::vector{0.39}));
  EXPECT_FALSE(is_within(window, std::vector{0.37}));
  EXPECT_FALSE(is_within(window, std::vector{0.64}));
}

}  // namespace
}  // namespace sorites
