#include "session/model_evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/test_folder.h"
#include "modelfile/model_file.h"
#include "sorites/evaluate.h"

namespace sorites {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class EvaluateModel : public testing::Test {
 protected:
  // A model with targets Knows(a, b), Knows(b, a) and the given evaluations and truth.
  LoadedModel load(const std::string& evaluations,
                   const std::string& truth = R"([["a", "b", 1], ["b", "a", 0]])",
                   const std::string& options = "{}") const {
    const std::string path = folder_.write("model.json",
                                           "{\"predicates\": {\"Knows/2\": {\n"
                                           "\"targets\": [[\"a\", \"b\"], [\"b\", \"a\"]],\n"
                                           "\"truth\": " +
                                               truth + ",\n\"evaluations\": " + evaluations +
                                               "}},\n\"rules\": [\"1: !Knows(A, B)\"],\n" +
                                               "\"options\": " + options + "}\n");
    return load_model(read_model(path), Phase::kInfer);
  }

  std::vector<EvaluationResult> run(const LoadedModel& model) {
    return evaluate_model(model, ranges_, truth_, &warnings_);
  }

  TestFolder folder_;
  std::vector<AtomRange> ranges_ = {{0, 0, 2}};
  std::vector<double> truth_ = {0.4, 0.3};
  std::vector<Diagnostic> warnings_;
};

double value(const EvaluationResult& result, std::string_view name) {
  for (const Metric& metric : result.metrics) {
    if (metric.name == name) return metric.value;
  }
  ADD_FAILURE() << "no metric " << name;
  return -1.0;
}

TEST_F(EvaluateModel, RunsWhatTheModelFileLists) {
  const LoadedModel model = load(R"(["AUCEvaluator", "RankingEvaluator",
    {"evaluator": "ContinuousEvaluator", "primary": true}])");
  EXPECT_TRUE(model.warnings.empty());
  const auto results = run(model);
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0].evaluator, Evaluator::kAuc);
  EXPECT_EQ(value(results[0], "auroc"), 1.0);
  EXPECT_EQ(results[0].num_atoms, 2U);
  EXPECT_FALSE(results[0].primary);
  EXPECT_EQ(value(results[1], "mrr"), 1.0);
  EXPECT_TRUE(results[2].primary);
  EXPECT_NEAR(value(results[2], "mae"), 0.45, 1e-12);
  EXPECT_EQ(results[2].metrics[results[2].representative].name, "mse");
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(EvaluateModel, TakesOptionsOfTheModelAndOfTheEvaluation) {
  const auto results = run(load(R"(["DiscreteEvaluator", {"evaluator": "DiscreteEvaluator",
      "options": {"discreteevaluator.threshold": 0.35,
                  "discreteevaluator.representative": "NEGATIVE_RECALL"}}])",
                                R"([["a", "b", 1], ["b", "a", 0]])",
                                R"({"discreteevaluator.threshold": 0.2,
      "discreteevaluator.representative": "POSITIVE_PRECISION"})"));
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(value(results[0], "accuracy"), 0.5);
  EXPECT_EQ(results[0].metrics[results[0].representative].name, "precision");
  EXPECT_EQ(value(results[1], "accuracy"), 1.0);
  EXPECT_EQ(results[1].metrics[results[1].representative].name, "negative_recall");
}

