#include "perception/model_networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/whole_file.h"
#include "data/test_folder.h"
#include "perception/fake_networks.h"
#include "semantics/semantics.h"
#include "session/learning_run.h"
#include "sorites/ground.h"

namespace sorites {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pointwise;

constexpr const char* kRules = R"json("rules": ["1: Looks(I, C) = Is(I, C) ^2"])json";

class ModelNetworksTest : public testing::Test {
 protected:
  ModelNetworksTest() { folder_.write("features.tsv", "a\t1\t2\nb\t3\t4\nc\t5\t6\n"); }

  // The model with these members of Looks, and targets of Is for a and b.
  ModelFile model(const std::string& members) const {
    return read_model(folder_.write(
        "model.json",
        R"({"predicates": {"Looks/2": {"type": "DeepPredicate", )" + members +
            R"(}, "Is/2": {"targets": [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]],
                           "truth": [["a", "x", 1], ["a", "y", 0], ["b", "x", 0], ["b", "y", 1]],
                           "evaluations": ["CategoricalEvaluator"]}}, )" +
            kRules + "}"));
  }

  static ModelNetworks networks_of(const ModelFile& file, const LoadedModel& loaded) {
    std::vector<Diagnostic> warnings;
    ModelNetworks networks = describe_networks(file, loaded, Phase::kInfer, false, warnings);
    make_described(file, 4, networks, [](auto options, std::uint64_t) {
      return std::make_unique<FakeNetworks>(std::move(options));
    });
    return networks;
  }

  std::string mistakes_of(const std::string& members) const {
    try {
      const ModelFile file = model(members);
      networks_of(file, load_model(file, Phase::kInfer));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  TestFolder folder_;
};

TEST_F(ModelNetworksTest, WithoutTargetsEveryEntityOfTheFeaturesHasItsAtoms) {
  const ModelFile file = model(R"("options": {"features": "features.tsv", "classes": ["x", "y"]})");
  const LoadedModel loaded = load_model(file, Phase::kInfer);
  EXPECT_EQ(loaded.database.relation(0).table(Partition::kTarget).num_rows, 6U);
  const ModelNetworks networks = networks_of(file, loaded);
  EXPECT_THAT(networks.options[0].input_shape, ElementsAre(2));
  EXPECT_THAT(networks.inputs[0].entity_of, ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(networks.inputs[0].class_of, ElementsAre(0, 1, 0, 1, 0, 1));
  EXPECT_THAT(networks.inputs[0].features.values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(networks.inputs[0].labels, IsEmpty());
}

TEST_F(ModelNetworksTest, TargetsMayComeInAnyOrderAndTruthIsLabels) {
  const ModelFile file = model(
      R"("targets": [["c", "y"], ["a", "x"], ["c", "x"]], "truth": [["c", "y"], ["b", "x"]],
         "options": {"entity-data-map-path": "features.tsv", "classes": "x:y"})");
  const ModelNetworks networks = networks_of(file, load_model(file, Phase::kInfer));
  const NetworkInputs& inputs = networks.inputs[0];
  EXPECT_THAT(inputs.entity_of, ElementsAre(0, 1, 0));
  EXPECT_THAT(inputs.class_of, ElementsAre(1, 0, 0));
  EXPECT_THAT(inputs.features.values, ElementsAre(5, 6, 1, 2));  // only rows that are used
  ASSERT_EQ(inputs.labels.size(), 4U);
  EXPECT_EQ(inputs.labels[0], 0.0F);  // a softmax leaves nothing for the other class
  EXPECT_EQ(inputs.labels[1], 1.0F);
  EXPECT_TRUE(std::isnan(inputs.labels[2]));
  EXPECT_EQ(summarise(networks, networks.inputs)[0].labelled, 1U);
}

TEST_F(ModelNetworksTest, EntitiesFileNamesRowsOfAnArray) {
  folder_.write("entities.tsv", "c\t0\na\t2\n");
  folder_.write("array.idx", std::string("\0\0\x08\x02\0\0\0\x03\0\0\0\x01\x07\x08\x09", 15));
  const ModelFile file = model(
      R"("options": {"features": "array.idx", "entities": "entities.tsv", "classes": ["x", "y"]})");
  const ModelNetworks networks = networks_of(file, load_model(file, Phase::kInfer));
  EXPECT_THAT(networks.inputs[0].features.values, ElementsAre(7, 9));
}

TEST_F(ModelNetworksTest, EmbeddingsKnowTheirVocabulary) {
  const ModelFile file = model(
      R"("targets": [["b", "x"], ["a", "x"]], "options": {"network": "embedding", "classes": "x:y"})");
  const LoadedModel loaded = load_model(file, Phase::kInfer);
  ModelNetworks networks = networks_of(file, loaded);
  EXPECT_THAT(networks.options[0].vocabulary, ElementsAre("b", "a"));
  networks.options[0].vocabulary = {"a", "z", "b"};
  EXPECT_THAT(read_inputs(file, loaded, Phase::kInfer, networks)[0].rows, ElementsAre(2, 0));
  networks.options[0].vocabulary = {"z"};
  EXPECT_THROW(read_inputs(file, loaded, Phase::kInfer, networks), InputError);
}

TEST_F(ModelNetworksTest, FeaturesAreAveragedOverTheGraph) {
  const std::string begin = R"json({"predicates": {"Looks/2": {"type": "DeepPredicate", "options": {
      "network": "sgc", "features": "features.tsv", "classes": ["x", "y"], "graph": "Link", "hops": 1}},
      "Link/2": {"observations": [["a", ")json";
  const std::string end = R"json("]]}}, "rules": ["1: !Looks(I, C)"]})json";
  const ModelFile file = read_model(folder_.write("model.json", begin + "b" + end));
  const ModelNetworks networks = networks_of(file, load_model(file, Phase::kInfer));
  EXPECT_THAT(networks.inputs[0].features.values, Pointwise(FloatNear(1e-5F), {2, 3, 2, 3, 5, 6}));

  const ModelFile wrong = read_model(folder_.write("model.json", begin + "q" + end));
  try {
    networks_of(wrong, load_model(wrong, Phase::kInfer));
    FAIL() << "q has no features";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("Link('a', 'q') ends at 'q', which has no features"));
  }
}

