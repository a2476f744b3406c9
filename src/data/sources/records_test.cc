#include "data/sources/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sorites {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> split(RowFormat format, std::string_view record) {
  FieldSplitter splitter(format);
  if (const auto mistake = splitter.split(record)) {
    return {"mistake at " + std::to_string(mistake->offset)};
  }
  std::vector<std::string> texts;
  for (const RecordField& field : splitter.fields()) texts.emplace_back(field.text);
  return texts;
}

TEST(FormatOf, GoesByTheEnding) {
  EXPECT_EQ(format_of("a.csv"), RowFormat::kCommas);
  EXPECT_EQ(format_of("a.CSV.gz"), RowFormat::kCommas);
  EXPECT_EQ(format_of("a.tsv.gz"), RowFormat::kTabs);
  EXPECT_EQ(format_of("csv"), RowFormat::kTabs);
  EXPECT_TRUE(is_gzip_name("a.txt.GZ"));
  EXPECT_FALSE(is_gzip_name("a.gz.txt"));
}

TEST(FieldSplitter, SplitsAtEveryTabAndTrims) {
  EXPECT_THAT(split(RowFormat::kTabs, "a\tb"), ElementsAre("a", "b"));
  EXPECT_THAT(split(RowFormat::kTabs, " a b \t c\t\r"), ElementsAre("a b", "c"));
  EXPECT_THAT(split(RowFormat::kTabs, "a\t\tb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(split(RowFormat::kTabs, "\"a\tb\""), ElementsAre("\"a", "b\""));
}

TEST(FieldSplitter, SplitsCommasOutsideOfQuotes) {
  EXPECT_THAT(split(RowFormat::kCommas, "a, b ,"), ElementsAre("a", " b ", ""));
  EXPECT_THAT(split(RowFormat::kCommas, "\"a,b\",\"\",\"say \"\"x\"\"\""),
              ElementsAre("a,b", "", "say \"x\""));
  EXPECT_THAT(split(RowFormat::kCommas, "\"a\nb\",c\r"), ElementsAre("a\nb", "c"));
  EXPECT_THAT(split(RowFormat::kCommas, "\"\"\"\"\r"), ElementsAre("\""));
}

TEST(FieldSplitter, PointsAtQuotesThatDoNotFit) {
  EXPECT_THAT(split(RowFormat::kCommas, "a,b\"c"), ElementsAre("mistake at 3"));
  EXPECT_THAT(split(RowFormat::kCommas, "a,\"b"), ElementsAre("mistake at 2"));
  EXPECT_THAT(split(RowFormat::kCommas, "a,\"b\"c"), ElementsAre("mistake at 2"));
  EXPECT_THAT(split(RowFormat::kCommas, "\"a\"\""), ElementsAre("mistake at 0"));
}

TEST(NextRecord, EndsAtALineEndOutsideOfQuotes) {
  const std::string text = "\"a\n\"\"\n\",b\nc";
  const char* end = text.data() + text.size();
  const Record first = next_record(text.data(), end, true);
  EXPECT_EQ(first.text, "\"a\n\"\"\n\",b");
  EXPECT_EQ(first.num_lines, 3U);
  const Record second = next_record(first.next, end, true);
  EXPECT_EQ(second.text, "c");
  EXPECT_EQ(second.next, end);
  EXPECT_EQ(next_record(text.data(), end, false).text, "\"a");
}

}  // namespace
}  // namespace sorites
