// Networks as programs see them, through sorites/network.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "data/test_folder.h"
#include "torch/toy_tasks.h"

namespace sorites {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint64_t kSeed = 5;

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const NetworkError& error) {
    return error.what();
  }
  return "no error";
}

struct Bound {
  std::unique_ptr<Networks> networks;
  std::unique_ptr<OutputSource> source;
};

Bound bound(const ToyTask& task,
            std::uint64_t seed = kSeed,
            std::vector<std::vector<std::uint32_t>> samples = {}) {
  Bound result;
  result.networks = make_networks({task.options}, seed);
  result.source = result.networks->bind({task.inputs}, std::move(samples));
  return result;
}

// One sample per `entities_per_sample` entities, each with all their outputs.
std::vector<std::vector<std::uint32_t>> samples_of(const ToyTask& task,
                                                   std::size_t entities_per_sample) {
  const std::size_t per_sample = entities_per_sample * task.options.num_classes;
  std::vector<std::vector<std::uint32_t>> samples;
  for (std::uint32_t i = 0; i < task.inputs.num_outputs(); ++i) {
    if (i % per_sample == 0) samples.emplace_back();
    samples.back().push_back(i);
  }
  return samples;
}

TEST(Networks, AreThere) { EXPECT_TRUE(has_networks()); }

class EveryKind : public ::testing::TestWithParam<NetworkKind> {};

TEST_P(EveryKind, LearnsFromLabels) {
  const ToyTask task = task_for(GetParam());
  const Bound toy = bound(task);
  const double before = toy.source->own_loss();
  train(*toy.source, 1, 60, 60);
  const std::vector<double> outputs = toy.source->predict(0);
  EXPECT_LT(toy.source->own_loss(), 0.4 * before);
  EXPECT_GT(accuracy(outputs, task.inputs, task.options.num_classes), 0.95);
  EXPECT_EQ(toy.source->num_trained(), 60 * task.inputs.rows.size() / task.options.num_parts);
  EXPECT_GT(toy.source->seconds(), 0.0);
}

TEST_P(EveryKind, LearnsFromSlopes) {
  ToyTask task = task_for(GetParam());
  task.inputs.labels.clear();
  const Bound toy = bound(task);
  const std::size_t batch[] = {0};
  for (std::uint64_t epoch = 1; epoch <= 30; ++epoch) {
    toy.source->begin_epoch(epoch, 30);
    auto slopes = flat(toy.source->forward(batch));
    for (std::size_t i = 0; i < slopes[0].size(); ++i) {
      slopes[0][i] = task.inputs.class_of[i] == 1 ? -1.0 : 0.0;  // more of class 1
    }
    EXPECT_EQ(toy.source->step(slopes), 0.0);
  }
  const std::vector<double> outputs = toy.source->predict(0);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (task.inputs.class_of[i] != 1) continue;
    EXPECT_GT(outputs[i], 0.8);
  }
}

TEST_P(EveryKind, GoesOnFromItsMemoryBitForBit) {
  ToyTask task = task_for(GetParam());
  task.options.dropout = 0.2;
  task.options.normalization = Normalization::kBatch;
  task.options.output = OutputKind::kGumbelSoftmax;
  task.options.final_temperature = 0.5;
  task.options.training.schedule = RateSchedule::kCosine;
  const auto samples = samples_of(task, 7);
  const Bound straight = bound(task, kSeed, samples), first = bound(task, kSeed, samples);
  train(*straight.source, 1, 5, 5, samples.size());
  train(*first.source, 1, 2, 5, samples.size());
  const std::vector<NetworkState> memory = first.source->memory();
  const Bound second = bound(task, kSeed + 1, samples);
  second.source->restore(memory);
  train(*second.source, 3, 5, 5, samples.size());
  EXPECT_EQ(second.source->predict(0), straight.source->predict(0));
  EXPECT_EQ(second.source->memory(), straight.source->memory());
}

