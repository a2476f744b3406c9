#include "eval/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "data/test_folder.h"
#include "sorites/evaluate.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Knows(text, text) with three targets, Age(integer, real) with two.
class Results : public testing::Test {
 protected:
  Results()
      : database_({{.name = "Knows", .types = {2, ArgumentType::kUniqueStringId}, .open = true},
                   {.name = "Age",
                    .types = {ArgumentType::kUniqueIntId, ArgumentType::kDouble},
                    .open = true}}) {
    database_.add(Partition::kTarget, "Knows", {"ann", "bob"});
    database_.add(Partition::kTarget, "Knows", {"bob", "ann"});
    database_.add(Partition::kTarget, "Knows", {"O'Neil", "C:\\new"});
    database_.add(Partition::kTarget, "Age", {"7", "1.5"});
    database_.add(Partition::kTarget, "Age", {"-8", "2"});
  }

  void write(const std::vector<double>& truth) const {
    write_results(folder_.path("out"), database_, ranges_, truth);
  }
  std::vector<double> read() {
    return read_results(folder_.path("out"), database_, ranges_, &warnings_);
  }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories(folder_.path("out"));
    (void)folder_.write("out/" + name, text);
  }
  std::string written(const std::string& name) const {
    return read_text(folder_.path("out/" + name));
  }

  TestFolder folder_;
  Database database_;
  std::vector<AtomRange> ranges_ = {{0, 0, 3}, {1, 3, 2}};
  std::vector<Diagnostic> warnings_;
  const std::vector<double> truth_ = {0.5, 1.0, 1e-7, 0.0, 0.1};
};

const char* const kGoodAge = "7\t1.5\t0.25\n-8\t2.0\t0.75\n";

