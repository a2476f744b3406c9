#include <gtest/gtest.h>

#include "eval/test_relation.h"

namespace sorites {
namespace {

constexpr Evaluator kKind = Evaluator::kCategorical;

TEST(CategoricalEvaluator, TakesTheHighestCategoryOfEachIdentifier) {
  TestRelation has;
  has.target({"ann", "tea"}, 0.6, 1.0);  // hit
  has.target({"ann", "jazz"}, 0.4, 0.0);
  has.target({"bob", "tea"}, 0.7, 0.0);
  has.target({"bob", "jazz"}, 0.3, 1.0);  // miss
  EXPECT_DOUBLE_EQ(has.metric("categorical_accuracy", kKind), 0.5);
  EXPECT_DOUBLE_EQ(has.metric("categorical_accuracy_expected", kKind), 0.5);
  EXPECT_EQ(has.metric("categorical_ties", kKind), 0.0);
}

TEST(CategoricalEvaluator, BreaksTiesByTheLowestCategory) {
  TestRelation has;
  has.target({"ann", "tea"}, 0.5, 0.0);
  has.target({"ann", "jazz"}, 0.5 - 5e-7, 1.0);  // a little lower, by rounding; before "tea"
  has.target({"ann", "rain"}, 0.2, 0.0);
  EXPECT_EQ(has.metric("categorical_accuracy", kKind), 1.0);
  EXPECT_EQ(has.metric("categorical_accuracy_expected", kKind), 0.5);
  EXPECT_EQ(has.metric("categorical_ties", kKind), 1.0);
}

TEST(CategoricalEvaluator, DoesNotChainTies) {
  TestRelation has;  // neighbours tie, the ends do not
  has.target({"ann", "tea"}, 0.5, 1.0);
  has.target({"ann", "jazz"}, 0.5 + 8e-7, 0.0);
  has.target({"ann", "rain"}, 0.5 + 16e-7, 0.0);
  EXPECT_EQ(has.metric("categorical_accuracy", kKind), 0.0);
  EXPECT_EQ(has.metric("categorical_accuracy_expected", kKind), 0.0);
}

TEST(CategoricalEvaluator, LetsTargetsWithoutTruthCompete) {
  TestRelation has;
  has.target({"ann", "tea"}, 0.4, 1.0);
  has.target({"ann", "jazz"}, 0.6);
  EXPECT_EQ(has.metric("categorical_accuracy", kKind), 0.0);
}

TEST(CategoricalEvaluator, MissesTruthThatIsNoTarget) {
  TestRelation has;
  has.target({"ann", "tea"}, 0.4, 1.0);
  has.database.add(Partition::kTruth, "Has", {"bob", "tea"});
  has.database.add(Partition::kObserved, "Has", {"cid", "tea"});
  has.database.add(Partition::kTruth, "Has", {"cid", "tea"});
  has.database.add(Partition::kTruth, "Has", {"dan", "tea"}, 0.9);  // not fully true: left out
  EXPECT_DOUBLE_EQ(has.metric("categorical_accuracy", kKind), 1.0 / 3);
  EXPECT_DOUBLE_EQ(has.metric("categorical_accuracy", kKind, {.include_observed = true}), 2.0 / 3);
}

TEST(CategoricalEvaluator, TakesAnyArgumentsAsCategory) {
  TestRelation has(3);
  has.target({"tea", "ann", "hot"}, 0.9, 1.0);
  has.target({"tea", "ann", "cold"}, 0.1, 0.0);
  has.target({"jazz", "ann", "hot"}, 0.8, 0.0);
  has.target({"jazz", "ann", "cold"}, 0.2, 1.0);
  EXPECT_DOUBLE_EQ(has.metric("categorical_accuracy", kKind), 0.5);
  EXPECT_DOUBLE_EQ(has.metric("categorical_accuracy", kKind, {.category_indexes = {0}}), 1.0);
  // One identifier, ann, with one prediction for two true atoms.
  EXPECT_DOUBLE_EQ(has.metric("categorical_accuracy", kKind, {.category_indexes = {0, -1}}), 0.5);
}

}  // namespace
}  // namespace sorites
