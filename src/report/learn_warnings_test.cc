#include "report/learn_warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sorites {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Two rules whose weights moved a little, and a metric that got better.
LearnReport good_report() {
  LearnReport report;
  for (const std::uint64_t epoch : {0, 1, 2}) {
    LearnEpoch one;
    one.epoch = epoch;
    one.movement = epoch == 0 ? 0.0 : 0.01;
    one.training_metric = 0.5 + 0.1 * static_cast<double>(epoch);
    report.history.push_back(one);
  }
  report.kept_epoch = 2;
  report.rules.resize(2);
  report.rules[1].id = 1;
  report.rule_of_weight = {0, 1};
  report.learned = {true, true};
  report.old_weights = {1.0, 1.0};
  report.weights = {1.5, 0.5};
  report.predicates.resize(1);
  report.predicates[0].name = "Knows";
  const auto evaluated = [](double accuracy) {
    EvaluatedWeights result;
    result.metrics.push_back({0, Evaluator::kDiscrete, true, 10, {{"accuracy", accuracy}}, 0});
    return result;
  };
  report.untrained = evaluated(0.7);
  report.trained = evaluated(0.8);
  return report;
}

TEST(LearningWarnings, SayNothingOfWhatWentWell) {
  EXPECT_THAT(learning_warnings(good_report()), IsEmpty());
  EXPECT_THAT(learning_warnings(LearnReport()), IsEmpty());
}

TEST(LearningWarnings, TellThatInferenceWasBetterBefore) {
  LearnReport report = good_report();
  report.trained->metrics[0].metrics[0].value = 0.6;
  EXPECT_THAT(learning_warnings(report),
              ElementsAre(HasSubstr("accuracy of Knows is 0.6 after learning, 0.7 before")));
  report.trained->metrics[0].metrics[0].higher_is_better = false;  // then it is better now
  EXPECT_THAT(learning_warnings(report), IsEmpty());
}

TEST(LearningWarnings, TellThatTheKeptEpochIsWorseThanTheFirst) {
  LearnReport report = good_report();
  report.history[2].training_metric = 0.4;
  EXPECT_THAT(learning_warnings(report), ElementsAre(HasSubstr("the training metric")));
}

TEST(LearningWarnings, TellThatWeightsCollapsed) {
  LearnReport report = good_report();
  report.weights = {1.995, 0.005};
  EXPECT_THAT(learning_warnings(report), ElementsAre(HasSubstr("rule 1 has 0.9975 of their sum")));
  report.old_weights = report.weights;  // as the user wants it
  EXPECT_THAT(learning_warnings(report), IsEmpty());
  report.weights = {0.0, 0.0};
  EXPECT_THAT(learning_warnings(report), ElementsAre(HasSubstr("all learned weights are 0")));
}

TEST(LearningWarnings, TellThatNoWeightMoved) {
  LearnReport report = good_report();
  for (LearnEpoch& epoch : report.history) epoch.movement = 0.0;
  EXPECT_THAT(learning_warnings(report), ElementsAre(HasSubstr("no weight moved")));
  report.options.algorithm = LearnAlgorithm::kRandomSearch;  // which takes no steps
  EXPECT_THAT(learning_warnings(report), IsEmpty());
}

TEST(KeptText, SaysWhichEpochAndWhy) {
  LearnReport report = good_report();
  EXPECT_THAT(kept_text(report), HasSubstr("epoch 2 of 2: it has the best training metric"));
  report.history[2].validation_metric = 0.5;
  EXPECT_THAT(kept_text(report), HasSubstr("the best validation metric"));
  report.options.keep_best = false;
  EXPECT_THAT(kept_text(report), HasSubstr("the last, as learn.keep_best is false"));
  EXPECT_EQ(kept_text(LearnReport()), "");
}

}  // namespace
}  // namespace sorites
