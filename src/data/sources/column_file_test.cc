#include "data/sources/column_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/diagnostics.h"
#include "data/sources/load.h"
#include "data/test_folder.h"

namespace sorites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

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

std::string rows(std::string_view view) { return rows_of_view(read_column_file(kText), view).text; }

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
  const auto error = [](std::string_view view) {
    return rows_of_view(read_column_file(kText), view).error;
  };
  EXPECT_THAT(error("nxt"), HasSubstr("`#nxt` is not"));
  EXPECT_THAT(error(""), HasSubstr("`#next`"));
  EXPECT_THAT(error("1:iob"), HasSubstr("is not"));
  EXPECT_THAT(error("7"), HasSubstr("line 3 has 3 columns, and no column 7"));
  EXPECT_THAT(error("1:bio"), HasSubstr("line 3 has `NNP` where a tag should be"));
}

TEST(ColumnFile, MayBeginWithAByteOrderMark) {
  const auto sentences = read_column_file("\xEF\xBB\xBF-DOCSTART- -X-\n\nAnn I-PER\n");
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_THAT(sentences[0], SizeIs(1));
  EXPECT_EQ(sentences[0][0].columns[0], "Ann");
}

TEST(ColumnFile, IsToldByItsName) {
  EXPECT_FALSE(column_file_view("a.tsv"));
  EXPECT_FALSE(column_file_view("a.tsv#next"));
  EXPECT_EQ(column_file_view("a.conll")->view, "");
  EXPECT_EQ(column_file_view("b/a.conll.gz#next")->file, "b/a.conll.gz");
  EXPECT_EQ(column_file_view("b/a.conll.gz#next")->view, "next");
  EXPECT_EQ(without_view("b/a.conll.gz#next"), "b/a.conll.gz");
  EXPECT_EQ(without_view("b/a.conll"), "b/a.conll");
  EXPECT_EQ(without_view("a.tsv#next"), "a.tsv#next");
}

TEST(ColumnFile, MayStandInAFolderWithTheMarkOfAView) {
  const auto parts = [](std::string_view path) {
    const auto view = column_file_view(path);
    return view ? view->file + " " + view->view : "none";
  };
  EXPECT_EQ(parts("c#/a.conll"), "c#/a.conll ");
  EXPECT_EQ(parts("c#/a.conll#next"), "c#/a.conll next");
  EXPECT_EQ(parts("a.conll#b/c.tsv"), "none");
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

// Which gives its text once.
TEST(ColumnFile, MayBeAPipe) {
  constexpr std::string_view kShort = "Ann I-PER\nsaw O\n";
  int ends[2] = {};
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], kShort.data(), kShort.size()), static_cast<ssize_t>(kShort.size()));
  ::close(ends[1]);
  const TestFolder folder;
  const std::string path = folder.write("x", "") + ".conll";
  std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(ends[0]), path);
  const std::vector<Predicate> predicates = {
      {.name = "Word", .types = {ArgumentType::kUniqueIntId, ArgumentType::kUniqueStringId}},
      {.name = "Tag", .types = {ArgumentType::kUniqueIntId, ArgumentType::kUniqueStringId}}};
  const Database database =
      load_database(predicates,
                    std::vector<DataFile>{{.predicate = 0, .path = path + "#0"},
                                          {.predicate = 1, .path = path + "#1:bioes"}});
  ::close(ends[0]);
  EXPECT_EQ(database.relation(0).table(Partition::kObserved).num_rows, 2U);
  EXPECT_EQ(database.relation(1).table(Partition::kObserved).num_rows, 2U);
}

TEST(ColumnFile, IsReadUntilItIsStopped) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(read_column_file(kText, stop.get_token()), Interrupted);
}

// Its second column would be the truth values.
TEST(ColumnFile, HasNoRowsOfTwoArgumentsForAPredicateOfOne) {
  const TestFolder folder;
  const std::string path = folder.write("text.conll", "Ann 0.5\nsaw 0.25\n");
  const std::vector<Predicate> predicates = {
      {.name = "Some", .types = {ArgumentType::kUniqueIntId}}};
  const auto load = [&](const std::string& view) {
    return load_database(predicates, std::vector<DataFile>{{.predicate = 0, .path = path + view}});
  };
  EXPECT_EQ(load("#1").relation(0).table(Partition::kObserved).value(1), 0.25);
  EXPECT_EQ(load("#token").relation(0).table(Partition::kObserved).num_rows, 2U);
  for (const char* view : {"#next", "#sentence"}) {
    try {
      load(view);
      ADD_FAILURE() << view;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("have two arguments, and `Some` has one"));
    }
  }
}

}  // namespace
}  // namespace sorites
