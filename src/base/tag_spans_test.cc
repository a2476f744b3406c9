#include "base/tag_spans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sorites {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<TagSpan> spans(const std::vector<std::string_view>& tags) { return tag_spans(tags); }

TEST(TagSpans, AreTheSameInEveryScheme) {
  const std::vector<TagSpan> expected = {{0, 2, "PER"}, {3, 4, "LOC"}};
  EXPECT_EQ(spans({"I-PER", "I-PER", "O", "I-LOC"}), expected);
  EXPECT_EQ(spans({"B-PER", "I-PER", "O", "B-LOC"}), expected);
  EXPECT_EQ(spans({"B-PER", "E-PER", "O", "S-LOC"}), expected);
}

TEST(TagSpans, BeginAnewWhereTheTagSaysSo) {
  EXPECT_THAT(spans({"B-PER", "B-PER"}), ElementsAre(TagSpan{0, 1, "PER"}, TagSpan{1, 2, "PER"}));
  EXPECT_THAT(spans({"S-PER", "I-PER"}), ElementsAre(TagSpan{0, 1, "PER"}, TagSpan{1, 2, "PER"}));
  EXPECT_THAT(spans({"I-PER", "I-LOC"}), ElementsAre(TagSpan{0, 1, "PER"}, TagSpan{1, 2, "LOC"}));
  EXPECT_THAT(spans({"E-PER", "E-PER"}), ElementsAre(TagSpan{0, 1, "PER"}, TagSpan{1, 2, "PER"}));
}

TEST(TagSpans, TakeNoOtherTextForATag) {
  EXPECT_THAT(spans({"O", "PER", "", "X-PER", "B-", "B"}), IsEmpty());
  EXPECT_TRUE(is_tag("O"));
  EXPECT_TRUE(is_tag("S-x-y"));
  EXPECT_FALSE(is_tag("B-"));
}

TEST(TagSpans, BecomeTagsAgain) {
  const std::vector<TagSpan> all = {{0, 3, "PER"}, {3, 4, "LOC"}, {5, 7, "LOC"}};
  EXPECT_THAT(tags_of(all, 7, true),
              ElementsAre("B-PER", "I-PER", "E-PER", "S-LOC", "O", "B-LOC", "E-LOC"));
  EXPECT_THAT(tags_of(all, 7, false),
              ElementsAre("B-PER", "I-PER", "I-PER", "B-LOC", "O", "B-LOC", "I-LOC"));
  for (const bool bioes : {false, true}) {
    const auto tags = tags_of(all, 7, bioes);
    EXPECT_EQ(spans({tags.begin(), tags.end()}), all);
  }
}

}  // namespace
}  // namespace sorites
