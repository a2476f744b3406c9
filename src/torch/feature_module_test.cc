// Features by TorchScript files: alone, and in model files from the options to what a network sees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/script.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "data/test_folder.h"
#include "modelfile/model_file.h"
#include "perception/model_networks.h"
#include "perception/networks.h"

namespace sorites {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A TorchScript file whose forward(self, x) has this body. It has a table of 8 x 2 numbers, 10 r +
// column in row r, and dropout that would show if it ran as in training.
std::string write_module(const TestFolder& folder,
                         const std::string& name,
                         const std::string& body,
                         torch::ScalarType type = torch::kFloat) {
  torch::jit::Module module("Encoder");
  const torch::Tensor rows = torch::arange(8, type).unsqueeze(1) * 10 + torch::arange(2, type);
  module.register_parameter("table", rows.requires_grad_(), false);
  module.register_attribute("training", c10::BoolType::get(), true);
  module.define("def forward(self, x):\n  " + body + "\n");
  module.save(folder.path(name));
  return folder.path(name);
}

template <class Input>
std::string error_of(const std::string& path, const Input& input) {
  try {
    run_feature_module(path, input);
  } catch (const NetworkError& error) {
    return error.what();
  }
  return "no error";
}

TEST(FeatureModule, RunsInBatchesWithoutTraining) {
  const TestFolder folder;
  const std::string path = write_module(
      folder, "twice.pt", "return torch.dropout(x, 0.5, self.training).flatten(1) * 2");
  FeatureArray raw{{1, 3}, std::vector<float>(std::size_t{3} * 1000)};
  for (std::size_t i = 0; i < raw.values.size(); ++i) raw.values[i] = static_cast<float>(i);
  const FeatureArray made = run_feature_module(path, raw);
  EXPECT_THAT(made.shape, ElementsAre(3));
  ASSERT_EQ(made.values.size(), raw.values.size());
  for (std::size_t i = 0; i < raw.values.size(); ++i) EXPECT_EQ(made.values[i], 2 * raw.values[i]);
}

TEST(FeatureModule, TakesNumbersOfEntitiesAndModulesOfDoublePrecision) {
  const TestFolder folder;
  const std::string path =
      write_module(folder, "table.pt", "return torch.embedding(self.table, x)", torch::kDouble);
  const std::vector<std::int64_t> numbers = {7, 0, 7};
  const FeatureArray made = run_feature_module(path, numbers);
  EXPECT_THAT(made.shape, ElementsAre(2));
  EXPECT_THAT(made.values, ElementsAre(70, 71, 0, 1, 70, 71));
}

TEST(FeatureModule, ANumberPerEntityIsARowOfOneAndNoEntityHasAShape) {
  const TestFolder folder;
  const FeatureArray raw{{2}, {1, 2, 3, 4}}, none{{2}, {}};
  const FeatureArray sums =
      run_feature_module(write_module(folder, "s.pt", "return x.sum(1)"), raw);
  EXPECT_THAT(sums.shape, ElementsAre(1));
  EXPECT_THAT(sums.values, ElementsAre(3, 7));
  const std::string square = write_module(folder, "q.pt", "return torch.stack([x, x * x], 1)");
  const FeatureArray made = run_feature_module(square, none);
  EXPECT_THAT(made.shape, ElementsAre(2, 2));
  EXPECT_EQ(made.num_rows(), 0U);
}

TEST(FeatureModule, DrawsTheSameRandomNumbersInEveryRun) {
  const TestFolder folder;
  const std::string path =
      write_module(folder, "random.pt", "return torch.matmul(x, torch.randn([2, 4]))");
  const FeatureArray raw{{2}, {1, 2, 3, 4}};
  EXPECT_EQ(run_feature_module(path, raw).values, run_feature_module(path, raw).values);
}

TEST(FeatureModule, SaysWhatIsWrong) {
  const TestFolder folder;
  const FeatureArray raw{{2}, {1, 2, 3, 4, 5, 6}};
  const std::string mean = write_module(folder, "mean.pt", "return x.mean(0)");
  EXPECT_THAT(error_of(mean, raw),
              AllOf(HasSubstr("mean.pt"),
                    HasSubstr("for 3 entities it gives a tensor of the shape (2)"),
                    HasSubstr("(3, ...)")));
  EXPECT_THAT(error_of(write_module(folder, "all.pt", "return x.sum()"), raw),
              HasSubstr("a tensor of the shape ()"));
  EXPECT_THAT(error_of(write_module(folder, "none.pt", "return x[:, 0:0]"), raw),
              HasSubstr("no numbers"));
  EXPECT_THAT(error_of(write_module(folder, "pair.pt", "return (x, x)"), raw),
              HasSubstr("it gives Tuple"));
  EXPECT_THAT(error_of(write_module(folder, "wide.pt", "return torch.matmul(x, self.table)"), raw),
              AllOf(HasSubstr("wide.pt"), HasSubstr("raw features of the shape (2)")));
  const std::vector<std::int64_t> numbers = {8};
  const std::string table = write_module(folder, "t.pt", "return torch.embedding(self.table, x)");
  EXPECT_THAT(error_of(table, numbers), AllOf(HasSubstr("t.pt"), HasSubstr("numbers of entities")));
  EXPECT_THAT(error_of(folder.path("nowhere.pt"), raw), HasSubstr("nowhere.pt"));
  EXPECT_THAT(error_of(folder.write("text.pt", "no module"), raw), HasSubstr("torch.jit.script"));
}

// ---- In a model file ----

class FeaturesOfModel : public ::testing::Test {
 protected:
  FeaturesOfModel() {
    folder_.write("raw.tsv", "a\t1\t2\nb\t3\t4\nc\t5\t6\n");
    folder_.write("entities.tsv", "a\t3\nb\t0\nc\t3\n");
    write_module(folder_, "ten.pt", "return torch.cat([x * 10, x[:, 0:1]], 1)");
    write_module(folder_, "table.pt", "return torch.embedding(self.table, x)");
  }