TEST_F(ModelNetworksTest, NamesWhatIsWrong) {
  EXPECT_THAT(mistakes_of(R"("targets": [["d", "x"], ["e", "x"]],
                             "options": {"features": "features.tsv", "classes": ["x", "y"]})"),
              HasSubstr("2 entities of `Looks` have no features, the first is ('d')"));
  EXPECT_THAT(mistakes_of(R"("targets": [["a", "z"]],
                             "options": {"features": "features.tsv", "classes": ["x", "y"]})"),
              HasSubstr("none of its 2 classes ('x', 'y'): Looks('a', 'z')"));
  EXPECT_THAT(mistakes_of(R"("observations": [["a", "x", 0.5]],
                             "options": {"features": "features.tsv", "classes": ["x", "y"]})"),
              HasSubstr("has 1 observation"));
  EXPECT_THAT(mistakes_of(R"("targets": [["a", "x"]])"), HasSubstr("what its network sees"));
  folder_.write("twice.tsv", "a\t1\nb\t2\na\t3\n");
  EXPECT_THAT(mistakes_of(R"("options": {"features": "twice.tsv", "classes": ["x", "y"]})"),
              HasSubstr("the entity ('a') stands twice"));
}

// Looks is free, Is has truth: the outputs learn to be like it.
TEST_F(ModelNetworksTest, AFileThatIsNotUsedNeedNotBeThere) {
  const ModelFile file = model(R"("options": {"features": "features.tsv", "classes": "x:y",
      "entity-data-map-path": "elsewhere.tsv"})");
  const LoadedModel loaded = load_model(file, Phase::kInfer);
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_THAT(loaded.warnings[0].message, HasSubstr("`entity-data-map-path` has no effect"));
}

