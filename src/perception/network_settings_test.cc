#include "perception/network_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modelfile/network_options.h"

namespace sorites {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Options = std::map<std::string, std::string>;

struct Read {
  NetworkSettings settings;
  std::string mistakes;
};

Read read(Options options, std::size_t arity = 2, Phase phase = Phase::kInfer) {
  ModelFile model;
  model.path = "folder/model.json";
  PredicateDeclaration link;
  link.name = "Link";
  link.arity = 2;
  model.predicates.push_back(link);
  PredicateDeclaration digit;
  digit.name = "Digit";
  digit.arity = arity;
  digit.neural = true;
  digit.options = std::move(options);
  model.predicates.push_back(digit);
  Diagnostics sink;
  Read result{network_settings(model, model.predicates[1], phase, sink), {}};
  for (const Diagnostic& one : sink.all()) result.mistakes += render(one);
  return result;
}

TEST(NetworkSettings, DefaultsOfTheTableAreThoseOfTheLibrary) {
  Options all = {{"features", "x.npy"}, {"class-size", "3"}};
  for (const OptionInfo& option : network_option_catalog().options()) {
    if (!option.default_value.empty()) all.emplace(option.name, option.default_value);
  }
  const Read plain = read({{"features", "x.npy"}, {"class-size", "3"}}), told = read(all);
  EXPECT_THAT(plain.mistakes, IsEmpty());
  EXPECT_THAT(told.mistakes, IsEmpty());
  const NetworkOptions library;
  for (const Read& one : {plain, told}) {
    const NetworkOptions& mine = one.settings.network;
    EXPECT_EQ(mine.kind, library.kind);
    EXPECT_EQ(mine.hidden, library.hidden);
    EXPECT_EQ(mine.channels, library.channels);
    EXPECT_EQ(mine.kernel_size, library.kernel_size);
    EXPECT_EQ(mine.activation, library.activation);
    EXPECT_EQ(mine.normalization, library.normalization);
    EXPECT_EQ(mine.dropout, library.dropout);
    EXPECT_EQ(mine.output, library.output);
    EXPECT_EQ(mine.temperature, library.temperature);
    EXPECT_EQ(mine.final_temperature, library.final_temperature);
    EXPECT_EQ(mine.embedding_size, library.embedding_size);
    EXPECT_EQ(mine.training.optimizer, library.training.optimizer);
    EXPECT_EQ(mine.training.learning_rate, library.training.learning_rate);
    EXPECT_EQ(mine.training.weight_decay, library.training.weight_decay);
    EXPECT_EQ(mine.training.momentum, library.training.momentum);
    EXPECT_EQ(mine.training.schedule, library.training.schedule);
    EXPECT_EQ(mine.training.schedule_period, library.training.schedule_period);
    EXPECT_EQ(mine.training.max_gradient_norm, library.training.max_gradient_norm);
    EXPECT_EQ(mine.training.supervised_loss, library.training.supervised_loss);
    EXPECT_EQ(mine.training.symbolic_loss, library.training.symbolic_loss);
    EXPECT_EQ(mine.training.max_shift, library.training.max_shift);
    EXPECT_EQ(mine.training.max_rotation, library.training.max_rotation);
    EXPECT_EQ(mine.training.max_scaling, library.training.max_scaling);
    EXPECT_EQ(mine.training.max_shear, library.training.max_shear);
    EXPECT_EQ(mine.training.max_warp, library.training.max_warp);
    EXPECT_EQ(mine.pretraining.epochs, library.pretraining.epochs);
    EXPECT_EQ(mine.pretraining.batch_size, library.pretraining.batch_size);
    EXPECT_EQ(mine.pretraining.learning_rate, library.pretraining.learning_rate);
    EXPECT_EQ(mine.pretraining.temperature, library.pretraining.temperature);
    EXPECT_EQ(mine.pretraining.projection_size, library.pretraining.projection_size);
    EXPECT_EQ(mine.pretraining.max_shift, library.pretraining.max_shift);
    EXPECT_EQ(mine.pretraining.max_rotation, library.pretraining.max_rotation);
    EXPECT_EQ(mine.pretraining.max_scaling, library.pretraining.max_scaling);
    EXPECT_EQ(mine.pretraining.max_shear, library.pretraining.max_shear);
    EXPECT_EQ(mine.pretraining.max_warp, library.pretraining.max_warp);
    EXPECT_EQ(one.settings.data.hops, 2U);
  }
}

TEST(NetworkSettings, ReadsListsChoicesAndPaths) {
  const Read one = read({{"network", "cnn"},
                         {"features", "images.npy"},
                         {"classes", "cat:dog:cow"},
                         {"channels", "4:8"},
                         {"hidden", "0"},
                         {"input-shape", "1:28:28"},
                         {"output", "gumbel-softmax"},
                         {"final-temperature", "0.1"},
                         {"optimizer", "sgd"},
                         {"max-gradient-norm", "inf"},
                         {"load", "digit.pt"}});
  EXPECT_THAT(one.mistakes, IsEmpty());
  const NetworkOptions& network = one.settings.network;
  EXPECT_EQ(network.name, "Digit");
  EXPECT_EQ(network.kind, NetworkKind::kCnn);
  EXPECT_EQ(network.num_classes, 3U);
  EXPECT_THAT(network.channels, ElementsAre(4, 8));
  EXPECT_THAT(network.hidden, IsEmpty());
  EXPECT_EQ(network.output, OutputKind::kGumbelSoftmax);
  EXPECT_EQ(network.final_temperature, 0.1);
  EXPECT_EQ(network.training.optimizer, NetworkOptimizer::kSgd);
  EXPECT_EQ(network.load, "folder/digit.pt");
  EXPECT_EQ(one.settings.data.features, "folder/images.npy");
  EXPECT_THAT(one.settings.data.classes, ElementsAre("cat", "dog", "cow"));
  EXPECT_THAT(one.settings.data.input_shape, ElementsAre(1, 28, 28));
}

TEST(NetworkSettings, PhasesHaveOptionsOfTheirOwn) {
  const Options options = {{"features", "all.npy"},
                           {"learning::features", "learn.npy"},
                           {"validation::features", "valid.npy"},
                           {"learning::dropout", "0.5"},
                           {"class-size", "2"}};
  EXPECT_EQ(read(options).settings.data.features, "folder/all.npy");
  EXPECT_EQ(read(options, 2, Phase::kLearn).settings.data.features, "folder/learn.npy");
  EXPECT_EQ(read(options, 2, Phase::kValidation).settings.data.features, "folder/valid.npy");
  EXPECT_EQ(read(options, 2, Phase::kValidation).settings.network.dropout, 0.5);
  EXPECT_EQ(read(options).settings.network.dropout, 0.0);
}

TEST(NetworkSettings, ATorchScriptFileMakesFeaturesOfRawOnes) {
  const NetworkData alone = read({{"features", "encoder.pt"}, {"class-size", "2"}}).settings.data;
  EXPECT_EQ(alone.feature_module, "folder/encoder.pt");
  EXPECT_TRUE(alone.sees_numbers());
  const Read both =
      read({{"features", "encoder"}, {"raw-features", "images.npy"}, {"class-size", "2"}});
  EXPECT_THAT(both.mistakes, IsEmpty());
  EXPECT_EQ(both.settings.data.feature_module, "folder/encoder");
  EXPECT_EQ(both.settings.data.features, "folder/images.npy");
  EXPECT_FALSE(both.settings.data.sees_numbers());
  EXPECT_THAT(read({{"raw-features", "images.npy"}, {"class-size", "2"}}).mistakes,
              HasSubstr("nothing says what to make of its `raw-features`"));
  EXPECT_THAT(read({{"features", "e.pt"}, {"network", "embedding"}, {"class-size", "2"}}).mistakes,
              HasSubstr("an `embedding` has no features"));
  EXPECT_THAT(
      read({{"features", "e.pt"}, {"network", "sgc"}, {"graph", "Link"}, {"class-size", "2"}})
          .mistakes,
      HasSubstr("\"raw-features\": \"nodes.npy\""));
}

TEST(NetworkSettings, EntityIsAllButTheClass) {
  const Read last = read({{"features", "x"}, {"class-size", "2"}}, 3);
  EXPECT_THAT(last.settings.data.entity_arguments, ElementsAre(0, 1));
  const Read first = read({{"features", "x"}, {"class-size", "2"}, {"class-argument", "0"}}, 3);
  EXPECT_THAT(first.settings.data.entity_arguments, ElementsAre(1, 2));
  const Read none = read({{"features", "x"}, {"class-argument", "none"}}, 1);
  EXPECT_THAT(none.mistakes, IsEmpty());
  EXPECT_EQ(none.settings.network.num_classes, 1U);
  EXPECT_EQ(none.settings.network.output, OutputKind::kSigmoid);
  EXPECT_EQ(read({{"network", "siamese"}, {"features", "x"}, {"class-size", "2"}}, 3)
                .settings.network.num_parts,
            2U);
}

TEST(NetworkSettings, SaysWhatIsMissingOrDoesNotFit) {
  EXPECT_THAT(read({{"features", "x"}}).mistakes, HasSubstr("how many classes"));
  EXPECT_THAT(read({{"class-size", "2"}}).mistakes, HasSubstr("what its network sees"));
  EXPECT_THAT(read({{"features", "x"}, {"class-size", "2"}, {"classes", "a:b:c"}}).mistakes,
              HasSubstr("`class-size` is 2, but `classes` lists 3"));
  EXPECT_THAT(read({{"features", "x"}, {"classes", "a:b:a"}}).mistakes, HasSubstr("twice"));
  EXPECT_THAT(read({{"features", "x"}, {"class-size", "2"}, {"model-path", "n.py::Net"}}).mistakes,
              HasSubstr("torch.jit.script(model).save"));
  EXPECT_THAT(read({{"features", "x"}, {"class-size", "2"}, {"network", "torchscript"}}).mistakes,
              HasSubstr("needs `module`"));
  EXPECT_THAT(read({{"features", "x"}, {"class-size", "2"}, {"network", "sgc"}}).mistakes,
              HasSubstr("over a graph"));
  EXPECT_THAT(read({{"features", "x"}, {"class-size", "2"}, {"graph", "Lnk"}}).mistakes,
              HasSubstr("did you mean `Link`?"));
  EXPECT_THAT(read({{"features", "x"}, {"class-size", "2"}, {"network", "siamese"}}).mistakes,
              HasSubstr("two parts"));
  EXPECT_THAT(read({{"features", "x"}, {"class-argument", "none"}, {"output", "softmax"}}).mistakes,
              HasSubstr("always 1"));
  EXPECT_THAT(read({{"features", "x"}, {"class-size", "2"}, {"entity-arguments", "0:1"}}).mistakes,
              HasSubstr("both entity and class"));
}

}  // namespace
}  // namespace sorites