TEST_F(EvaluateModel, FindsTheMetricOfEveryRepresentative) {
  const std::pair<const char*, std::vector<const char*>> choices[] = {
      {"ContinuousEvaluator", {"MAE", "MSE", "RMSE"}},
      {"DiscreteEvaluator",
       {"F1",
        "POSITIVE_PRECISION",
        "POSITIVE_RECALL",
        "NEGATIVE_PRECISION",
        "NEGATIVE_RECALL",
        "ACCURACY"}},
      {"CategoricalEvaluator", {"ACCURACY", "ACCURACY_EXPECTED"}},
      {"AUCEvaluator", {"AUROC", "POSITIVE_AUPRC", "NEGATIVE_AUPRC"}},
      {"RankingEvaluator", {"MRR", "HITS_AT_1", "HITS_AT_10", "NDCG"}}};
  for (const auto& [evaluator, names] : choices) {
    const bool own = std::string(evaluator) == "RankingEvaluator";
    std::string option = own ? "ranking_evaluator" : evaluator;
    for (char& c : option) c = static_cast<char>(std::tolower(c));
    for (const char* name : names) {
      const auto model = load(std::string("[\"") + evaluator + "\"]",
                              R"([["a", "b", 1]])",
                              "{\"" + option + ".representative\": \"" + name + "\"}");
      EXPECT_EQ(run(model).size(), 1U) << name;
    }
  }
}

TEST_F(EvaluateModel, CountsAtomsAsTheOptionsHaveIt) {
  const std::string truth = R"([["a", "b", 1]])";
  const std::string both = R"(["DiscreteEvaluator", "CategoricalEvaluator"])";
  auto results = run(load(both, truth));
  EXPECT_EQ(results[0].num_atoms, 1U);
  EXPECT_EQ(results[1].num_atoms, 2U);  // all targets compete
  results = run(load(both, truth, R"({"eval.closetruth": true})"));
  EXPECT_EQ(results[0].num_atoms, 2U);
}

TEST_F(EvaluateModel, RefusesArgumentsThatThePredicateDoesNotHave) {
  const LoadedModel model = load(R"([
    {"evaluator": "CategoricalEvaluator",
     "options": {"categoricalevaluator.categoryindexes": "0:2"}}])");
  EXPECT_THAT([&] { run(model); },
              ThrowsMessage<InputError>(
                  HasSubstr("model.json:5:5: error: `categoricalevaluator.categoryindexes` "
                            "names argument `2`")));
}

// Before inference, which may take hours.
TEST_F(EvaluateModel, RefusesSpansOfWhatHasNoTokens) {
  const LoadedModel model = load(R"(["SpanEvaluator"])");
  const auto refuses = ThrowsMessage<InputError>(HasSubstr(
      "model.json:4:17: error: SpanEvaluator: tokens are integers in the order of the text"));
  EXPECT_THAT([&] { run(model); }, refuses);
  EXPECT_THAT([&] { check_evaluations(model); }, refuses);
}

TEST_F(EvaluateModel, RefusesOptionsOutOfRangeWhenTheFileIsRead) {
  EXPECT_THAT(
      [&] {
        load(R"([
    {"evaluator": "RankingEvaluator", "options": {"ranking_evaluator.category_indexes": "x"}},
    {"evaluator": "AUCEvaluator", "options": {"aucevaluator.threshold": 1.5}}])");
      },
      ThrowsMessage<InputError>(
          AllOf(HasSubstr("model.json:5:89: error: `ranking_evaluator.category_indexes` takes "
                          "argument numbers"),
                HasSubstr("`aucevaluator.threshold` takes a number from 0 to 1, not `1.5`"))));
}

TEST_F(EvaluateModel, WarnsOfTruthThatIsMissingOrTooMuch) {
  run(load(R"(["DiscreteEvaluator"])", "[]"));
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_EQ(warnings_[0].code, "no-truth");
  warnings_.clear();
  run(load(R"(["DiscreteEvaluator"])", R"([["a", "b"], ["a", "z"], ["a", "y"]])"));
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_EQ(warnings_[0].code, "truth-without-target");
  EXPECT_THAT(warnings_[0].message, HasSubstr("2 of `Knows`, the first is Knows('a', 'z')"));
}

TEST_F(EvaluateModel, LeavesOutPredicatesWithoutValues) {
  const LoadedModel model = load(R"(["DiscreteEvaluator"])");
  EXPECT_TRUE(evaluate_model(model, {}, {}).empty());
  EXPECT_THROW(evaluate_model(model, ranges_, std::span(truth_).first(1)), std::invalid_argument);
}

}  // namespace
}  // namespace sorites
