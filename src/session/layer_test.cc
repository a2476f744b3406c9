#include "sorites/layer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "sorites/session.h"

namespace sorites {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

constexpr const char* kHinge = R"json({
  "predicates": {"Seen/1": {"type": "DeepPredicate", "targets": [["a"], ["b"]]},
                 "Is/1": {"targets": [["a"], ["b"], ["c"]]}, "Next/2": {"observations": [["a", "b"], ["b", "c"]]}},
  "rules": ["1.5: Seen(X) -> Is(X) ^2", "0.7: Next(X, Y) & Is(X) -> Is(Y) ^2", "0.4: !Is(X) ^2", HARD]
})json";

std::string hinge_model(const std::string& hard) {
  std::string text = kHinge;
  return text.replace(text.find("HARD"), 4, hard);
}

constexpr const char* kMarkov = R"json({
  "semantics": "markov-logic", "domains": {"who": ["a", "b", "c"]},
  "predicates": {"Friend/2": {"types": ["who", "who"], "observations": [["a", "b"], ["b", "c"]]},
                 "Smokes/1": {"types": ["who"], "world": "open"}},
  "rules": ["1.5: Friend(X, Y) & Smokes(X) -> Smokes(Y)", "0.5: !Smokes(X)"],
  "options": {"meanfield.updates": "plain", "meanfield.iterations": "4"}
})json";

// One batch and all that comes of it.
struct Outcome {
  std::vector<double> states, values, in_outputs, in_weights;
  std::vector<int> failed;
};

Outcome run(Session& session, const LayerShape& shape, LayerBatch batch) {
  const std::vector<std::uint64_t> ids = {0, 1, 2};
  if (batch.ids.empty()) {
    batch.ids = std::span(ids).first(batch.outputs.size() / shape.num_outputs);
  }
  const std::size_t samples = batch.ids.size();
  Outcome result{std::vector<double>(samples * shape.num_states),
                 std::vector<double>(samples),
                 std::vector<double>(samples * shape.num_outputs),
                 std::vector<double>(shape.weights.size()),
                 std::vector<int>(samples)};
  session.run_layer(
      batch, {result.states, result.values, result.failed, result.in_outputs, result.in_weights});
  return result;
}

