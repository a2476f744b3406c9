#include "modelfile/learned_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/whole_file.h"
#include "modelfile/options.h"
#include "session/option_catalog.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<std::pair<std::string, std::string>> option_values(const Evaluation& evaluation) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const OptionSetting& option : evaluation.options) {
    values.emplace_back(option.name, option.value);
  }
  return values;
}

class LearnedModel : public testing::Test {
 protected:
  LearnedModel() {
    fs::create_directories(folder_ / "data");
    fs::create_directories(folder_ / "out" / "deep");
    write("data/likes.tsv", "ann\ttea\nbob\ttea\n");
  }
  ~LearnedModel() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  // The model as written with these weights into another folder, read again.
  ModelFile rewritten(const ModelFile& model,
                      const std::vector<double>& weights,
                      const std::vector<OptionSetting>& overrides = {}) const {
    const std::string path = (folder_ / "out" / "deep" / "learned.json").string();
    const ModelFile whole = with_overrides(model, overrides, option_catalog());
    write_whole_file(path, learned_model_text(whole, compile_sections(whole), weights, {}, path));
    return read_model(path);
  }

  fs::path folder_ = fs::temp_directory_path() / ("sorites_learned_" + std::to_string(::getpid()));
};

void expect_same_data(const Database& a, const Database& b) {
  ASSERT_EQ(a.predicates(), b.predicates());
  for (PredicateId p = 0; p < a.predicates().size(); ++p) {
    for (const auto partition : {Partition::kObserved, Partition::kTarget, Partition::kTruth}) {
      const Table& left = a.relation(p).table(partition);
      const Table& right = b.relation(p).table(partition);
      ASSERT_EQ(left.num_rows, right.num_rows);
      for (std::uint32_t row = 0; row < left.num_rows; ++row) {
        EXPECT_EQ(a.arguments(p, {partition, row}), b.arguments(p, {partition, row}));
        EXPECT_EQ(left.value(row), right.value(row));
      }
    }
  }
}

std::map<std::string, std::string> values_of(const Settings& settings) {
  std::map<std::string, std::string> values;
  for (const auto& [name, setting] : settings.all()) values.emplace(name, setting.value);
  return values;
}

// Equal but for the weights, which are those of `weights` in the learning phase, and that who runs
// it does not learn again.
void expect_same_but_weights(const ModelFile& before,
                             const ModelFile& after,
                             const std::vector<double>& weights,
                             std::vector<OptionSetting> overrides = {}) {
  overrides.push_back({"runtime.learn", "false", {}});
  ASSERT_EQ(phases_of(before, overrides), phases_of(after));
  for (const Phase phase : kPhases) {
    const LoadedModel old = load_model(before, phase, {}, overrides);
    const LoadedModel fresh = load_model(after, phase);
    expect_same_data(old.database, fresh.database);
    EXPECT_EQ(values_of(old.options), values_of(fresh.options));
    EXPECT_EQ(old.program.predicates, fresh.program.predicates);
    ASSERT_EQ(old.program.rules.size(), fresh.program.rules.size());
    for (std::size_t r = 0; r < old.program.rules.size(); ++r) {
      Rule expected = old.program.rules[r];
      if (phase == Phase::kLearn && expected.weight) expected.weight = weights[r];
      if (phase != Phase::kLearn) expected.weight = fresh.program.rules[r].weight;
      EXPECT_EQ(expected, fresh.program.rules[r]) << expected.text;
    }
    ASSERT_EQ(old.evaluations.size(), fresh.evaluations.size());
    for (std::size_t p = 0; p < old.evaluations.size(); ++p) {
      ASSERT_EQ(old.evaluations[p].size(), fresh.evaluations[p].size());
      for (std::size_t e = 0; e < old.evaluations[p].size(); ++e) {
        EXPECT_EQ(old.evaluations[p][e].evaluator, fresh.evaluations[p][e].evaluator);
        EXPECT_EQ(old.evaluations[p][e].primary, fresh.evaluations[p][e].primary);
        EXPECT_EQ(option_values(old.evaluations[p][e]), option_values(fresh.evaluations[p][e]));
      }
    }
  }
}

TEST_F(LearnedModel, IsTheModelButForItsWeights) {
  const ModelFile model = read_model(write("model.json", R"json({
  "predicates": {
    "Likes/2": {"observations": {"learn": [["cid", "\"tea\"\n\\x", 0.5]], "all": ["data/likes.tsv"]}},
    "Age/2": {"types": ["UniqueStringID", "Integer"], "observations": [["ann", "007"]]},
    "Knows/2": {
      "targets": {"learn": [["ann", "cid"]], "validation": [["cid", "ann"]], "infer": [["ann", "bob", 0.25]]},
      "truth": {"learn": [["ann", "cid", 1]]},
      "options": {"integer": false},
      "evaluations": ["AUCEvaluator", {"evaluator": "DiscreteEvaluator", "primary": true,
                                       "options": {"discreteevaluator.threshold": 0.25}}]
    },
    "Free/1": {"force-open": true}
  },
  "rules": ["1: Likes(A, X) & Likes(B, X) & (A != B) -> Knows(A, B) ^2", "Knows(A, +B) <= 1 .",
            "3: Knows(A, +B) / |B| >= 0.5 {B: Likes(B, 'tea') | Likes(B, '\"tea\"')}"],
  "options": {"inference.gap": 0.01},
  "learn": {"rules": ["2: !Knows(A, B)"], "options": {"learn.max_epochs": 3}},
  "infer": {"rules": ["4: !Knows(A, B) ^2"]}
})json"));
  const std::vector<double> weights = {0.1 + 0.2, 0.0, 1e-17, 123456789.0 / 7.0};
  const ModelFile learned = rewritten(model, weights);
  expect_same_but_weights(model, learned, weights);
  EXPECT_EQ(load_model(learned, Phase::kInfer).program.rules[0].weight, weights[0]);
  EXPECT_EQ(load_model(learned, Phase::kInfer).program.rules.back().weight, 4.0);
}

