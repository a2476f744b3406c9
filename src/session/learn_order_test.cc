// A session after learn(): as one that learned at once, and as one that opens what was learned.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "data/test_folder.h"
#include "sorites/session.h"

namespace sorites {
namespace {

constexpr const char* kModel = R"j({"predicates": {
  "P/1": {"observations": [["a"], ["b", 0.6], ["c", 0.2]]},
  "Q/1": {"targets": [["a"], ["b"], ["c"]], "truth": [["a", 0.9], ["b", 0.4], ["c", 0.2]],
          "evaluations": ["ContinuousEvaluator"]},
  "R/1": {"targets": [["a"], ["b"], ["c"]], "truth": [["a", 0.3], ["b", 0.8], ["c", 0.1]]}},
  "rules": ["1: P(X) -> Q(X) ^2", "0.7: Q(X) -> R(X) ^2", "2: !Q(X)", "0.5: !R(X) ^2"]})j";

// Whose loss is taken through minimisers, which are regularised for that.
SessionOptions options() {
  return {.flags = {{"learn.loss", "squared_error", {}, {}},
                    {"learn.max_epochs", "10", {}, {}},
                    {"inference.gap", "1e-8", {}, {}}}};
}

struct Found {
  double objective = 0.0;
  std::vector<double> values;
};

Found answer_of(Session& session) {
  const InferResult result = session.infer();
  EXPECT_TRUE(result.is_usable());
  return {result.objective * result.weight_scale, result.values};
}

void expect_equal(const Found& one, const Found& other) {
  EXPECT_NEAR(one.objective, other.objective, 1e-6);
  EXPECT_THAT(one.values, testing::Pointwise(testing::DoubleNear(1e-4), other.values));
}

Found reopened(const std::string& path) {
  Session session = Session::open(path, {.flags = {{"inference.gap", "1e-8", {}, {}}}});
  return answer_of(session);
}

TEST(LearnOrder, InferenceBeforeLearningChangesNothingAfterIt) {
  const TestFolder folder;
  Session at_once = Session::from_text(kModel, options());
  at_once.learn();
  const Found learned = answer_of(at_once);
  Session session = Session::from_text(kModel, options());
  const Found before = answer_of(session);
  session.learn({.output = folder.path("learned.json")});
  const Found after = answer_of(session);
  EXPECT_GT(std::abs(after.objective - before.objective), 1e-3);  // there was something to learn
  expect_equal(after, learned);
  expect_equal(after, reopened(folder.path("learned.json")));
  session.save_model(folder.path("saved.json"));
  expect_equal(after, reopened(folder.path("saved.json")));
}

// A program made by hand has no model file to read its options from anew.
TEST(LearnOrder, ASessionOfAProgramGoesOnWithTheInferenceOfLearningToo) {
  Session of_text = Session::from_text(kModel, options());
  Session of_program(of_text.program(), of_text.database(), options());
  answer_of(of_program);
  const LearnReport report = of_program.learn();
  Session at_once = Session::from_text(kModel, options());
  EXPECT_EQ(report.weights, at_once.learn().weights);
  expect_equal(answer_of(of_program), answer_of(at_once));
}

std::map<std::string, double> values_by_atom(Session& session) {
  const InferResult result = session.infer();
  std::map<std::string, double> values;
  for (const AtomRange& range : result.ranges) {
    for (std::uint32_t i = 0; i < range.count; ++i) {
      // To four digits: potentials are written in decimal.
      values[atom_text(session.database(), range.predicate, {Partition::kTarget, i})] =
          std::round(1e4 * result.values[range.first + i]) / 1e4;
    }
  }
  return values;
}

// What an encoder says of atoms is part of what was learned, as the weights are.
TEST(LearnOrder, ATextOfMarkovLogicGoesOnWithWhatItsEncoderSays) {
  const TestFolder folder;
  std::filesystem::create_directory(folder.path("model"));
  folder.write("model/predicates", "*friend(person, person)\nsmokes(person)\n");
  folder.write("model/rules", "1.5 friend(x, y) ^ smokes(x) => smokes(y)\n0.5 smokes(x)\n");
  folder.write("model/facts",
               "friend(A, B)\nfriend(B, A)\nfriend(B, C)\nfriend(C, B)\nfriend(C, E)\n"
               "smokes(A)\nsmokes(B)\n!smokes(C)\n!smokes(D)\n");
  folder.write("model/queries", "smokes(E)\n!smokes(F)\n");
  const auto after_learning = [&](bool infers_before) {
    Session session = Session::open(
        folder.path("model"),
        {.flags = {{"meanfield.dimension", "3", {}, {}}, {"learn.max_epochs", "3", {}, {}}}});
    if (infers_before) session.infer();
    const std::string name = infers_before ? "second" : "first";
    session.learn({.output = folder.path("learned-" + name)});
    session.save_model(folder.path("saved-" + name));
    return values_by_atom(session);
  };
  const auto at_once = after_learning(false);
  EXPECT_EQ(after_learning(true), at_once);
  for (const char* name : {"learned-first", "learned-second", "saved-first", "saved-second"}) {
    Session reopened = Session::open(folder.path(name));
    EXPECT_EQ(values_by_atom(reopened), at_once) << name;
  }
}

TEST(LearnOrder, ACallThatFailsChangesNothing) {
  Session session = Session::from_text(kModel, options());
  const Found before = answer_of(session);
  std::stop_source stop;
  session.set_stop(stop.get_token());
  stop.request_stop();
  EXPECT_THROW(session.learn(), Interrupted);
  session.set_stop({});
  EXPECT_THAT(session.settings(), testing::IsEmpty());
  expect_equal(answer_of(session), before);
  Session fresh = Session::from_text(kModel, options());
  EXPECT_EQ(session.learn().weights, fresh.learn().weights);
}

TEST(LearnOrder, ACallWhoseLearningFailsChangesNothing) {
  std::string model = kModel;  // whose data to learn from has no answer
  model.insert(1, R"j("learn": {"rules": ["Q(X) = 1 .", "Q(X) = 0.5 ."]}, )j");
  Session session = Session::from_text(model, options());
  const Found before = answer_of(session);
  const LearnReport report = session.learn({}, false);
  ASSERT_FALSE(report.stop.has_value());
  EXPECT_THAT(session.settings(), testing::IsEmpty());
  expect_equal(answer_of(session), before);
  Session fresh = Session::from_text(model, options());
  expect_equal(answer_of(fresh), before);
}

}  // namespace
}  // namespace sorites
