#include "perception/token_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace sorites {
namespace {

using ::testing::ElementsAre;

TEST(TokenRows, AreWordsAndTheirLetters) {
  const TokenRows rows = token_rows("Ab X\nab Y\n\n\nA-very-long-word-of-many-letters Z\n");
  EXPECT_THAT(rows.array.shape, ElementsAre(kSizeOfTokenRow));
  EXPECT_EQ(rows.array.num_rows(), 3U);
  EXPECT_THAT(rows.lines, ElementsAre(1, 2, 5));
  EXPECT_THAT(rows.sentence_begins, ElementsAre(0, 2));
  const float* first = rows.array.values.data();
  const float* second = first + kSizeOfTokenRow;
  EXPECT_EQ(first[0], second[0]);  // the same word
  EXPECT_GE(first[0], 1.0F);
  EXPECT_EQ(first[1], static_cast<float>('A'));
  EXPECT_EQ(second[1], static_cast<float>('a'));
  EXPECT_EQ(first[3], 0.0F);
  EXPECT_EQ(second[kSizeOfTokenRow + kSizeOfTokenRow - 1], static_cast<float>('-'));
}

TEST(TokenRows, WordsSeldomShareANumber) {
  std::string text;
  constexpr int kWords = 10000;
  for (int i = 0; i < kWords; ++i) text += "word" + std::to_string(i) + " O\n";
  const TokenRows rows = token_rows(text);
  std::set<float> numbers;
  for (std::size_t i = 0; i < rows.lines.size(); ++i) {
    numbers.insert(rows.array.values[i * kSizeOfTokenRow]);
  }
  EXPECT_GT(numbers.size(), kWords * 9 / 10);
}

TEST(TokenRows, AreOfColumnFiles) {
  EXPECT_TRUE(has_token_rows("a.conll"));
  EXPECT_TRUE(has_token_rows("a.conll.gz"));
  EXPECT_FALSE(has_token_rows("a.conll#next"));
  EXPECT_FALSE(has_token_rows("a.npy"));
}

}  // namespace
}  // namespace sorites
