#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "eval/slow_metrics.h"
#include "eval/test_relation.h"

namespace sorites {
namespace {

double auc(const TestRelation& has, const char* name, bool psl = false) {
  return has.metric(name, Evaluator::kAuc, {.psl_compatible = psl});
}

TEST(AucEvaluator, IsOneForAPerfectRanking) {
  TestRelation has;
  for (int i = 0; i < 3; ++i) has.pair(0.9 - 0.1 * i, 1.0);
  for (int i = 0; i < 4; ++i) has.pair(0.4 - 0.1 * i, 0.0);
  EXPECT_DOUBLE_EQ(auc(has, "auroc"), 1.0);
  EXPECT_DOUBLE_EQ(auc(has, "auprc"), 1.0);
  EXPECT_DOUBLE_EQ(auc(has, "negative_auprc"), 1.0);
}

TEST(AucEvaluator, FollowsAnExampleByHand) {
  TestRelation has;  // + - + -
  has.pair(0.9, 1.0);
  has.pair(0.7, 0.0);
  has.pair(0.5, 1.0);
  has.pair(0.3, 0.0);
  EXPECT_DOUBLE_EQ(auc(has, "auroc"), 3.0 / 4);
  EXPECT_DOUBLE_EQ(auc(has, "auprc"), (1.0 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(auc(has, "negative_auprc"), (1.0 + 2.0 / 3) / 2);
}

TEST(AucEvaluator, GivesTheShareOfPositivesIfAllTie) {
  TestRelation has;
  for (int i = 0; i < 8; ++i) has.pair(0.5, i < 3 ? 1.0 : 0.0);
  EXPECT_DOUBLE_EQ(auc(has, "auroc"), 0.5);
  EXPECT_DOUBLE_EQ(auc(has, "auprc"), 3.0 / 8);
  EXPECT_DOUBLE_EQ(auc(has, "negative_auprc"), 5.0 / 8);
}

TEST(AucEvaluator, IsDefinedForOneClass) {
  TestRelation only_true, only_false;
  only_true.pair(0.5, 1.0);
  only_false.pair(0.5, 0.5);  // not above the threshold
  for (const bool psl : {false, true}) {
    EXPECT_EQ(auc(only_true, "auroc", psl), 1.0);
    EXPECT_EQ(auc(only_false, "auroc", psl), 0.0);
  }
  EXPECT_EQ(auc(only_true, "auprc"), 1.0);
  EXPECT_EQ(auc(only_true, "negative_auprc"), 0.0);
  EXPECT_EQ(auc(only_false, "auprc"), 0.0);
  EXPECT_EQ(auc(only_false, "negative_auprc"), 1.0);
}

// Few values, so that many tie.
std::vector<SlowAtom> random_atoms() {
  const auto numbers =
      *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 2 * *rc::gen::inRange(1, 40)));
  std::vector<SlowAtom> atoms;
  for (const int number : numbers) atoms.push_back({(number / 2) / 40.0, number % 2 == 1});
  return atoms;
}

TEST(AucEvaluator, AgreesWithTheDefinitions) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<SlowAtom> atoms = random_atoms();
    TestRelation has;
    std::vector<SlowAtom> negated;
    for (const SlowAtom& atom : atoms) {
      has.pair(atom.value, atom.positive ? 1.0 : 0.0);
      negated.push_back({1.0 - atom.value, !atom.positive});
    }
    RC_ASSERT(std::fabs(auc(has, "auroc") - slow_auroc(atoms)) < 1e-12);
    RC_ASSERT(std::fabs(auc(has, "auprc") - slow_auprc(atoms)) < 1e-12);
    RC_ASSERT(std::fabs(auc(has, "negative_auprc") - slow_auprc(negated)) < 1e-12);
  }));
}

TEST(AucEvaluator, DoesNotDependOnTheOrderOfRows) {
  EXPECT_TRUE(rc::check([] {
    std::vector<SlowAtom> atoms = random_atoms();
    TestRelation has, reversed;
    for (const SlowAtom& atom : atoms) has.pair(atom.value, atom.positive ? 1.0 : 0.0);
    std::reverse(atoms.begin(), atoms.end());
    for (const SlowAtom& atom : atoms) reversed.pair(atom.value, atom.positive ? 1.0 : 0.0);
    for (const char* name : {"auroc", "auprc", "negative_auprc"}) {
      RC_ASSERT(std::fabs(auc(has, name) - auc(reversed, name)) < 1e-12);
    }
  }));
}

TEST(PslAuc, OrdersTiesByTheirArguments) {
  TestRelation positive_first, negative_first;
  positive_first.target({"a", "x"}, 0.5, 1.0);
  positive_first.target({"b", "x"}, 0.5, 0.0);
  negative_first.target({"b", "x"}, 0.5, 1.0);
  negative_first.target({"a", "x"}, 0.5, 0.0);
  EXPECT_EQ(auc(positive_first, "auroc", true), 1.0);
  EXPECT_EQ(auc(negative_first, "auroc", true), 0.0);
  EXPECT_EQ(auc(positive_first, "auroc"), 0.5);
  EXPECT_EQ(auc(negative_first, "auroc"), 0.5);
}

TEST(PslAuc, JoinsThePointsByStraightLines) {
  TestRelation has;  // + - +: precision 1, 1/2, 2/3 at recall 1/2, 1/2, 1
  has.pair(0.9, 1.0);
  has.pair(0.7, 0.0);
  has.pair(0.5, 1.0);
  EXPECT_DOUBLE_EQ(auc(has, "auprc", true), 0.5 + 0.5 * (0.5 + 2.0 / 3) / 2);
}

TEST(PslAuc, LooksForTheNegativeClassAmongHighValues) {
  TestRelation has;  // a perfect ranking: - comes last, after precision 0 and 0
  has.pair(0.9, 1.0);
  has.pair(0.8, 1.0);
  has.pair(0.1, 0.0);
  EXPECT_DOUBLE_EQ(auc(has, "negative_auprc", true), (1.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(auc(has, "negative_auprc"), 1.0);
}

TEST(PslAuc, MixesItsTwoThresholdRules) {
  TestRelation has;  // truth at the threshold: wanted for recall, but never found
  has.pair(0.9, 0.5);
  has.pair(0.8, 1.0);
  EXPECT_DOUBLE_EQ(auc(has, "auprc", true), 0.5 * (0.0 + 0.5) / 2);
  EXPECT_DOUBLE_EQ(auc(has, "auprc"), 0.5);
}

TEST(PslAuc, ComparesInSinglePrecision) {
  TestRelation has;
  has.target({"a", "x"}, 0.3, 1.0);
  has.target({"b", "x"}, 0.3 + 1e-12, 0.0);
  EXPECT_EQ(auc(has, "auroc"), 0.0);
  EXPECT_EQ(auc(has, "auroc", true), 1.0);  // a tie, which the argument decides
}

}  // namespace
}  // namespace sorites
