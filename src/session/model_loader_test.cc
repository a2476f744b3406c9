#include "session/model_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace sorites {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// A folder that is gone when the test is over.
class ModelLoader : public testing::Test {
 protected:
  ModelLoader() { fs::create_directories(folder_); }
  ~ModelLoader() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  fs::path folder_ = fs::temp_directory_path() / ("sorites_model_" + std::to_string(::getpid()));
};

constexpr const char* kModel = R"json({
  "predicates": {
    "Likes/2": {"observations": {"all": ["likes.tsv"], "learn": [["cid", "tea", 0.5]]}},
    "Knows/2": {
      "targets": {"learn": [["ann", "cid"]], "infer": [["ann", "bob", 0.25]]},
      "evaluations": ["AUCEvaluator", "DiscreteEvaluator"]
    }
  },
  "rules": ["1: Likes(A, X) & Likes(B, X) -> Knows(A, B)"],
  "learn": {
  "rules" : ["2: !Knows(A, B)"]
}
})json";

// Processor time of reading a model and loading it: the least of three, to leave out chance.
double load_seconds(const std::string& path) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    load_model(read_model(path), Phase::kInfer, {.threads = 1});
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

// Whether eight times as much takes about eight times as long: 64 times, if it grew with the
// square.
bool grows_with_size(double small, double large) { return large < 25.0 * small + 0.02; }

std::string listed(std::size_t count, const std::string& first, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += (i == 0 ? "" : ", ") + first + std::to_string(i) + last;
  }
  return text;
}

TEST_F(ModelLoader, ReadsJsonOfOneLineInTimeThatGrowsWithIt) {
  const auto seconds = [&](std::size_t rows) {
    return load_seconds(
        write("rows.json",
              R"json({"rules": ["1: !P(A)"], "predicates": {"P/1": {"targets": [)json" +
                  listed(rows, "[\"", "\"]") + "]}}}"));
  };
  EXPECT_PRED2(grows_with_size, seconds(5'000), seconds(40'000));
}

TEST_F(ModelLoader, ReadsRulesOfJsonInTimeThatGrowsWithThem) {
  const auto seconds = [&](std::size_t rules) {
    return load_seconds(
        write("rules.json",
              R"json({"predicates": {"P/1": {"targets": [["a"]]}}, "rules": [)json" +
                  listed(rules, "\"1: !P('c", "')\"") + "]}"));
  };
  EXPECT_PRED2(grows_with_size, seconds(1'000), seconds(8'000));
}

TEST_F(ModelLoader, LoadsEachPhaseWithItsDataAndRules) {
  write("likes.tsv", "ann\ttea\nbob\ttea\n");
  const ModelFile file = read_model(write("model.json", kModel));
  EXPECT_THAT(phases_of(file), ElementsAre(Phase::kLearn, Phase::kInfer));

  const LoadedModel learn = load_model(file, Phase::kLearn);
  EXPECT_EQ(learn.program.rules.size(), 2U);
  EXPECT_EQ(learn.database.relation(0).table(Partition::kObserved).num_rows, 3U);
  EXPECT_EQ(learn.database.relation(1).table(Partition::kTarget).value(0), 1.0);

  const LoadedModel infer = load_model(file, Phase::kInfer);
  EXPECT_EQ(infer.program.rules.size(), 1U);
  EXPECT_EQ(infer.database.relation(0).table(Partition::kObserved).num_rows, 2U);
  EXPECT_EQ(infer.database.relation(1).table(Partition::kTarget).value(0), 0.25);
  EXPECT_FALSE(infer.program.predicates[0].open);
  EXPECT_TRUE(infer.program.predicates[1].open);
  ASSERT_EQ(infer.evaluations.at(1).size(), 2U);
  EXPECT_TRUE(infer.evaluations[1][0].primary);
  EXPECT_FALSE(infer.evaluations[1][1].primary);
  EXPECT_TRUE(infer.warnings.empty());
}