TEST_P(EveryKind, IsReadFromItsFile) {
  const ToyTask task = task_for(GetParam());
  const TestFolder folder;
  const Bound first = bound(task);
  train(*first.source, 1, 3, 3);
  first.networks->save(0, folder.path("toy.net"));
  ToyTask again = task;
  again.options.load = folder.path("toy.net");
  const Bound second = bound(again, kSeed + 1);
  EXPECT_EQ(second.source->predict(0), first.source->predict(0));
}

INSTANTIATE_TEST_SUITE_P(Networks,
                         EveryKind,
                         ::testing::Values(NetworkKind::kMlp,
                                           NetworkKind::kCnn,
                                           NetworkKind::kResNet18,
                                           NetworkKind::kSiamese,
                                           NetworkKind::kSgc,
                                           NetworkKind::kEmbedding,
                                           NetworkKind::kBilstm),
                         [](const auto& kind) { return std::string(name_of(kind.param)); });

TEST(Networks, DependOnTheirSeedAlone) {
  ToyTask task = vector_task(NetworkKind::kMlp);
  task.options.dropout = 0.5;
  const Bound a = bound(task), b = bound(task), other = bound(task, kSeed + 1);
  EXPECT_NE(a.source->predict(0), other.source->predict(0));
  for (const Bound* toy : {&a, &b}) train(*toy->source, 1, 3, 3);
  EXPECT_EQ(a.source->predict(0), b.source->predict(0));
}

TEST(Networks, OfOneModelDiffer) {
  const ToyTask task = vector_task(NetworkKind::kMlp);
  const auto networks = make_networks({task.options, task.options}, kSeed);
  const auto source = networks->bind({task.inputs, task.inputs}, {});
  const std::vector<double> outputs = source->predict(0);
  ASSERT_EQ(outputs.size(), 2 * task.inputs.num_outputs());
  EXPECT_NE(std::vector<double>(outputs.begin(), outputs.begin() + std::ssize(outputs) / 2),
            std::vector<double>(outputs.begin() + std::ssize(outputs) / 2, outputs.end()));
}

TEST(Networks, OutputsOfASoftmaxSumToOne) {
  for (const OutputKind kind : {OutputKind::kSoftmax, OutputKind::kGumbelSoftmax}) {
    ToyTask task = vector_task(NetworkKind::kMlp);
    task.options.output = kind;
    const Bound toy = bound(task);
    const std::size_t batch[] = {0};
    for (const auto& outputs : {toy.source->predict(0), toy.source->forward(batch)[0]}) {
      for (std::size_t i = 0; i < outputs.size(); i += kToyClasses) {
        EXPECT_NEAR(outputs[i] + outputs[i + 1] + outputs[i + 2], 1.0, 1e-5);
      }
    }
  }
}

TEST(Networks, SquaresOfARootSoftmaxAreTheSoftmax) {
  ToyTask task = vector_task(NetworkKind::kMlp);
  const std::vector<double> plain = bound(task).source->predict(0);
  task.options.output = OutputKind::kRootSoftmax;
  const std::vector<double> roots = bound(task).source->predict(0);
  ASSERT_EQ(roots.size(), plain.size());
  for (std::size_t i = 0; i < roots.size(); ++i) EXPECT_NEAR(roots[i] * roots[i], plain[i], 1e-5);
}

TEST(Networks, GumbelNoiseIsInTrainingOnly) {
  ToyTask task = vector_task(NetworkKind::kMlp);
  task.options.output = OutputKind::kGumbelSoftmax;
  const Bound toy = bound(task);
  const std::size_t batch[] = {0};
  EXPECT_NE(toy.source->forward(batch), toy.source->forward(batch));
  EXPECT_EQ(toy.source->predict(0), toy.source->predict(0));
}

TEST(Networks, LowTemperaturesDecide) {
  ToyTask task = vector_task(NetworkKind::kMlp);
  task.options.final_temperature = 0.001;
  const Bound toy = bound(task);
  toy.source->begin_epoch(10, 10);
  double undecided = 0.0;
  const std::vector<double> outputs = toy.source->predict(0);
  for (const double output : outputs) undecided += std::min(output, 1.0 - output);
  EXPECT_LT(undecided / static_cast<double>(outputs.size()), 0.02);
}

