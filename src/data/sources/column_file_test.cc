#include "data/sources/column_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/sources/load.h"
#include "data/test_folder.h"

namespace sorites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kText =
    "-DOCSTART- -X- O\n"
    "\n"
    "Ann NNP I-PER\n"
    "Lee\tNNP I-PER\r\n"
    "saw VBD O\n"
    "Rome NNP I-LOC\n"
    " \n"
    "\n"
    "Yes UH O";

std::string rows(std::string_view view) { return rows_of_view(kText, view).text; }

TEST(ColumnFile, HasSentencesOfTokensNamedByTheirLines) {
  const auto sentences = read_column_file(kText);
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(sentences[0].size(), 4U);
  EXPECT_EQ(sentences[0][1].line, 4U);
  EXPECT_THAT(sentences[0][1].columns, ElementsAre("Lee", "NNP", "I-PER"));
  EXPECT_EQ(sentences[1][0].line, 9U);
  EXPECT_EQ(column_of(sentences[0][0], -1), "I-PER");
  EXPECT_EQ(column_of(sentences[0][0], 3), std::nullopt);
  EXPECT_EQ(column_of(sentences[0][0], -4), std::nullopt);
}

TEST(ColumnFile, GivesRowsInTheLinesOfTheirTokens) {
  EXPECT_EQ(rows("token"), "\n\n3\n4\n5\n6\n\n\n9\n");
  EXPECT_EQ(rows("first"), "\n\n3\n\n\n\n\n\n9\n");
  EXPECT_EQ(rows("last"), "\n\n\n\n\n6\n\n\n9\n");
  EXPECT_EQ(rows("next"), "\n\n3\t4\n4\t5\n5\t6\n\n\n\n\n");
  EXPECT_EQ(rows("sentence"), "\n\n3\t1\n4\t1\n5\t1\n6\t1\n\n\n9\t2\n");
  EXPECT_EQ(rows("0"), "\n\n3\tAnn\n4\tLee\n5\tsaw\n6\tRome\n\n\n9\tYes\n");
  EXPECT_EQ(rows("-1:bioes"), "\n\n3\tB-PER\n4\tE-PER\n5\tO\n6\tS-LOC\n\n\n9\tO\n");
  EXPECT_EQ(rows("2:bio"), "\n\n3\tB-PER\n4\tI-PER\n5\tO\n6\tB-LOC\n\n\n9\tO\n");
}

TEST(ColumnFile, SaysWhatItCannotDo) {
  const auto error = [](std::string_view view) { return rows_of_view(kText, view).error; };
  EXPECT_THAT(error("nxt"), HasSubstr("`#nxt` is not"));
  EXPECT_THAT(error(""), HasSubstr("`#next`"));
  EXPECT_THAT(error("1:iob"), HasSubstr("is not"));
  EXPECT_THAT(error("7"), HasSubstr("line 3 has 3 columns, and no column 7"));
  EXPECT_THAT(error("1:bio"), HasSubstr("line 3 has `NNP` where a tag should be"));
}

TEST(ColumnFile, IsToldByItsName) {
  EXPECT_FALSE(column_file_view("a.tsv"));
  EXPECT_FALSE(column_file_view("a.tsv#next"));
  EXPECT_EQ(column_file_view("a.conll")->view, "");
  EXPECT_EQ(column_file_view("b/a.conll.gz#next")->file, "b/a.conll.gz");
  EXPECT_EQ(column_file_view("b/a.conll.gz#next")->view, "next");
}

TEST(ColumnFile, IsReadLikeOtherDataFiles) {
  const TestFolder folder;
  const std::string path = folder.write("text.conll", kText);
  const std::vector<Predicate> predicates = {
      {.name = "Next", .types = {2, ArgumentType::kUniqueIntId}},
      {.name = "Tag", .types = {ArgumentType::kUniqueIntId, ArgumentType::kUniqueStringId}}};
  const std::vector<DataFile> files = {{.predicate = 0, .path = path + "#next"},
                                       {.predicate = 1, .path = path + "#2:bioes"}};
  const Database database = load_database(predicates, files);
  EXPECT_EQ(database.relation(0).table(Partition::kObserved).num_rows, 3U);
  EXPECT_THAT(database.arguments(1, {Partition::kObserved, 1}), ElementsAre("4", "E-PER"));
  EXPECT_EQ(database.origin(1, {Partition::kObserved, 1}).line, 4U);
  try {
    load_database(predicates, std::vector<DataFile>{{.predicate = 0, .path = path}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("its name does not say"));
  }
}

}  // namespace
}  // namespace sorites