TEST_F(ModelNetworksTest, NetworksReadColumnFilesAndNotTheirRows) {
  folder_.write("text.conll", "a\nb\n");
  const std::string message = mistakes_of(
      R"("options": {"network": "bilstm", "features": "text.conll#0", "classes": "x:y"})");
  EXPECT_THAT(message, HasSubstr("`Looks`: a network reads a column file, not its rows `#0`"));
  EXPECT_THAT(message, Not(HasSubstr("does not exist")));
}

TEST_F(ModelNetworksTest, LearningMovesOutputsAndWritesThem) {
  const ModelFile file =
      model(R"("options": {"features": "features.tsv", "classes": ["x", "y"], "hidden": 3})");
  for (const char* batch : {"0", "1"}) {
    auto phase = std::make_unique<LoadedPhase>(
        LoadedPhase{Phase::kLearn, load_model(file, Phase::kLearn), nullptr});
    LoadedModel& loaded = phase->loaded;
    phase->reasoner = make_reasoner(
        kHingeSemantics, {loaded.program, loaded.database, loaded.options, {}, {}}, {});
    LearningSet set = learning_set(std::move(phase));
    ModelNetworks networks = networks_of(file, set.loaded());
    const auto* fake = dynamic_cast<const FakeNetworks*>(networks.networks.get());
    const std::vector<OptionSetting> options = {{"learn.batch_components", batch, {}},
                                                {"learn.weights", "false", {}},
                                                {"learn.max_epochs", "40", {}}};
    const SectionRules rules = compile_sections(file);
    LearningTask task{file, set};
    task.settings = learn_settings(file, options);
    task.learnable.assign(set.reasoner().rules().size(), false);
    task.write_model = [&](auto weights, auto written) {
      write_whole_file(task.files.output,
                       learned_model_text(file, rules, weights, written, task.files.output));
    };
    task.files.output = folder_.path("learned.json");
    task.files.save_state = folder_.path("learn.state");
    task.networks = &networks;
    const LearningOutcome outcome = run_learning(task);
    EXPECT_TRUE(outcome.stop) << outcome.error;
    EXPECT_GT(outcome.num_trained, 0U);
    ASSERT_EQ(fake->values().size(), 6U);
    EXPECT_GT(fake->values()[0], 0.6);
    EXPECT_LT(fake->values()[1], 0.4);
    EXPECT_LT(fake->values()[2], 0.4);
    EXPECT_GT(fake->values()[3], 0.6);
    EXPECT_EQ(fake->values()[4], 0.5);  // nothing is known of c
    const ModelFile learned = read_model(folder_.path("learned.json"));
    EXPECT_EQ(learned.predicates[0].options.at("load"), "learned.Looks.pt");
    EXPECT_EQ(learned.predicates[0].options.at("hidden"), "3");
  }
}

TEST_F(ModelNetworksTest, PriorsAreWrittenBackAsTheyWere) {
  const ModelFile file = read_model(folder_.write("prior.json", R"json({
    "predicates": {"Is/2": {"type": "DeepPredicate", "options": {
      "features": "features.tsv", "classes": ["x", "y"], "paradigm": "parameter", "prior-weight": 2}}},
    "rules": ["1: !Is(I, C)"]})json"));
  ASSERT_EQ(file.predicates.size(), 2U);
  EXPECT_FALSE(file.predicates[0].neural);
  EXPECT_TRUE(file.predicates[1].neural);
  const LoadedModel loaded = load_model(file, Phase::kInfer);
  ASSERT_EQ(loaded.program.rules.size(), 2U);
  EXPECT_EQ(loaded.program.rules[1].weight, 2.0);
  EXPECT_EQ(loaded.database.relation(0).table(Partition::kTarget).num_rows, 6U);
  EXPECT_EQ(loaded.database.relation(1).table(Partition::kTarget).num_rows, 6U);

  const std::string path = folder_.path("out.json");
  const std::vector<LearnedNetwork> networks = {{"Is_network", "out.Is_network.pt", ""}};
  folder_.write("out.Is_network.pt", "");
  folder_.write("out.json",
                learned_model_text(
                    file, compile_sections(file), std::vector<double>{3.0, 0.5}, networks, path));
  const ModelFile again = read_model(path);
  ASSERT_EQ(again.predicates.size(), 2U);
  EXPECT_EQ(again.predicates[1].options.at("load"), "out.Is_network.pt");
  const LoadedModel reloaded = load_model(again, Phase::kInfer);
  ASSERT_EQ(reloaded.program.rules.size(), 2U);
  EXPECT_EQ(reloaded.program.rules[0].weight, 3.0);
  EXPECT_EQ(reloaded.program.rules[1].weight, 0.5);
}

}  // namespace
}  // namespace sorites
