#include "base/joined_sets.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace sorites {
namespace {

TEST(JoinedSets, AreNamedByTheirLeastNumber) {
  JoinedSets sets(5);
  EXPECT_EQ(sets.find(4), 4U);
  sets.join(4, 2);
  sets.join(3, 4);
  EXPECT_EQ(sets.find(3), 2U);
  EXPECT_EQ(sets.find(4), 2U);
  EXPECT_EQ(sets.find(1), 1U);
  sets.join(2, 2);
  EXPECT_EQ(sets.find(2), 2U);
}

// Against sets of numbers that are joined one by one.
TEST(JoinedSets, AreThoseOfTheDefinition) {
  constexpr std::uint32_t kNumbers = 40;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    JoinedSets sets(kNumbers);
    std::vector<std::set<std::uint32_t>> expected(kNumbers);
    for (std::uint32_t i = 0; i < kNumbers; ++i) expected[i] = {i};
    for (int k = 0; k < 25; ++k) {
      const auto a = static_cast<std::uint32_t>(random() % kNumbers);
      const auto b = static_cast<std::uint32_t>(random() % kNumbers);
      sets.join(a, b);
      std::set<std::uint32_t> both = expected[a];
      both.insert(expected[b].begin(), expected[b].end());
      for (const std::uint32_t i : both) expected[i] = both;
    }
    for (std::uint32_t i = 0; i < kNumbers; ++i) EXPECT_EQ(sets.find(i), *expected[i].begin());
  }
}

}  // namespace
}  // namespace sorites