TEST_F(Results, AreOneFilePerPredicateInPslsFormat) {
  write(truth_);
  EXPECT_EQ(written("KNOWS.txt"), "ann\tbob\t0.5\nbob\tann\t1.0\nO\\'Neil\tC:\\\\new\t1e-07\n");
  EXPECT_EQ(written("AGE.txt"), "7\t1.5\t0.0\n-8\t2\t0.1\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path("out")), {}), 2);
}

TEST_F(Results, AreReadBackAsTheyWereWritten) {
  write(truth_);
  EXPECT_EQ(read(), truth_);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(Results, MayStandInAnyOrderAndForm) {
  put("KNOWS.txt", "bob\tann\t8.187412E-6\r\n\n\nO'Neil\tC:\\new\t 0.5 \r\nann\tbob\t1");
  put("AGE.txt", "-08\t2.00\t-1e-16\n+7\t1.5\t1.0000001\n");
  EXPECT_THAT(read(), ElementsAre(1.0, 8.187412e-6, 0.5, 1.0, 0.0));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(Results, OfSomePredicatesNeedOnlyTheirFiles) {
  put("AGE.txt", kGoodAge);
  const AtomRange age[] = {{1, 0, 2}};
  EXPECT_THAT(read_results(folder_.path("out"), database_, age), ElementsAre(0.25, 0.75));
}

TEST_F(Results, ThatAreNoTargetsAreLeftOutWithAWarning) {
  put("KNOWS.txt",
      "ann\tbob\t0.1\nann\tzoe\t0.9\nann\tann\t0.9\nbob\tann\t0.2\nO'Neil\tC:\\new\t0.3\n");
  put("AGE.txt", kGoodAge);
  EXPECT_THAT(read(), ElementsAre(0.1, 0.2, 0.3, 0.25, 0.75));
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_EQ(warnings_[0].code, "unknown-result");
  EXPECT_EQ(warnings_[0].span.line, 2U);
  EXPECT_THAT(warnings_[0].message, HasSubstr("targets of `Knows`: 2 rows"));
}

TEST_F(Results, TellAllMistakesOfAllFiles) {
  put("KNOWS.txt",
      "ann\tbob\tx\nann\tbob\t1.5\nann\tbob\nann\tbob\t0.5\nann\tbob\t0.5\nann bob 0.5\n");
  put("AGE.txt", "seven\t1.5\t0.5\n-8\t2\tnan\n");
  EXPECT_THAT(
      [&] { read(); },
      ThrowsMessage<InputError>(AllOf(HasSubstr("KNOWS.txt:1:9: error: the value `x` is not"),
                                      HasSubstr("KNOWS.txt:2:9: error: the value 1.5 is out"),
                                      HasSubstr("KNOWS.txt:3:1: error: the row has 2 col"),
                                      HasSubstr("KNOWS.txt:5:1: error: Knows('ann', 'bob')"),
                                      HasSubstr("the first one is on line 4"),
                                      HasSubstr("KNOWS.txt:6:1: error: the row has 1 col"),
                                      HasSubstr("AGE.txt:1:1: error: argument 1 of Age is"),
                                      HasSubstr("AGE.txt:2:6: error: the value `nan`"))));
}

TEST_F(Results, CountMistakesBeyondTheFirstOnes) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "ann\tbob\tx\n";
  put("KNOWS.txt", text);
  put("AGE.txt", kGoodAge);
  EXPECT_THAT([&] { read(); }, ThrowsMessage<InputError>(HasSubstr("30 more mistakes")));
}

TEST_F(Results, MustHaveEveryTarget) {
  put("KNOWS.txt", "bob\tann\t0.5\n");
  put("AGE.txt", kGoodAge);
  EXPECT_THAT(
      [&] { read(); },
      ThrowsMessage<InputError>(AllOf(HasSubstr("without a value: 2 of 3 targets of `Knows`"),
                                      HasSubstr("the first is Knows('ann', 'bob')"))));
}

TEST_F(Results, MustBeThere) {
  EXPECT_THAT([&] { read(); }, ThrowsMessage<InputError>(HasSubstr("[unreadable-file]")));
  put("AGE.txt", kGoodAge);
  EXPECT_THAT([&] { read(); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("KNOWS.txt: error: there are no results"),
                                              HasSubstr("[missing-results]"))));
  fs::create_directory(folder_.path("out/KNOWS.txt"));
  EXPECT_THAT([&] { read(); }, ThrowsMessage<InputError>(HasSubstr("[unreadable-file]")));
}

TEST_F(Results, AreNotTouchedIfWritingFails) {
  write(truth_);
  const std::string before = written("KNOWS.txt");
  fs::remove(folder_.path("out/AGE.txt"));
  fs::create_directory(folder_.path("out/AGE.txt"));  // the second file cannot be written
  EXPECT_THROW(write({0, 0, 0, 0, 0}), IoError);
  EXPECT_EQ(written("KNOWS.txt"), before);
  for (const auto& entry : fs::directory_iterator(folder_.path("out"))) {
    EXPECT_NE(entry.path().extension(), ".part");
  }
}

TEST_F(Results, CannotBeWrittenIntoAFile) {
  (void)folder_.write("out", "");
  EXPECT_THROW(write(truth_), IoError);
}

TEST_F(Results, MustFitTheDatabase) {
  EXPECT_THROW(write({0.5, 0.5}), std::invalid_argument);
  EXPECT_THROW(write({0.5, 0.5, 0.5, 0.5, std::nan("")}), std::invalid_argument);
  EXPECT_THROW(write({0.5, 0.5, 0.5, 0.5, -0.1}), std::invalid_argument);
  ranges_[0].count = 2;
  EXPECT_THROW(write(truth_), std::invalid_argument);
  EXPECT_THROW(read(), std::invalid_argument);
  EXPECT_FALSE(fs::exists(folder_.path("out")));
}

// Whatever stands in arguments and values, it comes back, in any order of lines.
TEST(ResultsProperty, WritingAndReadingIsTheIdentity) {
  EXPECT_TRUE(rc::check([] {
    const TestFolder folder;
    Database database({{.name = "P",
                        .types = {ArgumentType::kString,
                                  ArgumentType::kLong,
                                  ArgumentType::kDouble,
                                  ArgumentType::kUniqueStringId},
                        .open = true}});
    std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
    const auto text = [&] {
      static constexpr std::string_view kPieces[] = {
          "a", "b", "\\", "'", "\t", "\n", "\r", " ", "n", "t", "\xC3\xA9", "\"", "\\'"};
      std::string result;
      while (random() % 4 != 0) result += kPieces[random() % std::size(kPieces)];
      return result;
    };
    std::vector<double> truth;
    for (int row = *rc::gen::inRange(0, 40); row > 0; --row) {
      const std::string arguments[] = {text(),
                                       std::to_string(static_cast<std::int32_t>(random())),
                                       std::to_string(random() % 100) + ".5e-3",
                                       text()};
      const std::vector<std::string_view> views(std::begin(arguments), std::end(arguments));
      try {
        database.add(Partition::kTarget, "P", views);
      } catch (const std::invalid_argument&) {
        continue;  // it is there already
      }
      truth.push_back(std::uniform_real_distribution<double>(0, 1)(random));
      if (random() % 3 == 0) truth.back() = static_cast<double>(random() % 3) / 2;
    }
    const AtomRange ranges[] = {{0, 0, static_cast<std::uint32_t>(truth.size())}};
    write_results(folder.path("out"), database, ranges, truth);
    RC_ASSERT(read_results(folder.path("out"), database, ranges) == truth);

    std::vector<std::string> lines;
    std::istringstream file(read_text(folder.path("out/P.txt")));
    for (std::string line; std::getline(file, line);) lines.push_back(line + "\n");
    RC_ASSERT(lines.size() == truth.size());
    std::shuffle(lines.begin(), lines.end(), random);
    std::string shuffled;
    for (const std::string& line : lines) shuffled += line;
    (void)folder.write("out/P.txt", shuffled);
    std::vector<Diagnostic> warnings;
    RC_ASSERT(read_results(folder.path("out"), database, ranges, &warnings) == truth);
    RC_ASSERT(warnings.empty());
  }));
}

// Any bytes are read or refused; nothing else happens.
TEST(ResultsProperty, AnyBytesAreReadOrRefused) {
  EXPECT_TRUE(rc::check([] {
    const TestFolder folder;
    Database database({{.name = "P", .types = {2, ArgumentType::kUniqueIntId}, .open = true}});
    database.add(Partition::kTarget, "P", {"1", "2"});
    std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
    static constexpr std::string_view kPieces[] = {
        "1\t2\t0.5\n", "\t", "\n", "\r", "1", "2", "-", ".5", "e9", " ", "\\", "x", "\xFF", "nan"};
    std::string text;
    for (int i = *rc::gen::inRange(0, 30); i > 0; --i) {
      text += kPieces[random() % std::size(kPieces)];
    }
    if (random() % 4 == 0) text.push_back('\0');
    (void)folder.write("P.txt", text);
    const AtomRange ranges[] = {{0, 0, 1}};
    try {
      const auto truth = read_results(folder.path(""), database, ranges);
      RC_ASSERT(truth.size() == 1U);
      RC_ASSERT(truth[0] >= 0.0 && truth[0] <= 1.0);
    } catch (const InputError& error) {
      RC_ASSERT(!error.diagnostics().empty());
    }
  }));
}

}  // namespace
}  // namespace sorites
