#include "sorites/evaluate.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "eval/test_relation.h"

namespace sorites {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Evaluator, HasOneNamePerKind) {
  for (const Evaluator evaluator : kEvaluators) {
    EXPECT_EQ(find_evaluator(name_of(evaluator)), evaluator);
  }
  EXPECT_EQ(find_evaluator("discreteevaluator"), std::nullopt);
}

TEST(ContinuousEvaluator, MeasuresErrors) {
  TestRelation has;
  has.pair(0.5, 1.0);
  has.pair(0.25, 0.0);
  has.pair(1.0, 1.0);
  EXPECT_DOUBLE_EQ(has.metric("mae", Evaluator::kContinuous), 0.25);
  EXPECT_DOUBLE_EQ(has.metric("mse", Evaluator::kContinuous), 0.3125 / 3);
  EXPECT_DOUBLE_EQ(has.metric("rmse", Evaluator::kContinuous), std::sqrt(0.3125 / 3));
}

TEST(DiscreteEvaluator, CountsBothClasses) {
  TestRelation has;
  for (int i = 0; i < 6; ++i) has.pair(0.9, 1.0);  // true positive
  for (int i = 0; i < 2; ++i) has.pair(0.9, 0.0);  // false positive
  has.pair(0.1, 1.0);                              // false negative
  for (int i = 0; i < 3; ++i) has.pair(0.1, 0.0);  // true negative
  const auto metric = [&](const char* name) { return has.metric(name, Evaluator::kDiscrete); };
  EXPECT_DOUBLE_EQ(metric("accuracy"), 9.0 / 12);
  EXPECT_DOUBLE_EQ(metric("precision"), 6.0 / 8);
  EXPECT_DOUBLE_EQ(metric("recall"), 6.0 / 7);
  EXPECT_DOUBLE_EQ(metric("f1"), 2 * (6.0 / 8) * (6.0 / 7) / (6.0 / 8 + 6.0 / 7));
  EXPECT_DOUBLE_EQ(metric("negative_precision"), 3.0 / 4);
  EXPECT_DOUBLE_EQ(metric("negative_recall"), 3.0 / 5);
  EXPECT_NEAR(metric("log_loss"), -(9 * std::log(0.9) + 3 * std::log(0.1)) / 12, 1e-12);
}

TEST(DiscreteEvaluator, TakesValuesAtTheThresholdAsTrue) {
  TestRelation has;
  has.pair(0.5, 0.5);
  has.pair(0.4, 0.3);
  EXPECT_EQ(has.metric("precision", Evaluator::kDiscrete), 1.0);
  EXPECT_EQ(has.metric("recall", Evaluator::kDiscrete), 1.0);
  EXPECT_EQ(has.metric("recall", Evaluator::kDiscrete, {.threshold = 0.3}), 1.0);
  EXPECT_EQ(has.metric("negative_recall", Evaluator::kDiscrete, {.threshold = 0.4}), 0.0);
}

TEST(DiscreteEvaluator, BoundsTheLossOfWrongCertainty) {
  TestRelation has;
  has.pair(0.0, 1.0);
  EXPECT_NEAR(has.metric("log_loss", Evaluator::kDiscrete), 12 * std::log(10.0), 1e-9);
  TestRelation sure;
  sure.pair(1.0, 1.0);
  sure.pair(0.0, 0.0);
  EXPECT_NEAR(sure.metric("log_loss", Evaluator::kDiscrete), 0.0, 2e-12);
}

TEST(Evaluate, LooksAtTargetsWithTruthUnlessToldOtherwise) {
  TestRelation has;
  has.target({"a", "x"}, 1.0, 1.0);
  has.target({"b", "x"}, 1.0);  // no truth
  has.database.add(Partition::kObserved, "Has", {"c", "x"}, 0.0);
  has.database.add(Partition::kTruth, "Has", {"c", "x"}, 1.0);
  has.database.add(Partition::kObserved, "Has", {"d", "x"}, 1.0);  // no truth: never looked at
  has.database.add(Partition::kTruth, "Has", {"e", "x"}, 1.0);     // no target: never found
  const auto accuracy = [&](const EvaluationOptions& options) {
    return has.metric("accuracy", Evaluator::kDiscrete, options);
  };
  EXPECT_DOUBLE_EQ(accuracy({}), 1.0);
  EXPECT_DOUBLE_EQ(accuracy({.close_truth = true}), 0.5);
  EXPECT_DOUBLE_EQ(accuracy({.include_observed = true}), 0.5);
  EXPECT_DOUBLE_EQ(accuracy({.include_observed = true, .close_truth = true}), 1.0 / 3);
}

TEST(Evaluate, GivesZerosIfThereIsNothing) {
  const TestRelation has;
  for (const Evaluator evaluator : kEvaluators) {
    for (const bool psl : {false, true}) {
      for (const Metric& metric : has.metrics(evaluator, {.psl_compatible = psl})) {
        EXPECT_EQ(metric.value, 0.0) << metric.name;
      }
    }
  }
}

TEST(Evaluate, NamesWhatIsOutOfRange) {
  TestRelation has;
  has.pair(0.5, 1.0);
  const auto run = [&](std::vector<double> values, EvaluationOptions options, Evaluator evaluator) {
    return [=, &has] { evaluate(has.database, 0, values, evaluator, options); };
  };
  EXPECT_THAT(run({}, {}, Evaluator::kDiscrete),
              ThrowsMessage<std::invalid_argument>(HasSubstr("0 values for the 1 targets of Has")));
  EXPECT_THAT(run({std::nan("")}, {}, Evaluator::kDiscrete),
              ThrowsMessage<std::invalid_argument>(HasSubstr("outside [0, 1]")));
  EXPECT_THAT(run({0.5}, {.threshold = 1.5}, Evaluator::kAuc),
              ThrowsMessage<std::invalid_argument>(HasSubstr("threshold")));
  EXPECT_THAT(run({0.5}, {.category_indexes = {2}}, Evaluator::kCategorical),
              ThrowsMessage<std::invalid_argument>(HasSubstr("argument 2 of Has, which has 2")));
  EXPECT_THAT(run({0.5}, {.category_indexes = {}}, Evaluator::kRanking),
              ThrowsMessage<std::invalid_argument>(HasSubstr("empty")));
}

// Of classes exactly one is true, so truth may name it alone.
TEST(Evaluate, TakesTheOtherClassesOfAClassifiedEntityForFalse) {
  Database database({{.name = "Is",
                      .types = {2, ArgumentType::kUniqueStringId},
                      .open = true,
                      .has_classes = true}});
  std::vector<double> values;
  const auto target = [&](std::string_view entity, std::string_view class_name, double value) {
    database.add(Partition::kTarget, "Is", {entity, class_name});
    values.push_back(value);
  };
  target("a", "x", 0.9);
  target("a", "y", 0.1);
  target("b", "x", 0.2);
  target("b", "y", 0.8);
  target("c", "x", 0.5);  // nobody knows its class
  database.add(Partition::kTruth, "Is", {"a", "y"});
  database.add(Partition::kTruth, "Is", {"b", "x"});
  const auto metrics = evaluate(database, 0, values, Evaluator::kAuc);
  EXPECT_EQ(metrics[0].name, "auroc");
  EXPECT_EQ(metrics[0].value, 0.0);  // wrong twice
  const auto discrete = evaluate(database, 0, values, Evaluator::kDiscrete);
  EXPECT_EQ(discrete[0].name, "accuracy");
  EXPECT_EQ(discrete[0].value, 0.0);
}

}  // namespace
}  // namespace sorites