TEST_F(LearnedModel, NamesFilesFromItsOwnFolder) {
  const ModelFile model = read_model(write("model.json", R"json({
  "predicates": {"Likes/2": {"observations": ["data/likes.tsv"]}, "Knows/2": {"targets": [["a", "b"]]}},
  "rules": ["1: !Knows(A, B)"]})json"));
  const std::string path = (folder_ / "out" / "learned.json").string();
  const std::vector<double> weights = {2.0};
  EXPECT_THAT(learned_model_text(model, compile_sections(model), weights, {}, path),
              HasSubstr("\"observations\": [\"../data/likes.tsv\"]"));
}

// Whatever folder the command is run in: there is no file of the name with a view.
TEST_F(LearnedModel, NamesColumnFilesFromItsOwnFolder) {
  write("text.conll", "Ann\n");
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  write("model.json", R"json({
  "predicates": {"Word/2": {"observations": ["text.conll#0"]}, "Knows/2": {"targets": [["a", "b"]]},
                 "Tag/1": {"type": "DeepPredicate", "classes": ["a", "b"], "targets": ["text.conll#token"],
                           "options": {"network": "bilstm", "features": "text.conll"}}},
  "rules": ["1: !Knows(A, B)"]})json");
  const ModelFile model = read_model("model.json");
  const std::vector<double> weights = {2.0};
  const std::string text =
      learned_model_text(model, compile_sections(model), weights, {}, "out/learned.json");
  fs::current_path(before);
  EXPECT_THAT(text, HasSubstr("\"observations\": [\"../text.conll#0\"]"));
  EXPECT_THAT(text, HasSubstr("\"features\": \"../text.conll\""));
}

TEST_F(LearnedModel, KeepsOptionsOfTheCommandLine) {
  const ModelFile model = read_model(
      write("model.yaml", "predicates: {Old/1: {targets: [['007']]}}\nrules: ['1: !Old(A)']\n"));
  const std::vector<OptionSetting> overrides = {{"runtime.db.intids", "true", {}}};
  expect_same_but_weights(model, rewritten(model, {5.0}, overrides), {5.0}, overrides);
}

TEST_F(LearnedModel, TakesRuleFilesAndTheOlderPair) {
  write("rules.psl", "1: Likes(A, X) -> Knows(A, X)\n// hard\nKnows(A, +X) <= 1 .\n");
  const ModelFile with_file = read_model(write("model.json", R"json({
  "predicates": {"Likes/2": {"observations": ["data/likes.tsv"]}, "Knows/2": {"targets": [["ann", "tea"]]}},
  "rules": "rules.psl"})json"));
  expect_same_but_weights(with_file, rewritten(with_file, {0.5, 0.0}), {0.5, 0.0});
  write("targets.tsv", "ann\ttea\n");
  write("pair.data",
        "predicates:\n  Likes/2: closed\n  Knows/2: open\n"
        "observations:\n  Likes: data/likes.tsv\ntargets:\n  Knows: targets.tsv\n");
  const ModelFile pair =
      read_model((folder_ / "rules.psl").string(), (folder_ / "pair.data").string());
  expect_same_but_weights(pair, rewritten(pair, {0.5, 0.0}), {0.5, 0.0});
}

TEST_F(LearnedModel, ListsRulesAsText) {
  const ModelFile model = read_model(write("model.json", R"json({
  "predicates": {"Knows/2": {"targets": [["a", "b"]]}},
  "rules": ["1: !Knows(A, B)"], "learn": {"rules": ["Knows(A, +B) <= 1 .", "2: Knows(A, B) ^2"]}})json"));
  const std::vector<double> weights = {0.25, 0.0, 0.75};
  EXPECT_EQ(learned_rules_text(compile_sections(model), weights),
            "0.25: !Knows(A, B)\nKnows(A, +B) <= 1 .\n0.75: Knows(A, B) ^2\n");
}

TEST_F(LearnedModel, ThrowsTheMistakesOfAllSections) {
  const ModelFile model = read_model(write("model.json", R"json({
  "predicates": {"Knows/2": {"targets": [["a", "b"]]}},
  "rules": ["1: !Knows(A, B)"], "infer": {"rules": ["1: !Knws(A, B)"]}})json"));
  EXPECT_THROW(compile_sections(model), InputError);
}

TEST(WholeFile, SaysWhyItCannotBeWritten) {
  EXPECT_THROW(write_whole_file("/nowhere/at/all.json", "x"), IoError);
  EXPECT_THROW(check_can_write("/nowhere/at/all.json"), IoError);
  EXPECT_THROW(check_can_write("/tmp"), IoError);
}

}  // namespace
}  // namespace sorites
