#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "sorites/evaluate.h"

namespace sorites {
namespace {

// Tokens with the tag that is inferred and, if it is known, the true one.
class Text {
 public:
  explicit Text(ArgumentType token = ArgumentType::kUniqueIntId)
      : database_(
            {{.name = "Tag", .types = {token, ArgumentType::kUniqueStringId}, .open = true}}) {}

  void add(std::string_view token, std::string_view tag, std::string_view truth) {
    database_.add(Partition::kTarget, "Tag", {token, tag});
    values_.push_back(0.6);
    database_.add(Partition::kTarget, "Tag", {token, "Z"});  // a tag that nobody means
    values_.push_back(0.1);
    if (!truth.empty()) database_.add(Partition::kTruth, "Tag", {token, truth});
  }

  void observe(std::string_view token, std::string_view tag, std::string_view truth) {
    database_.add(Partition::kObserved, "Tag", {token, tag});
    database_.add(Partition::kTruth, "Tag", {token, truth});
  }

  std::vector<double> metrics(const EvaluationOptions& options = {}) const {
    std::vector<double> result;
    for (const Metric& metric : evaluate(database_, 0, values_, Evaluator::kSpan, options)) {
      result.push_back(metric.value);
    }
    return result;
  }

 private:
  Database database_;
  std::vector<double> values_;
};

using ::testing::ElementsAre;

TEST(SpanEvaluator, CountsSpansThatAreFoundExactly) {
  Text text;
  text.add("11", "E-PER", "E-PER");  // rows need no order
  text.add("10", "B-PER", "B-PER");
  text.add("12", "O", "S-LOC");
  text.add("14", "S-LOC", "S-LOC");
  text.add("15", "S-ORG", "S-LOC");
  text.add("16", "B-LOC", "S-LOC");
  text.add("17", "E-LOC", "O");
  // Found: PER 10-11, LOC 14, ORG 15, LOC 16-17. True: PER 10-11, LOC 12, 14, 15, 16.
  EXPECT_THAT(text.metrics(), ElementsAre(4.0 / 9.0, 2.0 / 4.0, 2.0 / 5.0));
}

TEST(SpanEvaluator, SpansEndWhereNumbersAreNotNextToEachOther) {
  Text text;
  text.add("1", "I-PER", "I-PER");
  text.add("3", "I-PER", "I-PER");
  text.add("4", "I-PER", "I-PER");
  EXPECT_THAT(text.metrics(), ElementsAre(1.0, 1.0, 1.0));
  text.add("2", "O", "I-PER");  // now it is one span, and two are found
  EXPECT_THAT(text.metrics(), ElementsAre(0.0, 0.0, 0.0));
}

TEST(SpanEvaluator, LeavesOutTokensWhoseTagIsNotKnown) {
  Text text;
  text.add("1", "S-PER", "S-PER");
  text.add("2", "S-LOC", "");
  EXPECT_THAT(text.metrics(), ElementsAre(1.0, 1.0, 1.0));
}

TEST(SpanEvaluator, ATrueTagThatIsNoTargetIsTheTagOfItsToken) {
  Text text;
  text.add("1", "S-PER", "S-PER");
  text.add("3", "I-PER", "B-PER");  // no target, but the same span
  text.add("5", "O", "S-LOC");      // no target, and missed
  EXPECT_THAT(text.metrics(), ElementsAre(0.8, 1.0, 2.0 / 3.0));
}

TEST(SpanEvaluator, TakesObservedTagsIfTheyAreEvaluated) {
  Text text;
  text.add("1", "B-PER", "B-PER");
  text.observe("2", "E-PER", "E-PER");
  EXPECT_THAT(text.metrics(), ElementsAre(0.0, 0.0, 0.0));  // a tag of 2 was not found
  EXPECT_THAT(text.metrics({.include_observed = true}), ElementsAre(1.0, 1.0, 1.0));
}

TEST(SpanEvaluator, TakesTheLargestNumbers) {
  Text text;
  text.add("9223372036854775806", "B-PER", "B-PER");
  text.add("9223372036854775807", "E-PER", "E-PER");
  text.add("-9223372036854775808", "S-PER", "S-PER");
  EXPECT_THAT(text.metrics(), ElementsAre(1.0, 1.0, 1.0));
}

// One sentence with as many spans as tokens: to compare all with all would take a minute.
TEST(SpanEvaluator, TakesLongTexts) {
  Text text;
  for (int i = 0; i < 200'000; ++i) text.add(std::to_string(i), "S-PER", "S-PER");
  EXPECT_THAT(text.metrics(), ElementsAre(1.0, 1.0, 1.0));
}

TEST(SpanEvaluator, SaysThatTokensAreIntegers) {
  Text text(ArgumentType::kUniqueStringId);
  text.add("first", "S-PER", "S-PER");
  EXPECT_THROW(text.metrics(), std::invalid_argument);
}

}  // namespace
}  // namespace sorites
