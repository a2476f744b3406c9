#include "session/learning_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sorites {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<LearnEpoch> history(std::uint64_t epochs) {
  std::vector<LearnEpoch> result;
  for (std::uint64_t e = 0; e < epochs; ++e) {
    LearnEpoch& epoch = result.emplace_back();
    epoch.epoch = e;
    epoch.loss = 100.0 / (1.0 + static_cast<double>(e));
    epoch.training_metric = -0.5 / (1.0 + static_cast<double>(e));
  }
  return result;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++found;
  }
  return found;
}

TEST(LearningPlot, ShowsLossAndMetricWithLegends) {
  const auto epochs = history(11);
  const std::string svg = learning_plot_svg({"a < b & c", "mse", true, epochs, 10});
  EXPECT_THAT(svg, StartsWith("<svg xmlns"));
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; c"));
  EXPECT_THAT(svg, HasSubstr(">mse</text>"));
  EXPECT_THAT(svg, HasSubstr(">training</text>"));
  EXPECT_THAT(svg, Not(HasSubstr(">validation</text>")));
  EXPECT_THAT(svg, HasSubstr(">0.5</text>"));  // the metric as it is, not negated
  EXPECT_EQ(count(svg, "<polyline"), 2U);
  EXPECT_EQ(count(svg, "<text"), count(svg, "</text>"));
}

TEST(LearningPlot, ShowsWhatTheBilevelAlgorithmDoesToItsConstraints) {
  auto epochs = history(3);
  for (LearnEpoch& epoch : epochs) {
    epoch.bilevel = {.relaxation = 0.01, .squared_penalty = 100, .violation = 0.1, .active = 0.5};
  }
  epochs.back().bilevel->linear_penalty = 1.0;
  const std::string svg = learning_plot_svg({"t", "mse", true, epochs, 0});
  for (const char* name : {"iota", "mu", "lambda", "violation", "active share"}) {
    EXPECT_THAT(svg, HasSubstr(std::string(">") + name + "</text>"));
  }
  EXPECT_EQ(count(svg, "<polyline"), 7U);
  EXPECT_THAT(svg, Not(HasSubstr("inf")));  // a lambda of 0 has no logarithm
}

TEST(LearningPlot, PutsLargerValuesHigher) {
  const auto epochs = history(2);
  const std::string svg = learning_plot_svg({"t", "mse", true, epochs, 0});
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  const std::size_t at = svg.find("<polyline points=\"");
  ASSERT_EQ(
      std::sscanf(svg.c_str() + at, "<polyline points=\"%lf,%lf %lf,%lf\"", &x0, &y0, &x1, &y1), 4);
  EXPECT_LT(x0, x1);
  EXPECT_LT(y0, y1);  // the loss falls, and y grows downwards
}

TEST(LearningPlot, LeavesOutWhatIsNotFinite) {
  auto epochs = history(3);
  epochs[1].loss = std::nan("");
  epochs[2].training_metric = std::numeric_limits<double>::infinity();
  const std::string svg = learning_plot_svg({"t", "mse", false, epochs, 0});
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(LearningPlot, SaysThatThereIsNoMetric) {
  auto epochs = history(1);
  epochs[0].training_metric = std::nullopt;
  EXPECT_THAT(learning_plot_svg({"t", "", false, epochs, 0}), HasSubstr("no metric"));
  EXPECT_THAT(learning_plot_svg({"t", "", false, {}, 0}), HasSubstr("no loss"));
}

}  // namespace
}  // namespace sorites