TEST(Networks, SigmoidsLearnEachClassAlone) {
  ToyTask task = vector_task(NetworkKind::kMlp);
  task.options.output = OutputKind::kSigmoid;
  for (std::size_t i = 0; i < task.inputs.labels.size(); i += kToyClasses) {
    task.inputs.labels[i] = std::numeric_limits<float>::quiet_NaN();  // nothing about class 0
    task.inputs.labels[i + 1] = task.inputs.labels[i + 2] = 1.0F;
  }
  const Bound toy = bound(task);
  train(*toy.source, 1, 200, 200);
  const std::vector<double> outputs = toy.source->predict(0);
  for (std::size_t i = 0; i < outputs.size(); i += kToyClasses) {
    EXPECT_GT(outputs[i + 1], 0.9);
    EXPECT_GT(outputs[i + 2], 0.9);
  }
}

TEST(Networks, EverySampleHasTheOutputsThatWereAskedFor) {
  const ToyTask task = vector_task(NetworkKind::kMlp, 4);
  const Bound whole = bound(task);
  const Bound parts = bound(task, kSeed, {{5, 0}, {}, {11}});
  const std::vector<double> all = whole.source->predict(0);
  EXPECT_EQ(parts.source->predict(0), (std::vector<double>{all[5], all[0]}));
  EXPECT_TRUE(parts.source->predict(1).empty());
  EXPECT_EQ(parts.source->predict(2), std::vector<double>{all[11]});
  const std::size_t batch[] = {2, 1, 0};
  const auto trained = parts.source->forward(batch);
  EXPECT_EQ(trained.size(), 3U);
  EXPECT_NEAR(trained[2][1], all[0], 1e-6);
}

TEST(Networks, LabelledEntitiesOfNoSampleAreSeenOncePerEpoch) {
  const ToyTask task = vector_task(NetworkKind::kMlp, 10);
  const Bound toy = bound(task, kSeed, {{0}, {3}, {6}});  // entities 0, 1 and 2
  train(*toy.source, 1, 1, 1, 3);
  EXPECT_EQ(toy.source->num_trained(), 10U);
}

TEST(Networks, StayAsTheyAreIfTheyAreFrozenOrTheirLearningRateIsZero) {
  for (const bool frozen : {true, false}) {
    ToyTask task = vector_task(NetworkKind::kMlp);
    task.options.training.frozen = frozen;
    if (!frozen) task.options.training.learning_rate = 0.0;
    task.options.dropout = 0.5;
    const Bound toy = bound(task);
    const std::vector<double> before = toy.source->predict(0);
    const std::size_t batch[] = {0};
    EXPECT_EQ(toy.source->forward(batch)[0], before);
    train(*toy.source, 1, 2, 2);
    EXPECT_EQ(toy.source->predict(0), before);
  }
}

TEST(Networks, AugmentationKeepsWhatCanBeLearned) {
  ToyTask task = image_task(NetworkKind::kCnn);
  task.options.training.max_shift = 1.0;
  task.options.training.max_rotation = 10.0;
  task.options.training.max_scaling = 0.1;
  const Bound toy = bound(task);
  train(*toy.source, 1, 80, 80);
  EXPECT_GT(accuracy(toy.source->predict(0), task.inputs, kToyClasses), 0.95);
}

TEST(Networks, EveryOptimizerAndScheduleLearns) {
  for (const auto optimizer : {NetworkOptimizer::kAdam,
                               NetworkOptimizer::kAdamW,
                               NetworkOptimizer::kSgd,
                               NetworkOptimizer::kAdagrad}) {
    for (const auto schedule : {RateSchedule::kConstant,
                                RateSchedule::kCosine,
                                RateSchedule::kLinear,
                                RateSchedule::kStep}) {
      ToyTask task = vector_task(NetworkKind::kMlp);
      task.options.training = {.optimizer = optimizer,
                               .learning_rate = 0.05,
                               .weight_decay = 1e-4,
                               .schedule = schedule,
                               .max_gradient_norm = 1.0};
      const Bound toy = bound(task);
      const double before = toy.source->own_loss();
      train(*toy.source, 1, 60, 60);
      EXPECT_LT(toy.source->own_loss(), 0.5 * before)
          << name_of(optimizer) << " " << name_of(schedule);
    }
  }
}

