// Learning with networks in a session.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/test_folder.h"
#include "perception/networks.h"
#include "sorites/session.h"

namespace sorites {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

// Things left and right of 0, which are of class x and y.
class LearnNetworks : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!has_networks()) GTEST_SKIP() << "this build has no networks";
    std::string features, truth;
    for (int i = 0; i < 24; ++i) {
      const bool right = i % 2 == 1;
      const std::string name = "t" + std::to_string(i);
      features += name + "\t" + std::to_string((right ? 1.0 : -1.0) * (1.0 + 0.1 * i)) + "\n";
      truth += name + "\t" + (right ? "y" : "x") + "\n";
    }
    features_ = folder_.write("features.tsv", features);
    truth_ = folder_.write("truth.tsv", truth);
  }

  Session open(const std::string& rules, const std::string& epochs) {
    const std::string text = R"j({"predicates": {
      "Kind/2": {"type": "DeepPredicate", "truth": [")j" +
                             truth_ + R"j("], "evaluations": ["CategoricalEvaluator"],
        "options": {"network": "mlp", "hidden": 4, "learning-rate": 0.1, "classes": ["x", "y"], "features": ")j" +
                             features_ + R"j("}},
      "Good/1": {"targets": [)j" +
                             targets() + R"j(], "truth": [["t0", 1]]}},
      "rules": [)j" + rules + "]}";
    return Session::from_text(
        text, {.semantics = GetParam(), .flags = {{"learn.max_epochs", epochs, {}, {}}}});
  }

  static std::string targets() {
    std::string rows;
    for (int i = 0; i < 24; ++i) rows += (i > 0 ? ", [\"t" : "[\"t") + std::to_string(i) + "\"]";
    return rows;
  }

  static double metric_of(const LearnEpoch& epoch) { return epoch.training_metric.value_or(-1.0); }

 private:
  TestFolder folder_;
  std::string features_, truth_;
};

constexpr const char* kOneClass = R"j("1: Kind(A, 'x') -> Good(A)", "0.5: !Good(A)")j";

// Rules say nothing of class y.
TEST_P(LearnNetworks, MetricsLookAtAllClassesOfAnEntity) {
  Session session = open(kOneClass, "30");
  const LearnReport report = session.learn();
  ASSERT_THAT(report.history, Not(IsEmpty())) << report.error;
  ASSERT_TRUE(report.trained.has_value());
  const double in_the_end = report.trained->metrics.front().metrics.front().value;
  EXPECT_GT(in_the_end, 0.9);
  EXPECT_NEAR(metric_of(report.history[report.kept_epoch]), in_the_end, 1e-9);
}

TEST_P(LearnNetworks, ASecondCallGoesOnWithTheNetworksOfTheFirst) {
  Session session = open(kOneClass, "30");
  const LearnReport first = session.learn();
  session.set_flags({{"learn.max_epochs", "0", {}, {}}});
  const LearnReport second = session.learn();
  ASSERT_TRUE(first.trained && second.untrained && second.trained);
  const auto accuracy = [](const EvaluatedWeights& found) {
    return found.metrics.front().metrics.front().value;
  };
  EXPECT_GT(accuracy(*first.trained), 0.9);
  EXPECT_EQ(accuracy(*second.untrained), accuracy(*first.trained));
  EXPECT_EQ(accuracy(*second.trained), accuracy(*first.trained));
}

// The entities that came keep nothing, those that were there their vectors, wherever they stand
// now.
TEST_P(LearnNetworks, AnEmbeddingGoesOnWhenEntitiesCome) {
  const std::string embedding = R"j({"predicates": {
    "Kind/2": {"type": "DeepPredicate", "evaluations": ["CategoricalEvaluator"],
      "options": {"network": "embedding", "embedding-size": 8, "hidden": 16, "learning-rate": 0.1, "classes": ["x", "y"]}},
    "Good/1": {"targets": [)j" + targets() +
                                R"j(], "truth": [["t0", 1]]}},
    "rules": ["1: Kind(A, 'x') -> Good(A)", "0.5: !Good(A)"]})j";
  std::vector<std::string> names(17);
  std::vector<std::uint32_t> entities, classes;
  std::vector<double> values;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    names[i] = "t" + std::to_string(i);
    for (std::uint32_t k = 0; k < 2; ++k) {
      entities.push_back(i);
      classes.push_back(k);
      values.push_back(i % 2 == k ? 1.0 : 0.0);
    }
  }
  const std::vector<std::string_view> texts(names.begin(), names.end());
  const auto attach = [&](Session& session, std::size_t first, std::size_t count) {
    const RowColumn entity{{}, std::span(entities).subspan(2 * first, 2 * count), texts};
    const RowColumn its_class{{}, std::span(classes).subspan(2 * first, 2 * count), {"x", "y"}};
    const auto truth = std::span<const double>(values).subspan(2 * first, 2 * count);
    session.attach("Kind", Partition::kTarget, {}, {"", 2 * count, {entity, its_class}, {}});
    session.attach("Kind", Partition::kTruth, {}, {"", 2 * count, {entity, its_class}, truth});
  };
  const auto epochs = [](const char* count) {
    return std::vector<OptionSetting>{{"learn.max_epochs", count, {}, {}}};
  };
  Session session = Session::from_text(embedding, {.semantics = GetParam(), .flags = epochs("60")});
  attach(session, 0, 16);
  const LearnReport first = session.learn();
  const auto accuracy = [](const std::optional<EvaluatedWeights>& found) {
    return found ? found->metrics.front().metrics.front().value : -1.0;
  };
  ASSERT_EQ(accuracy(first.trained), 1.0) << first.error;
  attach(session, 16, 1);
  session.set_flags(epochs("0"));
  const LearnReport second = session.learn();
  EXPECT_EQ(second.networks.front().entities, 17U);
  EXPECT_GE(accuracy(second.untrained), 16.0 / 17.0 - 1e-9);
  session.set_flags(epochs("60"));
  EXPECT_EQ(accuracy(session.learn().trained), 1.0);
}

INSTANTIATE_TEST_SUITE_P(All,
                         LearnNetworks,
                         testing::Values("hinge", "markov-logic"),
                         [](const auto& one) { return one.index == 0 ? "Hinge" : "MarkovLogic"; });

}  // namespace
}  // namespace sorites
