#include "data/sources/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "data/insert.h"
#include "data/test_folder.h"

namespace sorites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

enum Predicates : PredicateId { kLikes, kAge, kScore };

std::vector<Predicate> predicates() {
  Predicate likes, age, score;
  likes.name = "Likes";
  likes.types = {2, ArgumentType::kUniqueStringId};
  age.name = "Age";
  age.types = {ArgumentType::kUniqueStringId, ArgumentType::kInteger};
  score.name = "Score";
  score.types = {ArgumentType::kDouble};
  return {likes, age, score};
}

class Load : public ::testing::Test {
 protected:
  // Writes and queues a file.
  void add(PredicateId predicate,
           Partition partition,
           std::string_view name,
           std::string_view text) {
    files_.push_back({predicate, partition, folder_.write(name, text), {}});
  }
  void add(PredicateId predicate, std::string_view name, std::string_view text) {
    add(predicate, Partition::kObserved, name, text);
  }

  // Loads all files. Returns the diagnostics as text, without the folder.
  std::string load(const LoadLimits& limits = {}) {
    Diagnostics sink;
    load_files(database_, files_, {.threads = 2}, sink, limits);
    std::string text;
    for (const Diagnostic& d : sink.take_sorted()) text += render(d);
    const std::string folder = folder_.path("");
    while (text.find(folder) != std::string::npos) text.erase(text.find(folder), folder.size());
    return text;
  }

  const Table& table(PredicateId predicate, Partition partition = Partition::kObserved) const {
    return database_.relation(predicate).table(partition);
  }
  std::vector<std::string> row(PredicateId predicate, std::uint32_t row) const {
    return database_.arguments(predicate, {Partition::kObserved, row});
  }

  TestFolder folder_;
  std::vector<DataFile> files_;
  Database database_{predicates()};
};

TEST_F(Load, ReadsTabsWithAndWithoutValues) {
  add(kLikes, "a.tsv", "ann\ttea\nbob\tcoffee\n");
  add(kAge, "b.txt", "ann\t42\t0.5\nbob\t-7\t1");
  EXPECT_EQ(load(), "");
  EXPECT_TRUE(table(kLikes).values.empty());
  EXPECT_THAT(row(kLikes, 1), ElementsAre("bob", "coffee"));
  EXPECT_THAT(row(kAge, 1), ElementsAre("bob", "-7"));
  EXPECT_THAT(table(kAge).values, ElementsAre(0.5, 1.0));
}

TEST_F(Load, ForgivesByteOrderMarksWindowsLineEndsBlankLinesAndBlanks) {
  add(kLikes, "a.tsv", "\xEF\xBB\xBF\r\n  ann \t tea\t\r\n \t \r\n\r\nbob\tearl grey\r\n\n");
  EXPECT_EQ(load(), "");
  EXPECT_THAT(row(kLikes, 0), ElementsAre("ann", "tea"));
  EXPECT_THAT(row(kLikes, 1), ElementsAre("bob", "earl grey"));
  EXPECT_EQ(database_.origin(kLikes, {Partition::kObserved, 0}).line, 2U);
  EXPECT_EQ(database_.origin(kLikes, {Partition::kObserved, 1}).line, 5U);
}

TEST_F(Load, KeepsNoValuesWhileAllAreOne) {
  add(kLikes, "a.tsv", "ann\ttea\t1.0\nbob\ttea\t1\n");
  add(kLikes, "b.tsv", "cat\ttea\n");
  EXPECT_EQ(load(), "");
  EXPECT_TRUE(table(kLikes).values.empty());
}

TEST_F(Load, MixesFilesWithAndWithoutValues) {
  database_.add(Partition::kObserved, "Likes", {"eve", "tea"});
  add(kLikes, "a.tsv", "ann\ttea\n");
  add(kLikes, "b.tsv", "bob\ttea\t0.25\n");
  EXPECT_EQ(load(), "");
  EXPECT_THAT(table(kLikes).values, ElementsAre(1.0, 1.0, 0.25));
  EXPECT_EQ(database_.origin(kLikes, {Partition::kObserved, 0}), Span{});
  EXPECT_EQ(database_.origin(kLikes, {Partition::kObserved, 2}),
            (Span{folder_.path("b.tsv"), 1, 0, 0}));
}

