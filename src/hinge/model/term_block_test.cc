#include "hinge/model/term_block.h"

#include <gtest/gtest.h>

namespace sorites {
namespace {

TermBlock block_of(std::vector<double> offsets) {
  TermBlock block;
  block.coefficients = {1.0};
  AtomId next = 0;
  for (const double offset : offsets) add_term(block, std::vector<AtomId>{next++}, {}, offset);
  return block;
}

TEST(AddTerm, StoresOffsetsOnlyOnceTheyDiffer) {
  const TermBlock equal = block_of({0.5, 0.5, 0.5});
  EXPECT_TRUE(equal.offsets.empty());
  EXPECT_EQ(equal.offset_of(2), 0.5);
  const TermBlock mixed = block_of({0.5, 0.5, 0.25});
  ASSERT_EQ(mixed.offsets.size(), 3U);
  EXPECT_EQ(mixed.offset_of(0), 0.5);
  EXPECT_EQ(mixed.offset_of(2), 0.25);
}

TEST(ReserveTerms, PutsBlocksTogetherWhateverTheirOffsets) {
  const std::vector<std::vector<double>> parts{{1, 1}, {1}, {2, 2}, {3, 4}, {1}, {2}};
  for (std::size_t first = 0; first < parts.size(); ++first) {
    for (std::size_t second = 0; second < parts.size(); ++second) {
      TermBlock all;
      all.coefficients = {1.0};
      std::vector<double> expected;
      for (const std::size_t part : {first, second}) {
        const TermBlock from = block_of(parts[part]);
        copy_terms(all, reserve_terms(all, from), from);
        expected.insert(expected.end(), parts[part].begin(), parts[part].end());
      }
      ASSERT_EQ(all.num_terms, expected.size());
      for (std::size_t t = 0; t < expected.size(); ++t) EXPECT_EQ(all.offset_of(t), expected[t]);
      EXPECT_EQ(all.atoms_of(parts[first].size())[0], 0U);
    }
  }
}

TEST(BlockSet, FindsTheBlockOfAShapeAmongMany) {
  BlockSet set;
  for (int round = 0; round < 2; ++round) {
    for (int i = 1; i <= 40; ++i) {
      const std::vector<double> coefficients(static_cast<std::size_t>(i), 1.0);
      EXPECT_EQ(set.find(TermKind::kHinge, coefficients, {}).width(), static_cast<std::size_t>(i));
    }
  }
  EXPECT_EQ(set.blocks().size(), 40U);
  set.find(TermKind::kSquaredHinge, std::vector<double>{1.0}, {});
  EXPECT_EQ(set.blocks().size(), 41U);
}

}  // namespace
}  // namespace sorites
