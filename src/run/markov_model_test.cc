#include "run/markov_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace sorites {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class MarkovModelFile : public testing::Test {
 protected:
  MarkovModelFile() { fs::create_directories(folder_); }
  ~MarkovModelFile() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  // All that is wrong with the model, as text.
  std::string mistakes(const std::string& text) const {
    try {
      load_markov_model(write("wrong.json", text));
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }

  fs::path folder_ = fs::temp_directory_path() / ("sorites_markov_" + std::to_string(::getpid()));
};

constexpr const char* kModel = R"json({
  "semantics": "markov-logic",
  "types": {"person": ["ann", "bob", "cid"]},
  "predicates": {
    "Friend": {"types": ["person", "person"], "world": "closed", "observations": ["friends.tsv"]},
    "Smokes/1": {
      "types": ["person"],
      "observations": [["ann"], ["cid", 0]],
      "targets": {"infer": [["bob"]]},
      "truth": {"infer": [["bob", 1]]},
      "evaluations": ["DiscreteEvaluator"]
    },
    "Job/1": {
      "types": ["person"], "classes": ["Cook", "Smith"],
      "observations": [["ann", "Smith"]],
      "targets": [["bob", "Cook"], ["bob", "Smith"], ["cid", "Cook"]],
      "truth": [["bob", "Smith"]]
    }
  },
  "rules": ["1.5 Friend(x, y) ^ Smokes(x) => Smokes(y)", "0.5 Smokes(\"ann\") v Job(x) = Cook"],
  "learn": {"rules": ["Smokes(x) => Job(x) != Cook."]}
})json";

TEST_F(MarkovModelFile, HasFactsQueriesAndTheirTruth) {
  write("friends.tsv", "ann\tbob\nbob\tcid\n");
  const std::string path = write("model.json", kModel);
  EXPECT_TRUE(is_markov_model_file(path));
  EXPECT_TRUE(is_markov_model_file(folder_.string()));
  const LoadedMarkovModel loaded = load_markov_model(path);
  const MarkovModel& model = loaded.model;
  EXPECT_TRUE(loaded.warnings.empty());
  EXPECT_THAT(model.types[0].constants, ElementsAre("ann", "bob", "cid"));
  EXPECT_TRUE(model.predicates[0].closed);
  EXPECT_THAT(model.facts[0].constants, ElementsAre(0, 1, 1, 2));
  EXPECT_THAT(model.facts[1].values, ElementsAre(1, 0));
  EXPECT_THAT(model.queries[1].constants, ElementsAre(1));
  EXPECT_THAT(model.queries[1].values, ElementsAre(1));
  EXPECT_THAT(model.predicates[2].classes, ElementsAre("Cook", "Smith"));
  EXPECT_THAT(model.facts[2].values, ElementsAre(1));
  EXPECT_THAT(model.queries[2].constants, ElementsAre(1, 2));
  EXPECT_THAT(model.queries[2].values, ElementsAre(1, kUnknownValue));
  ASSERT_EQ(model.formulas.size(), 2U);
  EXPECT_EQ(to_text(model, model.formulas[1]), "0.5 Smokes(\"ann\") v Job(x) = Cook");
  EXPECT_EQ(loaded.file.predicates[1].evaluations.size(), 1U);
}

TEST_F(MarkovModelFile, HasThePartsOfEachPhase) {
  write("friends.tsv", "ann\tbob\n");
  const LoadedMarkovModel loaded = load_markov_model(write("model.json", kModel), Phase::kLearn);
  ASSERT_EQ(loaded.model.formulas.size(), 3U);
  EXPECT_TRUE(loaded.model.formulas[2].hard);
  EXPECT_EQ(loaded.model.queries[1].size(), 0U);
}

TEST_F(MarkovModelFile, IsToldFromOthers) {
  EXPECT_FALSE(is_markov_model_file(write("psl.json", R"json({"predicates": {"A/1": {}}})json")));
  EXPECT_FALSE(is_markov_model_file(folder_ / "nothing.json"));
  const std::string markov = write("other.json", R"json({"semantics": "markov-logic"})json");
  EXPECT_THROW(read_model(markov), InputError);
  EXPECT_THROW(load_markov_model(folder_ / "nothing.json"), IoError);
}

TEST_F(MarkovModelFile, PointsAtMistakesOfFormulas) {
  const std::string said = mistakes(R"json({"semantics": "markov-logic",
    "predicates": {"P": {"types": ["t"], "observations": [["A"]]}},
    "rules": ["1 P(x) v Q(x)", "1 P(x)\n1 P(y)", "P(x)"]})json");
  EXPECT_THAT(said, HasSubstr("wrong.json:3:25: error: there is no predicate `Q`"));
  EXPECT_THAT(said, HasSubstr("[several-rules]"));
  EXPECT_THAT(said, HasSubstr("[missing-rule-end]"));
}

TEST_F(MarkovModelFile, ReportsWhatOnlyMarkovLogicRefuses) {
  EXPECT_THAT(mistakes(R"json({"semantics": "markov-logic", "predicates": {"P": {}}})json"),
              HasSubstr("nothing says which types `P` has"));
  EXPECT_THAT(mistakes(R"json({"semantics": "markov-logic", "predicates":
                {"P": {"types": ["t"], "observations": [["A", 0.5]]}}})json"),
              HasSubstr("true (1) or false (0), not 0.5"));
  EXPECT_THAT(mistakes(R"json({"semantics": "markov-logic", "predicates":
                {"P": {"types": ["t"], "classes": ["C", "D"],
                       "observations": [["A", "C"], ["A", "D"]]}}})json"),
              HasSubstr("`P(A)` is `D` here, but `C` before"));
  EXPECT_THAT(mistakes(R"json({"semantics": "markov-logic", "predicates":
                {"P": {"types": ["t"], "classes": ["C", "D"], "observations": [["A", "E"]]}}})json"),
              HasSubstr("`E` is no class of P"));
  EXPECT_THAT(mistakes(R"json({"semantics": "markov-logic", "types": {"t": ["A"]}, "predicates":
                {"P": {"types": ["t"], "world": "clsed"}}})json"),
              HasSubstr("did you mean `closed`?"));
}

}  // namespace
}  // namespace sorites