TEST_F(Load, AddsToWhatIsThere) {
  add(kLikes, "a.tsv", "ann\ttea\t0.5\n");
  EXPECT_EQ(load(), "");
  files_.clear();
  add(kLikes, Partition::kTarget, "b.tsv", "bob\ttea\n");
  EXPECT_EQ(load(), "");
  database_.add(Partition::kTarget, "Likes", {"cat", "tea"});
  const Code cat_tea[] = {*database_.dictionary(builtin_domain(ArgumentType::kString)).find("cat"),
                          *database_.dictionary(builtin_domain(ArgumentType::kString)).find("tea")};
  EXPECT_EQ(database_.relation(kLikes).find(cat_tea), (RowId{Partition::kTarget, 1}));
}

TEST_F(Load, ReadsCommas) {
  add(kLikes, "a.csv", "ann,tea,0.5\r\n\"O\"\"Hara, Scarlett\",\"iced\ntea\",1\r\nbob, tea,0\r\n");
  EXPECT_EQ(load(), "");
  EXPECT_THAT(row(kLikes, 1), ElementsAre("O\"Hara, Scarlett", "iced\ntea"));
  EXPECT_THAT(row(kLikes, 2), ElementsAre("bob", " tea"));
  EXPECT_EQ(database_.origin(kLikes, {Partition::kObserved, 2}).line, 4U);
}

TEST_F(Load, ReadsPackedFiles) {
  add(kLikes, "a.tsv.gz", packed("ann\ttea\n") + packed("bob\ttea\n"));
  add(kLikes, "b.csv.gz", packed("\"c,d\",tea\n"));
  EXPECT_EQ(load({.chunk_bytes = 4}), "");
  EXPECT_THAT(row(kLikes, 1), ElementsAre("bob", "tea"));
  EXPECT_THAT(row(kLikes, 2), ElementsAre("c,d", "tea"));
}

TEST_F(Load, NamesFilesThatCannotBeRead) {
  folder_.write("likes.tsv", "");
  files_.push_back({kLikes, Partition::kObserved, folder_.path("lieks.tsv"), {"m.json", 4, 12, 7}});
  files_.push_back({kLikes, Partition::kObserved, folder_.path(""), {}});
  const std::string text = load();
  EXPECT_THAT(text,
              HasSubstr("lieks.tsv: error: cannot read the data file: No such file or directory "
                        "[unreadable-file]\n"
                        "   m.json:4:12: the file is named here\n"
                        "   hint: did you mean `likes.tsv`?\n"));
  EXPECT_THAT(text, HasSubstr("it is a directory"));
}

TEST_F(Load, WarnsOfFilesWithoutRows) {
  add(kLikes, "a.tsv", "");
  add(kLikes, "b.tsv", " \n\t\r\n\n");
  add(kLikes, "c.tsv.gz", packed(""));
  add(kLikes, "d.csv", "\xEF\xBB\xBF");
  EXPECT_EQ(load(),
            "a.tsv: warning: the data file has no rows [empty-file]\n"
            "b.tsv: warning: the data file has no rows [empty-file]\n"
            "c.tsv.gz: warning: the data file has no rows [empty-file]\n"
            "d.csv: warning: the data file has no rows [empty-file]\n");
}

TEST_F(Load, RefusesDamagedAndMisnamedGzip) {
  add(kLikes, "a.tsv.gz", packed("ann\ttea\n").substr(0, 15));
  add(kLikes, "b.tsv.gz", "ann\ttea\n");
  add(kLikes, "c.tsv", packed("ann\ttea\n"));
  EXPECT_EQ(load(),
            "a.tsv.gz: error: cannot unpack the data file: it ends too early [bad-gzip]\n"
            "   hint: test it with `gzip -t`, and copy or pack it again\n"
            "b.tsv.gz: error: cannot unpack the data file: it is not gzip data [bad-gzip]\n"
            "   hint: test it with `gzip -t`, and copy or pack it again\n"
            "c.tsv: error: cannot read the data file: it is packed by gzip, but its name does not "
            "say so [bad-gzip]\n"
            "   hint: let its name end in .gz\n");
}

