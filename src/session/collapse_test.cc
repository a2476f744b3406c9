#include "session/collapse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sorites {
namespace {

using testing::HasSubstr;

LearnOptions by_energy() {
  LearnOptions options;
  options.loss = {.energy = 1.0};
  return options;
}

std::vector<LearnEpoch> history(std::vector<std::pair<double, double>> losses_and_metrics) {
  std::vector<LearnEpoch> epochs;
  for (const auto& [loss, metric] : losses_and_metrics) {
    epochs.push_back({.epoch = epochs.size(), .loss = loss, .validation_metric = metric});
  }
  return epochs;
}

TEST(Collapse, IsALossThatFallsForNothing) {
  const auto found = collapse_of(by_energy(), history({{10, 0.5}, {5, 0.5}, {1, 0.4}}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->severity, Severity::kWarning);
  EXPECT_THAT(found->message, HasSubstr("fell from 10 to 1"));
}

TEST(Collapse, IsNothingWhereTheMetricGotBetterOrTheLossIsOfInferredValues) {
  EXPECT_FALSE(collapse_of(by_energy(), history({{10, 0.5}, {5, 0.6}, {1, 0.4}})));
  EXPECT_FALSE(collapse_of(by_energy(), history({{10, 0.5}, {1, 0.6}})));
  EXPECT_FALSE(collapse_of(by_energy(), history({{10, 0.5}, {9.5, 0.4}})));
  LearnOptions options = by_energy();
  options.loss.squared_error = 1.0;
  EXPECT_FALSE(collapse_of(options, history({{10, 0.5}, {1, 0.4}})));
}

}  // namespace
}  // namespace sorites
