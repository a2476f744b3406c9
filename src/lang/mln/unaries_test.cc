#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "lang/mln/printer.h"
#include "lang/mln/test_texts.h"

namespace sorites::markov {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TestResult with_unaries(const std::string& unaries) {
  return compile_texts(
      {"coexist(token, token)\n*near(token, token)\nlabel(token) in {RL, ML, DB}\n",
       "1 near(a, b) => coexist(a, b)\n",
       "near(T1, T2)\n",
       "",
       unaries});
}

TEST(MarkovUnaries, StandRowByRow) {
  const TestResult read = with_unaries(
      "coexist(T1, T2) 1.25\n\n# a comment\ncoexist(T2, T1) -3e-1 // another\n"
      "label(T2) = ML +0.5\n");
  ASSERT_EQ(read.rendered(), "");
  EXPECT_THAT(read.model->unaries[0], ElementsAre(0.0F, 1.25F, -0.3F, 0.0F));
  EXPECT_THAT(read.model->unaries[1], IsEmpty());
  EXPECT_THAT(read.model->unaries[2], ElementsAre(0.0F, 0.0F, 0.0F, 0.0F, 0.5F, 0.0F));
  EXPECT_EQ(unaries_text(*read.model),
            "coexist(T1, T2) 1.25\ncoexist(T2, T1) -0.3\nlabel(T2) = ML 0.5\n");
}

TEST(MarkovUnaries, AddTheirConstants) {
  const TestResult read = with_unaries("coexist(T1, T3) 1\n");
  ASSERT_EQ(read.rendered(), "");
  EXPECT_THAT(read.model->types[0].constants, ElementsAre("T1", "T2", "T3"));
  EXPECT_EQ(read.model->unaries[0].size(), 9U);
}

TEST(MarkovUnaries, ReportEveryMistakeAtItsPlace) {
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

TEST(MarkovUnaries, StandOnce) {
  const TestResult read = with_unaries("label(T1) = RL 1\nlabel(T1) = ML 1\nlabel(T1) = RL 1\n");
  EXPECT_EQ(read.codes(), "duplicate-atom");
  EXPECT_THAT(read.rendered(), HasSubstr("unaries:3:1"));
  EXPECT_THAT(read.rendered(), HasSubstr("unaries:1:1"));
}

TEST(MarkovUnaries, OfAnEarlierModelDoNotStayBehind) {
  const std::string folder = testing::TempDir() + "markov_unaries";
  std::filesystem::remove_all(folder);
  MarkovModel model = *with_unaries("coexist(T1, T2) 1\n").model;
  write_markov(model, folder);
  write_markov(model, folder + "/model.mln");
  EXPECT_TRUE(same_model(read_markov(folder), model));
  model.unaries[0].clear();
  write_markov(model, folder);
  write_markov(model, folder + "/model.mln");
  EXPECT_TRUE(same_model(read_markov(folder), model));
  EXPECT_TRUE(same_model(read_markov(folder + "/model.mln", folder + "/model.db"), model));
  std::filesystem::remove_all(folder);
}

TEST(MarkovUnaries, OfManyAtomsAreReadQuickly) {
  std::string text;
  for (int i = 0; i < 450; ++i) {
    for (int j = 0; j < 450; ++j) text += fmt::format("coexist(T{}, T{}) {}\n", i, j, i - j + 0.25);
  }
  const auto start = std::chrono::steady_clock::now();
  const TestResult read = with_unaries(text);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(read.model);
  EXPECT_EQ(read.model->unaries[0].size(), 450U * 450U);
  EXPECT_LT(seconds.count(), 5.0);  // takes about 0.05
}

}  // namespace
}  // namespace sorites::markov