TEST_F(Load, PointsAtValuesThatAreNone) {
  add(kLikes,
      "a.tsv",
      "ann\ttea\t1\nbob\ttea\t1.5\n\xC3\xA9\ttea\tmuch\neve\ttea\tNaN\nfay\ttea\t1\ngus\ttea\t0\n");
  EXPECT_EQ(
      load(),
      "a.tsv:2:9: error: the truth value 1.5 is outside [0, 1] [value-range]\n"
      " 2 | bob tea 1.5\n"
      "   |         ^~~\n"
      "   hint: truth values go from 0 (false) to 1 (true); scale other numbers to that range\n"
      "a.tsv:3:7: error: the truth value `much` is not a number [bad-value]\n"
      " 3 | \xC3\xA9 tea much\n"
      "   |       ^~~~\n"
      "   hint: the last column is a number from 0 to 1, such as 0.5\n"
      "a.tsv:4:9: error: the truth value NaN is outside [0, 1] [value-range]\n"
      " 4 | eve tea NaN\n"
      "   |         ^~~\n"
      "   hint: truth values go from 0 (false) to 1 (true); scale other numbers to that "
      "range\n");
}

TEST_F(Load, PointsAtArgumentsOfTheWrongType) {
  add(kAge, "a.tsv", "ann\t1\nbob\told\ncat\t1.5\ndan\t99999999999999999999\nfay\t2\ngus\t3\n");
  add(kAge, "b.csv", "eve,1\neva, 2\n");
  add(kScore, "c.tsv", "1\nhigh\n");
  const std::string text = load();
  EXPECT_THAT(text,
              HasSubstr("a.tsv:2:5: error: argument 2 of Age is an integer, not `old` "
                        "[type-mismatch]\n"
                        " 2 | bob old\n"
                        "   |     ^~~\n"
                        "   hint: declare the type UniqueStringID or String for texts\n"));
  EXPECT_THAT(text, HasSubstr("hint: declare the type Double for numbers with a fraction"));
  EXPECT_THAT(text, HasSubstr("hint: integers go up to 9223372036854775807"));
  EXPECT_THAT(text, HasSubstr("hint: delete the blanks around the number"));
  EXPECT_THAT(text, HasSubstr("argument 1 of Score is a real number, not `high`"));
}

TEST_F(Load, ExplainsWrongNumbersOfColumns) {
  add(kLikes, "a.tsv", "ann\ttea\t1\nbob\ttea\nann tea 1\nann,tea,1\na\tb\tc\td\n");
  add(kLikes, "b.tsv", "ann\ttea\nbob\ttea\t1\n");
  add(kLikes, "c.csv", "ann,tea\nann\ttea\nann;tea\nx\n");
  const std::string text = load();
  EXPECT_THAT(text,
              HasSubstr("a.tsv:2:1: error: the row has 2 columns instead of 3: Likes has 2 "
                        "arguments, and the first row of this file has a truth value "
                        "[column-count]\n"
                        " 2 | bob tea\n"
                        "   | ^~~~~~~\n"
                        "   hint: either all rows of a file have a truth value or none has\n"));
  EXPECT_THAT(text, HasSubstr("hint: one tab separates columns, blanks do not"));
  EXPECT_THAT(text,
              HasSubstr("hint: one tab separates columns; if commas do, let the name end in .csv"));
  EXPECT_THAT(text, HasSubstr("a row is 2 arguments, with or without a truth value after"));
  EXPECT_THAT(text,
              HasSubstr("b.tsv:2:1: error: the row has 3 columns instead of 2: Likes has 2 "
                        "arguments, and the first row of this file has no truth value"));
  EXPECT_THAT(text,
              HasSubstr("hint: commas separate the columns of .csv; if tabs do, name it .tsv"));
  EXPECT_THAT(text, HasSubstr("hint: commas separate the columns of .csv, semicolons do not"));
}