TEST(Networks, PretrainingMakesImagesDistinct) {
  ToyTask task = image_task(NetworkKind::kCnn);
  task.options.pretraining = {.epochs = 15, .batch_size = 16, .max_shift = 1.0};
  const auto networks = make_networks({task.options}, kSeed);
  std::vector<double> losses;
  networks->pretrain({&task.inputs, 1},
                     [&](std::size_t, std::uint64_t epoch, double loss) {
                       losses.push_back(loss);
                       EXPECT_EQ(epoch, losses.size());
                     },
                     {});
  ASSERT_EQ(losses.size(), 15U);
  EXPECT_LT(losses.back(), losses.front());
  std::stop_source stop;
  stop.request_stop();
  networks->pretrain(
      {&task.inputs, 1}, [](auto...) { FAIL() << "it was to stop"; }, stop.get_token());
}

TEST(Networks, StopLearningBeforeTheirParametersAreLost) {
  const ToyTask task = vector_task(NetworkKind::kMlp);
  const Bound toy = bound(task);
  const std::vector<double> before = toy.source->predict(0);
  const std::size_t batch[] = {0};
  auto slopes = flat(toy.source->forward(batch));
  slopes[0][4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(
      {
        try {
          toy.source->step(slopes);
        } catch (const LearnError& error) {
          EXPECT_THAT(error.what(), AllOf(HasSubstr("`Toy`"), HasSubstr("learning_rate")));
          throw;
        }
      },
      LearnError);
  EXPECT_EQ(toy.source->predict(0), before);
}

TEST(Networks, NameTheOptionThatIsWrong) {
  const auto error = [](const std::function<void(NetworkOptions&)>& change) {
    ToyTask task = image_task(NetworkKind::kCnn);
    change(task.options);
    return error_of([&] { make_networks({task.options}, kSeed); });
  };
  EXPECT_THAT(error([](auto& o) { o.num_classes = 0; }), HasSubstr("num_classes"));
  EXPECT_THAT(error([](auto& o) { o.num_classes = 1; }), HasSubstr("sigmoid"));
  EXPECT_THAT(error([](auto& o) { o.hidden = {0}; }), HasSubstr("hidden"));
  EXPECT_THAT(error([](auto& o) { o.dropout = 1.0; }), HasSubstr("dropout"));
  EXPECT_THAT(error([](auto& o) { o.temperature = 0.0; }), HasSubstr("temperature"));
  EXPECT_THAT(error([](auto& o) { o.kernel_size = 2; }), HasSubstr("kernel_size"));
  EXPECT_THAT(error([](auto& o) { o.input_shape = {64}; }), HasSubstr("images"));
  EXPECT_THAT(error([](auto& o) { o.kind = NetworkKind::kSiamese; }), HasSubstr("2 things"));
  EXPECT_THAT(error([](auto& o) { o.kind = NetworkKind::kTorchScript; }), HasSubstr("module"));
  EXPECT_THAT(error([](auto& o) { o.training.learning_rate = NAN; }), HasSubstr("learning_rate"));
  EXPECT_THAT(error([](auto& o) {
                o.kind = NetworkKind::kMlp;
                o.pretraining.epochs = 1;
              }),
              HasSubstr("pre-training"));
}

TEST(Networks, NameTheInputThatIsWrong) {
  const auto error = [](const std::function<void(NetworkInputs&)>& change) {
    ToyTask task = vector_task(NetworkKind::kMlp, 5);
    change(task.inputs);
    return error_of([&] { bound(task); });
  };
  EXPECT_THAT(error([](auto& i) { i.features.shape = {2}; }), HasSubstr("shape (4)"));
  EXPECT_THAT(error([](auto& i) { i.rows[2] = 5; }), HasSubstr("row 5"));
  EXPECT_THAT(error([](auto& i) { i.class_of[0] = 3; }), HasSubstr("class 3"));
  EXPECT_THAT(error([](auto& i) { i.entity_of[0] = 5; }), HasSubstr("entity 5"));
  EXPECT_THAT(error([](auto& i) { i.labels.pop_back(); }), HasSubstr("14 labels"));
  EXPECT_THAT(error([](auto& i) { i.labels[0] = 2.0F; }), HasSubstr("a label is 2"));
  EXPECT_THAT(error([](auto& i) { i.features.values[9] = NAN; }), HasSubstr("row 2"));
  const ToyTask task = vector_task(NetworkKind::kMlp, 5);
  EXPECT_THAT(error_of([&] { bound(task, kSeed, {{15}}); }), HasSubstr("output 15"));
}

TEST(Networks, RefuseFilesOfOtherNetworks) {
  const TestFolder folder;
  const ToyTask task = vector_task(NetworkKind::kMlp);
  const auto networks = make_networks({task.options}, kSeed);
  const std::string path = folder.path("toy.net");
  networks->save(0, path);
  const auto error = [&](const std::function<void(NetworkOptions&)>& change) {
    NetworkOptions options = task.options;
    change(options);
    const auto other = make_networks({options}, kSeed);
    return error_of([&] { other->load(0, path); });
  };
  EXPECT_EQ(error([](auto&) {}), "no error");
  EXPECT_THAT(error([](auto& o) { o.num_classes = 4; }), HasSubstr("number of classes is 3"));
  EXPECT_THAT(error([](auto& o) { o.hidden = {5}; }), HasSubstr("hidden is (16)"));
  EXPECT_THAT(error([](auto& o) { o.input_shape = {7}; }), HasSubstr("(4), but"));
  EXPECT_THAT(error_of([&] { networks->load(0, folder.path("none")); }), HasSubstr("none"));
  EXPECT_THAT(error_of([&] { networks->save(0, folder.path("no/folder")); }), HasSubstr("write"));
}

TEST(Networks, RefuseFilesThatAreDamaged) {
  const TestFolder folder;
  const ToyTask task = vector_task(NetworkKind::kMlp);
  const auto networks = make_networks({task.options}, kSeed);
  networks->save(0, folder.path("toy.net"));
  std::ifstream file(folder.path("toy.net"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  for (const std::size_t length : {std::size_t{0}, std::size_t{5}, bytes.size() - 1}) {
    const std::string path = folder.write("cut.net", bytes.substr(0, length));
    EXPECT_THAT(error_of([&] { networks->load(0, path); }), HasSubstr("cut.net"));
  }
  for (std::size_t at = 0; at < bytes.size(); at += 97) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    const std::string path = folder.write("bad.net", damaged);
    EXPECT_THAT(error_of([&] { networks->load(0, path); }), HasSubstr("bad.net")) << at;
  }
}

TEST(Networks, RefuseMemoryThatIsDamaged) {
  const ToyTask task = vector_task(NetworkKind::kMlp);
  const Bound toy = bound(task);
  const std::vector<double> before = toy.source->predict(0);
  const std::vector<NetworkState> memory = toy.source->memory();
  const auto refuses = [&](const auto& change) {
    std::vector<NetworkState> other = memory;
    change(other);
    EXPECT_NE(error_of([&] { toy.source->restore(other); }), "no error");
  };
  refuses([](auto& states) { states.clear(); });
  refuses([](auto& states) { states[0].parameters.pop_back(); });
  refuses([](auto& states) { states[0].first_moments.assign(1, 0.0F); });
  refuses([](auto& states) { states[0].buffers.emplace_back(); });
  refuses([](auto& states) { states[0].random.clear(); });
  EXPECT_EQ(toy.source->predict(0), before);
}

TEST(Networks, EmbeddingsKnowOnlyTheirVocabulary) {
  const TestFolder folder;
  ToyTask task = embedding_task();
  const auto networks = make_networks({task.options}, kSeed);
  networks->save(0, folder.path("toy.net"));
  task.options.vocabulary[3] = "stranger";
  const auto other = make_networks({task.options}, kSeed);
  EXPECT_THAT(error_of([&] { other->load(0, folder.path("toy.net")); }), HasSubstr("`stranger`"));
}

}  // namespace
}  // namespace sorites
