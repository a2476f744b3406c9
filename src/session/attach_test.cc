// Rows in memory, options between calls, and models that are saved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/test_folder.h"
#include "sorites/session.h"

namespace sorites {
namespace {

using testing::HasSubstr;

constexpr const char* kModel = R"json({
  "predicates": {"Likes/2": {}, "Happy/1": {"evaluations": ["ContinuousEvaluator"]}},
  "rules": ["2: Likes(A, B) -> Happy(A) ^2", "1: !Happy(A) ^2"]
})json";

// Texts of one column: which of "ann", "bob", "tea" each row has.
RowColumn column(const std::vector<std::uint32_t>& codes) {
  return {{}, codes, {"ann", "bob", "tea"}};
}

const std::vector<std::uint32_t> kPeople = {0, 1}, kTea = {2, 2};

Session happy_session(SessionOptions options = {}) {
  Session session = Session::from_text(kModel, std::move(options));
  session.attach("Likes", Partition::kObserved, {}, {"", 2, {column(kPeople), column(kTea)}, {}});
  session.attach("Happy", Partition::kTarget, {}, {"", 2, {column(kPeople)}, {}});
  session.attach("happy", Partition::kTruth, {}, {"", 2, {column(kPeople)}, {}});
  return session;
}

TEST(SessionAttach, RowsInMemoryAreDataOfTheModel) {
  Session session = happy_session();
  EXPECT_EQ(session.arity("likes"), 2U);
  EXPECT_EQ(session.arity("Nobody"), 0U);
  const InferResult result = session.infer();
  ASSERT_EQ(result.values.size(), 2U);
  EXPECT_NEAR(result.values[0], 2.0 / 3.0, 1e-4);
  ASSERT_EQ(result.metrics.size(), 1U);
  const std::vector<std::string> more = {"AUCEvaluator"};
  EXPECT_EQ(session.evaluate(result).metrics.size(), 1U);
  EXPECT_EQ(session.evaluate(result, more).metrics.size(), 2U);
}

TEST(SessionAttach, RowsThatComeLaterAreSeen) {
  Session session = happy_session();
  session.infer();
  const std::vector<std::int64_t> more = {7};
  session.attach("Happy", Partition::kTarget, Phase::kInfer, {"", 1, {{more, {}, {}}}, {}});
  const InferResult result = session.infer();
  ASSERT_EQ(result.values.size(), 3U);
  EXPECT_NEAR(result.values[2], 0.0, 1e-4);
}

TEST(SessionAttach, RefusesWhatDoesNotFit) {
  Session session = happy_session();
  EXPECT_THROW(session.attach("Nobody", Partition::kTarget, {}, {}), std::invalid_argument);
  EXPECT_THROW(session.attach("Likes", Partition::kTarget, {}, {"", 2, {column(kPeople)}, {}}),
               std::invalid_argument);
}

TEST(SessionAttach, UpdatesHoldForDataThatIsReadLater) {
  Session session = happy_session();
  session.infer();
  session.update({.observations = {{"Likes", {"ann", "tea"}, {}}}, .weights = {{1, 4.0}}});
  session.attach("Likes", Partition::kObserved, Phase::kValidation, {"", 0, {{}, {}}, {}});
  const InferResult result = session.infer();  // all data is read anew
  EXPECT_NEAR(result.values[0], 0.0, 1e-4);
  EXPECT_NEAR(result.values[1], 2.0 / 6.0, 1e-4);
  const LearnReport learned = session.learn();
  EXPECT_EQ(learned.terms[0], 1.0);
  EXPECT_EQ(learned.old_weights[1], 4.0);
}

TEST(SessionAttach, ASavedModelHasRowsAndWeights) {
  const TestFolder folder;
  Session session = happy_session();
  session.update({.weights = {{1, 3.25}}});
  session.save_model(folder.path("saved.json"));
  Session again = Session::open(folder.path("saved.json"));
  EXPECT_EQ(again.program().rules[1].weight, 3.25);
  EXPECT_EQ(again.infer().values.size(), 2U);
  const LearnReport learned = session.learn({.output = folder.path("learned.json")});
  Session third = Session::open(folder.path("learned.json"));
  EXPECT_EQ(third.program().rules[0].weight, learned.weights[0]);
  EXPECT_EQ(third.database().relation(1).table(Partition::kTruth).num_rows, 2U);
}

TEST(SessionFlags, HoldFromTheNextCallOnAndKeepTheData) {
  Session session = happy_session();
  const InferResult first = session.infer();
  session.set_flags({{"inference.solver", "coordinate-descent", {}, {}}});
  EXPECT_EQ(session.infer().method, "coordinate-descent");
  session.set_flags(
      {{"inference.initialvalue", "ONE", {}, {}}, {"inference.skip", "true", {}, {}}});
  EXPECT_EQ(session.infer().values, (std::vector<double>{1.0, 1.0}));
  session.set_flags({});
  EXPECT_NEAR(session.infer().objective, first.objective, 1e-5);
  EXPECT_THROW(session.set_flags({{"inference.gab", "1", {}, {}}}), InputError);
}

TEST(SessionFlags, OfAnotherSemanticsAreRefusedByEveryNameAndAtAnyTime) {
  const char* model =
      R"json({"predicates": {"P/1": {"targets": [["a"]]}}, "rules": ["1: P(X)"]})json";
  for (const bool is_first : {true, false}) {
    Session session = Session::from_text(model, {.semantics = "markov-logic"});
    if (!is_first) session.infer();
    for (const char* name : {"inference.gap",
                             "inference.regularization",
                             "inference.absolute_gap",
                             "duallcqp.regularizationparameter",
                             "persistedatommanager.throwaccessexception"}) {
      const bool is_switch = std::string_view(name).starts_with("persisted");
      EXPECT_THROW(session.set_flags({{name, is_switch ? "true" : "0.1", {}, {}}}), InputError)
          << name;
    }
    EXPECT_NEAR(session.infer().values[0], 0.731, 1e-3);
  }
}

TEST(SessionTexts, StandForFilesThatAModelNames) {
  SessionOptions options;
  options.texts["the rules"] = "1: P(X)\n1: P(X) & -> P(X)";
  const char* model =
      R"json({"predicates": {"P/1": {"targets": [["a"]]}}, "rules": "the rules"})json";
  Session session = Session::from_text(model, options);
  try {
    session.infer();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the rules:2:"));
  }
}

}  // namespace
}  // namespace sorites
