#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "lang/mln/test_programs.h"

namespace sorites::markov {
namespace {

using testing::HasSubstr;

ReadProgram with_unaries(const std::string& unaries) {
  return read_texts({"coexist(token, token)\n*near(token, token)\nlabel(token) in {RL, ML, DB}\n",
                     "1 near(a, b) => coexist(a, b)\n",
                     "near(T1, T2)\n",
                     "",
                     unaries});
}

TEST(MlnUnaries, AreRowsOfTheirPredicates) {
  const ReadProgram read = with_unaries(
      "coexist(T1, T2) 1.25\n\n# a comment\ncoexist(T2, T1) -3e-1 // another\n"
      "label(T2) = ML +0.5\n");
  ASSERT_EQ(read.rendered(), "");
  EXPECT_EQ(unaries_text(read.database()),
            "coexist(T1, T2) 1.25\ncoexist(T2, T1) -0.3\nlabel(T2) = ML 0.5\n");
}

TEST(MlnUnaries, AddTheirConstants) {
  const ReadProgram read = with_unaries("coexist(T1, T3) 1\n");
  ASSERT_EQ(read.rendered(), "");
  const DomainId token = read.program().predicates[0].domain(0);
  EXPECT_EQ(read.database().dictionary(token).size(), 3U);
}

TEST(MlnUnaries, ReportEveryMistakeAtItsPlace) {
  EXPECT_EQ(with_unaries("coexist(T1, T2)\n").codes(), "syntax");
  EXPECT_EQ(with_unaries("coexist(T1, T2) much\n").codes(), "syntax");
  EXPECT_EQ(with_unaries("coexist(T1, T2) 1 2\n").codes(), "syntax");
  EXPECT_EQ(with_unaries("coexist(T1, T2) 1.5.2\n").codes(), "syntax");
  EXPECT_EQ(with_unaries("coexist(T1, T2) inf\n").codes(), "bad-value");
  EXPECT_EQ(with_unaries("coexist(T1, T2) nan\n").codes(), "bad-value");
  EXPECT_EQ(with_unaries("coexist(T1, T2) 1e99\n").codes(), "bad-value");
  EXPECT_EQ(with_unaries("near(T1, T2) 1\n").codes(), "bad-value");
  EXPECT_EQ(with_unaries("coexist(T1) 1\n").codes(), "wrong-arity");
  EXPECT_EQ(with_unaries("coexists(T1, T2) 1\n").codes(), "unknown-predicate");
  EXPECT_EQ(with_unaries("label(T1) 1\n").codes(), "unknown-class");
  EXPECT_EQ(with_unaries("label(T1) = XL 1\n").codes(), "unknown-class");
  EXPECT_EQ(with_unaries("!coexist(T1, T2) 1\n").codes(), "unknown-class");
  EXPECT_EQ(with_unaries("?coexist(T1, T2) 1\n").codes(), "unknown-class");
  EXPECT_EQ(with_unaries("coexist(T1, T2) 1\nlabel(T1) = RL x\nfoo(T1) 2\n").codes(),
            "syntax unknown-predicate");
}

TEST(MlnUnaries, StandOnce) {
  const ReadProgram read = with_unaries("label(T1) = RL 1\nlabel(T1) = ML 1\nlabel(T1) = RL 1\n");
  EXPECT_EQ(read.codes(), "duplicate-atom");
  EXPECT_THAT(read.rendered(), HasSubstr("unaries:3:1"));
  EXPECT_THAT(read.rendered(), HasSubstr("unaries:1:1"));
}

TEST(MlnUnaries, OfAnEarlierModelDoNotStayBehind) {
  const std::string folder = testing::TempDir() + "mln_unaries";
  std::filesystem::remove_all(folder);
  const auto write = [&](const ReadProgram& model) {
    write_mln(model.program(), model.database(), {}, folder);
    write_mln(model.program(), model.database(), {}, folder + "/model.mln");
  };
  const auto unaries_of_files = [&] {
    Diagnostics sink;
    std::string text = unaries_text(read_mln(folder, "", sink).database);
    text += unaries_text(read_mln(folder + "/model.mln", folder + "/model.db", sink).database);
    EXPECT_EQ(sink.num_errors(), 0U);
    return text;
  };
  write(with_unaries("coexist(T1, T2) 1\n"));
  EXPECT_EQ(unaries_of_files(), "coexist(T1, T2) 1\ncoexist(T1, T2) 1\n");
  write(with_unaries(""));
  EXPECT_EQ(unaries_of_files(), "");
  std::filesystem::remove_all(folder);
}

TEST(MlnUnaries, OfManyAtomsAreReadQuickly) {
  std::string text;
  for (int i = 0; i < 450; ++i) {
    for (int j = 0; j < 450; ++j) text += fmt::format("coexist(T{}, T{}) {}\n", i, j, i - j + 0.25);
  }
  const auto start = std::chrono::steady_clock::now();
  const ReadProgram read = with_unaries(text);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(read.rendered(), "");
  EXPECT_EQ(read.database().potentials(0).num_rows, 450U * 450U);
  EXPECT_LT(seconds.count(), 5.0);  // takes about 0.1
}

}  // namespace
}  // namespace sorites::markov