  // Looks(I, C) with these members beside its type, linked by Link('a', 'b').
  ModelFile model(const std::string& members) const {
    return read_model(folder_.write(
        "model.json",
        R"({"predicates": {"Looks/2": {"type": "DeepPredicate", )" + members +
            R"json(}, "Link/2": {"observations": [["a", "b"]]}, "Is/2": {"targets": [["a", "x"]]}},
               "rules": ["1: Looks(I, C) = Is(I, C) ^2"]})json"));
  }

  ModelNetworks networks_of(const std::string& members) const {
    const ModelFile file = model(members);
    std::vector<Diagnostic> warnings;
    return make_model_networks(
        file, load_model(file, Phase::kInfer), Phase::kInfer, 4, false, warnings);
  }

  std::string mistakes_of(const std::string& members) const {
    try {
      networks_of(members);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no mistake";
  }

  TestFolder folder_;
};

TEST_F(FeaturesOfModel, AreMadeOfRawFeaturesOfTheEntitiesThatAreUsed) {
  const ModelNetworks networks = networks_of(R"("targets": [["c", "x"], ["a", "x"]],
                     "options": {"features": "ten.pt", "raw-features": "raw.tsv", "classes": "x:y"})");
  EXPECT_THAT(networks.options[0].input_shape, ElementsAre(3));
  EXPECT_THAT(networks.inputs[0].features.values, ElementsAre(50, 60, 5, 10, 20, 1));
  const std::vector<double> outputs = networks.networks->bind(networks.inputs, {})->predict(0);
  EXPECT_EQ(outputs.size(), 2U);
}

TEST_F(FeaturesOfModel, RawFeaturesNameTheEntitiesAsFeaturesDo) {
  const ModelNetworks networks = networks_of(
      R"("options": {"features": "ten.pt", "raw-features": "raw.tsv", "classes": "x:y"})");
  EXPECT_EQ(networks.inputs[0].num_outputs(), 6U);
}

TEST_F(FeaturesOfModel, AreMadeOfRowNumbers) {
  const ModelNetworks listed = networks_of(
      R"("options": {"features": "table.pt", "entities": "entities.tsv", "classes": "x:y"})");
  EXPECT_EQ(listed.inputs[0].num_outputs(), 6U);
  EXPECT_THAT(listed.inputs[0].features.values, ElementsAre(30, 31, 0, 1));  // a and c share a row
  EXPECT_THAT(listed.inputs[0].rows, ElementsAre(0, 1, 0));
  const ModelNetworks numbered = networks_of(
      R"("targets": [["6", "x"], ["2", "y"]], "options": {"features": "table.pt", "classes": "x:y"})");
  EXPECT_THAT(numbered.inputs[0].features.values, ElementsAre(60, 61, 20, 21));
}

TEST_F(FeaturesOfModel, AreMadeBeforeTheyAreAveragedOverAGraph) {
  const ModelNetworks networks = networks_of(
      R"("options": {"features": "ten.pt", "raw-features": "raw.tsv", "classes": "x:y",
                     "network": "sgc", "graph": "Link", "hops": 1})");
  EXPECT_THAT(networks.inputs[0].features.values,
              ::testing::Pointwise(::testing::FloatNear(1e-4F), {20, 30, 2, 20, 30, 2, 50, 60, 5}));
}

TEST_F(FeaturesOfModel, PartsOfPairsAreRowsOfTheirOwn) {
  folder_.write("pairs.json", R"json({"predicates": {
    "Same/2": {"type": "DeepPredicate", "targets": [["a", "b"], ["b", "c"]],
               "options": {"network": "siamese", "class-argument": "none", "features": "ten.pt",
                           "raw-features": "raw.tsv"}},
    "Is/2": {"targets": [["a", "b"]]}}, "rules": ["1: Same(A, B) = Is(A, B) ^2"]})json");
  const ModelFile file = read_model(folder_.path("pairs.json"));
  std::vector<Diagnostic> warnings;
  const ModelNetworks networks =
      make_model_networks(file, load_model(file, Phase::kInfer), Phase::kInfer, 4, false, warnings);
  EXPECT_THAT(networks.inputs[0].rows, ElementsAre(0, 1, 1, 2));
  EXPECT_EQ(networks.inputs[0].features.num_rows(), 3U);
}