TEST_F(Load, RecognisesHeaders) {
  add(kAge, "a.csv", "name,age\nann,42\n");
  add(kLikes, "b.tsv", "who\twhat\thow much\nann\ttea\t1\n");
  add(kAge, "c.csv", "x,y\nz,w\n");
  const std::string text = load();
  const std::string hint =
      "   hint: this row looks like a header; data files have none: delete it\n";
  EXPECT_THAT(text, HasSubstr("^~~\n" + hint));
  EXPECT_THAT(text, HasSubstr("^~~~~~~~\n" + hint));
  EXPECT_THAT(text.substr(text.find("c.csv")), Not(HasSubstr("header")));
}

TEST_F(Load, PointsAtQuotesThatDoNotFitAndStopsThere) {
  add(kLikes, "a.csv", "ann,tea\nbob,2\" nail\nx\n");
  add(kLikes, Partition::kTarget, "b.csv", "cat,tea\ndan,\"tea\neve,\"tea\"\nx\n");
  EXPECT_EQ(
      load({.chunk_bytes = 8}),
      "a.csv:2:6: error: a quote stands inside a field that does not begin with one "
      "[bad-quoting]\n"
      " 2 | bob,2\" nail\n"
      "   |      ^\n"
      "   hint: quote the whole field and double the quotes in it: \"say \"\"hello\"\"\"; the "
      "rest of the file is not checked\n"
      "b.csv:2:5: error: text follows the closing quote of a field [bad-quoting]\n"
      " 2 | dan,\"tea\n"
      "   |     ^\n"
      "   b.csv:3:5: it is closed here\n"
      "   hint: quote the whole field and double the quotes in it: \"say \"\"hello\"\"\"; the "
      "rest of the file is not checked\n");
}

TEST_F(Load, PointsAtQuotesThatAreNeverClosed) {
  add(kLikes, "a.csv", "ann,tea\nbob,\"tea\ncat,tea\n");
  EXPECT_THAT(load(), HasSubstr("a.csv:2:5: error: a quote is opened here and never closed"));
}

TEST_F(Load, PointsAtBytesThatAreNoText) {
  add(kLikes, "a.tsv", std::string("ann\tt\xE9\nbob\tt\0a\n", 15) + "cat\ttea\ndan\ttea\n");
  EXPECT_EQ(load(),
            "a.tsv:1:6: error: the row is not UTF-8 text [invalid-utf8]\n"
            " 1 | ann t?\n"
            "   |      ^\n"
            "   hint: save the file as UTF-8\n"
            "a.tsv:2:6: error: the row holds a NUL byte [invalid-utf8]\n"
            " 2 | bob t?a\n"
            "   |      ^\n"
            "   hint: is this a text file? UTF-16 text has NUL bytes: save it as UTF-8\n");
}

TEST_F(Load, RefusesAbsurdlyLongLines) {
  add(kLikes,
      "a.tsv",
      "ann\ttea\nb\t" + std::string(2'000'000, 'x') + "\ncat\t" + std::string(1'000'000, 'y') +
          "\n");
  EXPECT_EQ(load(),
            "a.tsv:2: error: the row has 2000002 bytes, more than 1048576 [line-too-long]\n"
            "   hint: is this a data file, with one row per line?\n");
}