// Slopes of a function by central differences.
std::vector<double> differences(std::vector<double> at,
                                const std::function<double(const std::vector<double>&)>& function) {
  constexpr double kStep = 1e-4;
  std::vector<double> slopes;
  for (double& number : at) {
    const double before = number;
    number = before + kStep;
    const double above = function(at);
    number = before - kStep;
    slopes.push_back((above - function(at)) / (2.0 * kStep));
    number = before;
  }
  return slopes;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void expect_near(const std::vector<double>& found,
                 const std::vector<double>& expected,
                 double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

SessionOptions exact() {
  SessionOptions options;
  options.settings = {{"inference.gap", "1e-12", {}, {}},
                      {"inference.regularization", "0.001", {}, {}}};
  return options;
}

TEST(Layer, GradientsOfStatesEqualDifferences) {
  for (const char* text : {"hinge", "markov"}) {
    const bool hinge = std::string(text) == "hinge";
    Session session = Session::from_text(hinge ? hinge_model(R"("Is('a') >= 0.05 .")") : kMarkov,
                                         hinge ? exact() : SessionOptions{});
    const LayerShape layer = session.layer(1e-9);
    const std::vector<double> outputs =
        hinge ? std::vector{0.9, 0.3, 0.6, 0.8} : std::vector{0.5, -0.2, 0.1, 1.0, 0.3, -0.4};
    const std::vector<double> weights = layer.weights;
    const std::vector<double> slopes = {1.0, -0.5, 2.0, 0.3, 0.7, -1.0};
    const Outcome found =
        run(session, layer, {.outputs = outputs, .weights = weights, .in_states = slopes});
    const auto of_outputs = [&](const std::vector<double>& at) {
      return dot(run(session, layer, {.outputs = at, .weights = weights}).states, slopes);
    };
    expect_near(found.in_outputs, differences(outputs, of_outputs), 1e-5);
    const auto of_weights = [&](const std::vector<double>& at) {
      return dot(run(session, layer, {.outputs = outputs, .weights = at}).states, slopes);
    };
    std::vector<double> expected = differences(weights, of_weights);
    for (std::size_t w = 0; w < expected.size(); ++w) {
      if (!layer.soft[w]) expected[w] = found.in_weights[w];
    }
    expect_near(found.in_weights, expected, 1e-5);
  }
}

TEST(Layer, LossesOfLabelsAndTheirGradientsAreThoseOfTheEnergy) {
  Session session = Session::from_text(hinge_model(R"("Is('a') <= 1 .")"), exact());
  const LayerShape layer = session.layer(1e-9);
  const std::vector<double> outputs = {0.9, 0.3}, weights = layer.weights;
  const std::vector<double> labels = {1.0, kNone, 0.0};
  for (const LayerLoss loss : {LayerLoss::kEnergy, LayerLoss::kPerceptron}) {
    const auto value = [&](const std::vector<double>& at, const std::vector<double>& of_rules) {
      return run(
          session, layer, {.loss = loss, .outputs = at, .weights = of_rules, .labels = labels});
    };
    const Outcome found = value(outputs, weights);
    EXPECT_GE(found.values[0], 0.0);
    expect_near(found.in_outputs,
                differences(outputs, [&](const auto& at) { return value(at, weights).values[0]; }),
                1e-5);
    const auto in_weights =
        differences(weights, [&](const auto& at) { return value(outputs, at).values[0]; });
    for (std::size_t w = 0; w < 3; ++w) EXPECT_NEAR(found.in_weights[w], in_weights[w], 1e-5);
  }
}

TEST(Layer, OneSampleWithoutAnAnswerSparesTheOthers) {
  Session session = Session::from_text(
      hinge_model(R"("Is('a') + Seen('a') <= 1 .", "Is('a') >= 0.5 .")"), exact());
  const LayerShape layer = session.layer(1e-6);
  const std::vector<double> outputs = {0.4, 0.3, 0.9, 0.3, 0.5, 0.1}, weights = layer.weights;
  const std::vector<double> slopes(9, 1.0);
  const Outcome found =
      run(session, layer, {.outputs = outputs, .weights = weights, .in_states = slopes});
  EXPECT_EQ(found.failed, (std::vector<int>{0, 1, 0}));
  EXPECT_TRUE(std::isnan(found.states[3]));
  EXPECT_EQ(found.in_outputs[2], 0.0);
  EXPECT_NEAR(found.states[6], 0.5, 1e-5);
}

TEST(Layer, RefusesNumbersThatDoNotFit) {
  Session session = Session::from_text(hinge_model(R"("Is('a') <= 1 .")"), exact());
  const LayerShape layer = session.layer(0.05);
  const std::vector<double> outputs = {0.4, 0.3}, weights = layer.weights, few = {1.0};
  EXPECT_THROW(run(session, layer, {.outputs = outputs, .weights = few}), std::invalid_argument);
  EXPECT_THROW(run(session, layer, {.outputs = outputs, .weights = weights, .labels = few}),
               std::invalid_argument);
  EXPECT_THROW(
      run(session, layer, {.loss = LayerLoss::kEnergy, .outputs = outputs, .weights = weights}),
      std::invalid_argument);
  const std::vector<std::uint64_t> twice = {5, 5};
  const std::vector<double> two = {0.4, 0.3, 0.4, 0.3};
  EXPECT_THROW(run(session, layer, {.ids = twice, .outputs = two, .weights = weights}),
               std::invalid_argument);
}

TEST(Layer, IsAskedForAgainAfterChanges) {
  const std::vector<double> outputs = {0.4, 0.3};
  const auto changes = std::vector<std::function<void(Session&)>>{
      [](Session& session) {
        session.update({.observations = {{"Next", {"a", "c"}, 1.0}}});
      },
      [](Session& session) {
        session.update({.targets = {{"Is", {"d"}, 0.0}}});
      },
      [](Session& session) {
        session.set_flags({{"inference.gap", "0.1", {}, {}}});
      },
      [](Session& session) {
        static constexpr std::uint32_t kFirst[] = {0};
        const RowTable row{"rows", 1, {{{}, kFirst, {"c"}}, {{}, kFirst, {"a"}}}, {}};
        session.attach("Next", Partition::kObserved, {}, row);
      }};
  for (const auto& change : changes) {
    Session session = Session::from_text(hinge_model(R"("Is('a') <= 1 .")"), exact());
    EXPECT_THROW(session.run_layer({}, {}), std::logic_error);
    const LayerShape before = session.layer();
    run(session, before, {.outputs = outputs, .weights = before.weights});
    change(session);
    EXPECT_THROW(session.run_layer({}, {}), std::logic_error);
    const LayerShape after = session.layer();
    const Outcome found = run(session, after, {.outputs = outputs, .weights = after.weights});
    EXPECT_EQ(found.failed, std::vector<int>{0});
  }
}

TEST(Layer, FindsTheStatesOfInference) {
  Session session = Session::from_text(kMarkov);
  const LayerShape layer = session.layer();
  const std::vector<double> unaries(layer.num_outputs, 0.0);
  const std::vector<double> values = session.infer().values;
  const Outcome found = run(session, layer, {.outputs = unaries, .weights = layer.weights});
  std::vector<double> marginals;
  for (const double odds : found.states) marginals.push_back(1.0 / (1.0 + std::exp(-odds)));
  expect_near(marginals, values, 1e-5);
}

}  // namespace
}  // namespace sorites