TEST_F(ModelLoader, ReadsPathsFromTheFolderOfTheModel) {
  write("likes.tsv", "ann\ttea\n");
  const ModelFile file = read_model(write("model.json", kModel));
  EXPECT_EQ(file.predicates[0].data[0].path, (folder_ / "likes.tsv").string());
}

TEST_F(ModelLoader, TakesTheFolderForItsOnlyModel) {
  write("likes.tsv", "ann\ttea\n");
  const std::string path = write("model.json", kModel);
  EXPECT_EQ(read_model(folder_.string()).path, path);
  write("other.yaml", "rules: []");
  EXPECT_THROW(read_model(folder_.string()), InputError);
}

TEST_F(ModelLoader, LetsOverridesChangeTheDefaultType) {
  const ModelFile file = read_model(write("model.yaml",
                                          "predicates: {Old/1: {targets: [['007']]}}\n"
                                          "rules: ['1: !Old(A)']\n"));
  const std::vector<OptionSetting> overrides = {{"runtime.db.intids", "true", {}}};
  const auto type = [&](const LoadedModel& model) { return model.program.predicates[0].types[0]; };
  EXPECT_EQ(type(load_model(file, Phase::kInfer)), ArgumentType::kUniqueStringId);
  EXPECT_EQ(type(load_model(file, Phase::kInfer, {}, overrides)), ArgumentType::kUniqueIntId);
}

TEST_F(ModelLoader, ThrowsAllMistakesOfRulesAndDataAtOnce) {
  write("likes.tsv", "ann\n");
  std::string text = kModel;
  text.replace(text.find("-> Knows"), 8, "-> Knaws");
  const ModelFile file = read_model(write("model.json", text));
  try {
    load_model(file, Phase::kInfer);
    FAIL() << "expected InputError";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 2U);
    EXPECT_THAT(error.what(), HasSubstr("[unknown-predicate]"));
    EXPECT_THAT(error.what(), HasSubstr("[column-count]"));
  }
}

TEST_F(ModelLoader, SaysHowToGiveTheDataOfARuleFile) {
  const std::string rules = write("model.psl", "1: !Old(A)");
  try {
    read_model(rules);
    FAIL() << "expected InputError";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics()[0].code, "unknown-model-format");
    EXPECT_THAT(error.what(), HasSubstr("--data " + (folder_ / "model.data").string()));
  }
  const std::string data = write("model.data", "predicates: {Old/1: open}\n");
  EXPECT_EQ(load_model(read_model(rules, data), Phase::kInfer).program.rules.size(), 1U);
  EXPECT_THROW(read_model(write("model.json", kModel), data), InputError);
}

TEST_F(ModelLoader, NamesTheFileThatIsMissing) {
  try {
    read_model((folder_ / "none.json").string());
    FAIL() << "expected InputError";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics()[0].code, "unreadable-file");
    EXPECT_EQ(error.diagnostics()[0].span.file, (folder_ / "none.json").string());
  }
}

// The models that the project is measured by: the folder `models` in SORITES_SHARED.
TEST(SharedModels, LoadCleanAndPrintAsTheyParse) {
  const char* shared = std::getenv("SORITES_SHARED");
  if (shared == nullptr || !fs::is_directory(fs::path(shared) / "models")) {
    GTEST_SKIP() << "SORITES_SHARED names no folder with models";
  }
  int num_models = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(shared) / "models")) {
    if (entry.path().extension() != ".json") continue;
    ++num_models;
    const ModelFile file = read_model(entry.path().string());
    for (const Phase phase : phases_of(file)) {
      const LoadedModel model = load_model(file, phase);
      EXPECT_TRUE(model.warnings.empty()) << render(model.warnings.at(0));
      Program again{model.program.predicates, {}};
      add_rules(again, to_text(model.program));
      EXPECT_EQ(again, model.program) << entry.path();
    }
  }
  EXPECT_GT(num_models, 0);
}

}  // namespace
}  // namespace sorites
