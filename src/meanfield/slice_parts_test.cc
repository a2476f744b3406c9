#include "meanfield/slice_parts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "meanfield/ground_network.h"

namespace sorites {
namespace {

constexpr ValueBits kFalse = 1, kTrue = 2, kBoth = 3;

GroundNetwork network_of(std::uint32_t num_atoms, std::vector<std::vector<GroundLiteral>> clauses) {
  GroundNetwork network;
  for (std::uint32_t i = 0; i < num_atoms; ++i) network.atoms.push_back({0, i, kBoth, {0.0, 0.0}});
  for (auto& literals : clauses) network.clauses.push_back({std::move(literals), 1.0, false});
  return network;
}

// How often each world was drawn, as bits of its atoms.
std::map<std::uint32_t, int> draws(const GroundNetwork& network, const SatTask& task, int count) {
  ClauseState state(network);
  std::mt19937_64 random(7);
  SliceParts parts(network);
  parts.find(task);
  std::map<std::uint32_t, int> result;
  for (int k = 0; k < count; ++k) {
    parts.draw(state, random);
    std::uint32_t world = 0;
    for (std::uint32_t i = 0; i < network.atoms.size(); ++i) world |= state.value(i) << i;
    ++result[world];
  }
  return result;
}

// a v b, and c alone: three worlds of one part times two of the other, each as often.
TEST(SliceParts, DrawsAllWorldsThatKeepTheClausesAlike) {
  const GroundNetwork network = network_of(3, {{{0, kTrue}, {1, kTrue}}});
  const SatTask task{{kBoth, kBoth, kBoth}, {true}};
  constexpr int kDraws = 6000;
  const auto drawn = draws(network, task, kDraws);
  EXPECT_EQ(drawn.size(), 6U);
  for (const auto& [world, count] : drawn) {
    EXPECT_NE(world & 3U, 0U);
    EXPECT_NEAR(count, kDraws / 6, 150) << world;  // five times their deviation
  }
}

// What need not hold, or cannot fail, connects nothing and forbids nothing.
TEST(SliceParts, LooksOnlyAtWhatMustHoldAndMayFail) {
  const GroundNetwork network =
      network_of(2, {{{0, kTrue}, {1, kTrue}}, {{0, kTrue}, {1, kFalse}}});
  const SatTask task{{kBoth, kFalse}, {false, true}};
  const auto drawn = draws(network, task, 200);
  EXPECT_EQ(drawn.size(), 2U);  // both values of the first atom, and the only one of the second
}

TEST(SliceParts, LeavesLargePartsAsTheyAre) {
  std::vector<std::vector<GroundLiteral>> clauses;
  for (std::uint32_t i = 0; i + 1 < 12; ++i) clauses.push_back({{i, kTrue}, {i + 1, kTrue}});
  const GroundNetwork network = network_of(13, clauses);
  const SatTask task{std::vector<ValueBits>(13, kBoth), std::vector<bool>(clauses.size(), true)};
  SliceParts parts(network);
  parts.find(task);
  EXPECT_TRUE(parts.has_large());
  const auto drawn = draws(network, task, 100);
  EXPECT_EQ(drawn.size(), 2U);  // the last atom is a part of its own
}

TEST(SliceParts, LeavesWhatNothingKeepsAsItIs) {
  const GroundNetwork network = network_of(2,
                                           {{{0, kTrue}, {1, kTrue}},
                                            {{0, kTrue}, {1, kFalse}},
                                            {{0, kFalse}, {1, kTrue}},
                                            {{0, kFalse}, {1, kFalse}}});
  const SatTask task{{kBoth, kBoth}, {true, true, true, true}};
  SliceParts parts(network);
  parts.find(task);
  EXPECT_FALSE(parts.has_large());
  EXPECT_EQ(draws(network, task, 20).size(), 1U);
}

// Whatever slice they were for before.
TEST(SliceParts, AreFoundAnew) {
  const GroundNetwork network = network_of(2, {{{0, kTrue}, {1, kTrue}}});
  const SatTask tied{{kBoth, kBoth}, {true}}, loose{{kBoth, kTrue}, {false}};
  SliceParts parts(network);
  ClauseState state(network);
  for (const SatTask* task : {&tied, &loose, &tied, &loose}) {
    parts.find(*task);
    std::mt19937_64 random(7);
    std::map<std::uint32_t, int> drawn;
    for (int k = 0; k < 100; ++k) {
      parts.draw(state, random);
      ++drawn[state.value(0) + 2 * state.value(1)];
    }
    EXPECT_EQ(drawn, draws(network, *task, 100));
  }
}

}  // namespace
}  // namespace sorites