TEST_F(Load, CutsLongExcerpts) {
  add(kLikes,
      "a.tsv",
      std::string(1'000'000, 'y') + "\n" + std::string(10'000, 'x') + "\ty\t1\t2\n");
  Diagnostics sink;
  load_files(database_, files_, {.threads = 1}, sink);
  ASSERT_EQ(sink.num_errors(), 2U);
  for (const Diagnostic& d : sink.all()) {
    EXPECT_LE(d.excerpt.size(), 4000U);
    EXPECT_LT(render(d).size(), 1000U);
  }
}

TEST_F(Load, NamesBothPlacesOfAnAtomThatStandsTwice) {
  add(kLikes, "a.tsv", "ann\ttea\nbob\ttea\n\nann\ttea\n");
  add(kLikes, "b.tsv", "cat\ttea\nbob\ttea\n");
  add(kLikes, Partition::kTarget, "c.tsv", "dan\ttea\ncat\ttea\n");
  add(kLikes, Partition::kTruth, "d.tsv", "cat\ttea\ndan\ttea\ncat\ttea\n");
  EXPECT_EQ(load(),
            "a.tsv:4: error: Likes('ann', 'tea') stands twice in the observations "
            "[duplicate-atom]\n"
            "   a.tsv:1: it stands here first\n"
            "   hint: delete one of the two rows\n"
            "b.tsv:2: error: Likes('bob', 'tea') stands twice in the observations "
            "[duplicate-atom]\n"
            "   a.tsv:2: it stands here first\n"
            "   hint: delete one of the two rows\n"
            "c.tsv:2: error: Likes('cat', 'tea') is both observed and a target "
            "[observed-and-target]\n"
            "   b.tsv:1: it is observed here\n"
            "   hint: an atom is either known or to be inferred: delete one of the two rows\n"
            "d.tsv:3: error: Likes('cat', 'tea') stands twice in the truth [duplicate-atom]\n"
            "   d.tsv:1: it stands here first\n"
            "   hint: delete one of the two rows\n");
}

TEST_F(Load, FindsAtomsThatLiteralRowsHaveToo) {
  Diagnostics sink;
  const std::string_view atom[] = {"ann", "tea"};
  add_row(database_, {kLikes, Partition::kTarget, atom, 1.0, {"m.json", 5, 1, 1}}, sink);
  add(kLikes, "a.tsv", "ann\ttea\n");
  EXPECT_THAT(load(),
              HasSubstr("m.json:5: error: Likes('ann', 'tea') is both observed and a target"));
}

TEST_F(Load, FindsDuplicatesBesideOtherMistakes) {
  add(kLikes, "a.tsv", "ann\ttea\t1\nbob\ttea\t2\nbob\ttea\t3\nann\ttea\t1\n");
  const std::string text = load();
  EXPECT_THAT(text, HasSubstr("a.tsv:3:9: error: the truth value 3"));
  EXPECT_THAT(text, HasSubstr("a.tsv:4: error: Likes('ann', 'tea') stands twice"));
  EXPECT_THAT(text, Not(HasSubstr("'bob'")));
}

TEST_F(Load, ShowsTwentyMistakesPerFileAndCountsTheRest) {
  std::string text = "1\n";
  for (int i = 0; i < 50; ++i) text += "x" + std::to_string(i) + "\n2\n";
  add(kScore, "a.tsv", text);
  for (const std::size_t chunk_bytes : {16U, 1000000U}) {
    Database database(predicates());
    Diagnostics sink;
    load_files(database, files_, {.threads = 2}, sink, {.chunk_bytes = chunk_bytes});
    ASSERT_EQ(sink.num_errors(), 21U);
    EXPECT_EQ(sink.all()[0].span.line, 2U);
    // `2` stands twice from line 5 on, so of the first 20 every other one is a duplicate.
    EXPECT_EQ(sink.all()[19].code, "type-mismatch");
    EXPECT_EQ(sink.all()[20].code, "more-mistakes");
    EXPECT_EQ(sink.all()[20].message, "79 more mistakes in this file, from this line on");
    EXPECT_EQ(sink.all()[20].span.line, 23U);
  }
}

TEST_F(Load, ReportsMistakesOfAllFilesAtOnce) {
  add(kLikes, "a.tsv", "x\n");
  add(kAge, "b.tsv", "ann\told\n");
  files_.push_back({kScore, Partition::kTruth, folder_.path("none.tsv"), {}});
  const std::string text = load();
  EXPECT_THAT(text, HasSubstr("column-count"));
  EXPECT_THAT(text, HasSubstr("type-mismatch"));
  EXPECT_THAT(text, HasSubstr("unreadable-file"));
}

TEST_F(Load, RefusesMoreRowsAndConstantsThanCanBeNumbered) {
  add(kLikes, "a.tsv", "a\tb\nc\td\n");
  add(kLikes, Partition::kTarget, "b.tsv", "e\tf\n");
  add(kLikes, Partition::kTruth, "c.tsv", "e\tf\ng\th\n");
  EXPECT_EQ(load({.max_rows = 2}),
            "b.tsv: error: the predicate has more than 2 rows [too-many-rows]\n");
  database_ = Database(predicates());
  EXPECT_EQ(load({.max_constants = 5}),
            "b.tsv: error: there are more than 5 constants [too-many-rows]\n");
}

TEST_F(Load, StopsWhenAsked) {
  add(kLikes, "a.tsv", "ann\ttea\n");
  std::stop_source source;
  source.request_stop();
  Diagnostics sink;
  EXPECT_THROW(load_files(database_, files_, {.stop = source.get_token()}, sink), Interrupted);
}

TEST_F(Load, StopsInTheMidst) {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += std::to_string(i) + "\n";
  add(kScore, "a.tsv", text);
  std::stop_source source;
  Diagnostics sink;
  LoadOptions options{.threads = 2, .stop = source.get_token(), .progress = {}};
  options.progress = [&](std::uint64_t, std::uint64_t) { source.request_stop(); };
  EXPECT_THROW(load_files(database_, files_, options, sink, {.chunk_bytes = 16}), Interrupted);
}

TEST_F(Load, TellsHowFarItIs) {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += std::to_string(i) + "\n";
  add(kScore, "a.tsv", text);
  std::vector<std::uint64_t> steps;
  Diagnostics sink;
  LoadOptions options{.threads = 2, .stop = {}, .progress = {}};
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(total, text.size());
    steps.push_back(done);
  };
  load_files(database_, files_, options, sink, {.chunk_bytes = 64});
  EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
  EXPECT_GT(steps.size(), 5U);
  EXPECT_EQ(steps.back(), text.size());
}

TEST_F(Load, NeedsFewBytesPerRow) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "p\t" + std::to_string(i) + "\t0.5\n";
  add(kAge, "a.tsv", text);
  EXPECT_EQ(load(), "");
  // Columns 8, value 8, index 6; an integer constant 8 to 12 and 6 to 12 in its slots.
  EXPECT_LE(database_.memory_bytes(), 100'000U * (8 + 8 + 6 + 12 + 13));
  EXPECT_GE(database_.memory_bytes(), 100'000U * (8 + 8 + 6 + 8 + 6));
}

TEST_F(Load, ReadsPipes) {
  const std::string pipe = folder_.path("pipe");
  ASSERT_EQ(
      std::system(("mkfifo " + pipe + " && (printf 'ann\\ttea\\n' > " + pipe + " &)").c_str()), 0);
  files_.push_back({kLikes, Partition::kObserved, pipe, {}});
  EXPECT_EQ(load(), "");
  EXPECT_THAT(row(kLikes, 0), ElementsAre("ann", "tea"));
}

TEST(LoadDatabase, ReturnsWarningsAndThrowsMistakes) {
  const TestFolder folder;
  std::vector<Diagnostic> warnings;
  const std::vector<DataFile> empty{{kLikes, Partition::kTruth, folder.write("a.tsv", ""), {}}};
  const Database database = load_database(predicates(), empty, {}, &warnings);
  EXPECT_EQ(database.relation(kLikes).table(Partition::kTruth).num_rows, 0U);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, "empty-file");

  const std::vector<DataFile> wrong{
      {kLikes, Partition::kTruth, folder.write("b.tsv", "x\ny\n"), {}}};
  try {
    load_database(predicates(), wrong);
    FAIL() << "expected InputError";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 2U);
  }
}

TEST(LoadFiles, ReportsConstantsThatAClosedDomainDoesNotList) {
  Predicate knows;
  knows.name = "Knows";
  knows.types = {2, ArgumentType::kUniqueStringId};
  knows.domains = {3, 3};
  std::vector<Domain> domains = builtin_domains();
  domains.push_back({"person", ConstantType::kText, {"Ann", "Bob"}, true});
  Database database({knows}, domains);
  Diagnostics sink;
  load_text(database,
            {0, Partition::kObserved, "knows.txt", {}},
            "Ann\tBob\nAnn\tBib\nEve\tBob\n",
            {.threads = 2},
            sink);
  std::string text;
  for (const Diagnostic& d : sink.take_sorted()) text += render(d);
  EXPECT_EQ(text,
            "knows.txt:2: error: `Bib` is no person [unknown-constant]\n"
            "   hint: did you mean `Bob`?\n"
            "knows.txt:3: error: `Eve` is no person [unknown-constant]\n"
            "   hint: there are 2 of them, and all are listed\n");
}

}  // namespace
}  // namespace sorites
