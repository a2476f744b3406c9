#include "session/markov_model.h"

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

constexpr const char* kUnaries = R"json({
  "semantics": "markov-logic",
  "predicates": {
    "Smokes": {"types": ["person"], "observations": [["ann"]], "targets": [["bob"]]},
    "Job": {"types": ["person"], "classes": ["Cook", "Smith"]},
    "Rich": {"types": ["person"], "world": "closed", "observations": [["ann"]]}
  },
  "unaries": UNARIES,
  "learn": {"unaries": ["Smokes(bob) -2"]}
})json";

std::string with_unaries(const std::string& unaries) {
  std::string text = kUnaries;
  return text.replace(text.find("UNARIES"), 7, unaries);
}

TEST_F(MarkovModelFile, HasUnaryPotentials) {
  const std::string path = write(
      "model.json",
      with_unaries(R"(["Smokes(ann) 1.25", "Job(bob) = Smith 0.5 # sure\nJob(cid) = Cook -1"])"));
  const MarkovModel model = load_markov_model(path).model;
  EXPECT_THAT(model.types[0].constants, ElementsAre("ann", "bob", "cid"));
  EXPECT_THAT(model.unaries[0], ElementsAre(1.25F, 0.0F, 0.0F));
  EXPECT_THAT(model.unaries[1], ElementsAre(0.0F, 0.0F, 0.0F, 0.5F, -1.0F, 0.0F));
  EXPECT_TRUE(model.unaries[2].empty());
  const MarkovModel learning = load_markov_model(path, Phase::kLearn).model;
  EXPECT_THAT(learning.unaries[0], ElementsAre(1.25F, -2.0F, 0.0F));
  write("potentials.txt", "// of a network\nSmokes(bob) 3\n");
  const std::string with_file = write("file.json", with_unaries("\"potentials.txt\""));
  EXPECT_THAT(load_markov_model(with_file).model.unaries[0], ElementsAre(0.0F, 3.0F));
}

TEST_F(MarkovModelFile, ReportsMistakesOfUnaryPotentials) {
  const auto said = [&](const std::string& unaries) { return mistakes(with_unaries(unaries)); };
  EXPECT_THAT(said(R"(["Smoke(ann) 1"])"),
              HasSubstr("wrong.json:8:16: error: there is no predicate"));
  EXPECT_THAT(said(R"(["Smoke(ann) 1"])"), HasSubstr("did you mean `Smokes`?"));
  EXPECT_THAT(said(R"(["Smokes(ann) much"])"), HasSubstr("`much` is no number"));
  EXPECT_THAT(said(R"x(["Smokes(ann)"])x"), HasSubstr("expected a number"));
  EXPECT_THAT(said(R"(["Smokes(ann) inf"])"), HasSubstr("finite"));
  EXPECT_THAT(said(R"(["Smokes(ann, bob) 1"])"), HasSubstr("has 1 argument, not 2"));
  EXPECT_THAT(said(R"(["Job(ann) = Baker 1"])"), HasSubstr("`Baker`"));
  EXPECT_THAT(said(R"(["Rich(ann) 1"])"), HasSubstr("`Rich` is closed"));
  EXPECT_THAT(said(R"([["ann", 1]])"), HasSubstr("a list of texts such as"));
  EXPECT_THAT(said("7"), HasSubstr("a list of texts such as"));
  EXPECT_THAT(said(R"("none.txt")"), HasSubstr("cannot read the file of unary potentials"));
  EXPECT_THAT(said(R"("Smokes(ann) 1")"), HasSubstr("lines stand in a list"));
  write("bytes.txt", "Smokes(\xff) 1\n");
  EXPECT_THAT(said(R"("bytes.txt")"), HasSubstr("not UTF-8"));
  const std::string twice = said("[\"Smokes(ann) 1\",\n    \"Smokes(ann) 1\"]");
  EXPECT_THAT(twice, HasSubstr("`Smokes(ann)` has a unary potential already"));
  EXPECT_THAT(twice, HasSubstr("wrong.json:9:6"));
  EXPECT_THAT(twice, HasSubstr("wrong.json:8:"));
}

TEST_F(MarkovModelFile, TargetsOfClosedPredicatesAreNoQueries) {
  const LoadedMarkovModel loaded = load_markov_model(write("closed.json", R"json({
    "semantics": "markov-logic", "predicates": {
      "P": {"types": ["t"], "world": "closed", "observations": [["A"]], "targets": [["B"], ["C"]]}}})json"));
  EXPECT_EQ(loaded.model.queries[0].size(), 0U);
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_THAT(loaded.warnings[0].message,
              HasSubstr("`P(B)` is asked for, but its predicate is closed"));
  EXPECT_THAT(loaded.warnings[0].span.file, HasSubstr("closed.json"));
}

}  // namespace
}  // namespace sorites