TEST_F(FeaturesOfModel, MistakesNamePredicateFileAndEntity) {
  write_module(folder_, "inverse.pt", "return 1 / (x - 3)");
  EXPECT_THAT(
      mistakes_of(
          R"("options": {"features": "inverse.pt", "raw-features": "raw.tsv", "classes": "x:y"})"),
      AllOf(HasSubstr("`Looks`: of the entity ('b')"), HasSubstr("inverse.pt"), HasSubstr("inf")));
  EXPECT_THAT(
      mistakes_of(
          R"("options": {"features": "inverse.pt", "raw-features": "raw.tsv", "classes": "x:y",
                         "network": "sgc", "graph": "Link"})"),
      HasSubstr("`Looks`: of the entity ('b')"));
  write_module(folder_, "mean.pt", "return x.mean(0)");
  EXPECT_THAT(
      mistakes_of(
          R"("options": {"features": "mean.pt", "raw-features": "raw.tsv", "classes": "x:y"})"),
      AllOf(HasSubstr("model.json:1:"), HasSubstr("`Looks`"), HasSubstr("row per entity")));
  EXPECT_THAT(mistakes_of(R"("targets": [["a", "x"]],
                             "options": {"features": "table.pt", "classes": "x:y"})"),
              HasSubstr("the entity ('a') of `Looks` has no features"));
}

}  // namespace
}  // namespace sorites
