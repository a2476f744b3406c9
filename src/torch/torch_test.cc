// What only a look inside, or torch itself, can tell.
#include "sorites/torch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <numeric>
#include <stdexcept>

#include "data/test_folder.h"
#include "torch/architecture.h"
#include "torch/augment.h"
#include "torch/entities.h"
#include "torch/network.h"
#include "torch/network_source.h"
#include "torch/optimizer.h"
#include "torch/pretraining.h"
#include "torch/random_scope.h"
#include "torch/toy_tasks.h"

namespace sorites {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A network with its source, and all its parts at hand.
struct OpenNetwork {
  explicit OpenNetwork(const ToyTask& task) {
    networks.push_back(std::make_unique<Network>(task.options, 3));
    std::vector<Entities> entities;
    entities.emplace_back(task.options, task.inputs);
    source = std::make_unique<NetworkSource>(
        networks, std::move(entities), std::vector<std::vector<std::uint32_t>>{});
  }
  Network& network() { return *networks[0]; }

  std::vector<std::unique_ptr<Network>> networks;
  std::unique_ptr<NetworkSource> source;
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct GradientCase {
  NetworkKind kind;
  OutputKind output;
};

class Gradients : public ::testing::TestWithParam<GradientCase> {};

// The parameters after one step of gradient descent tell the gradient; central differences along
// random directions must agree.
TEST_P(Gradients, AreThoseOfCentralDifferences) {
  ToyTask task = task_for(GetParam().kind);
  task.options.output = GetParam().output;
  task.options.activation = Activation::kTanh;
  task.options.normalization = Normalization::kLayer;
  task.options.temperature = 0.7;
  constexpr double kRate = 0.01;
  task.options.training = {.optimizer = NetworkOptimizer::kSgd,
                           .learning_rate = kRate,
                           .momentum = 0.0,
                           .supervised_loss = 0.6,
                           .symbolic_loss = 1.7};
  OpenNetwork toy(task);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> slopes(task.inputs.num_outputs());
  for (double& slope : slopes) slope = normal(random) / static_cast<double>(slopes.size());

  const std::span<float> values = toy.network().parameters().values();
  const std::vector<float> start(values.begin(), values.end());
  const std::size_t batch[] = {0};
  toy.source->forward(batch);
  const std::vector<double> slopes_of_samples[] = {slopes};
  const double own = toy.source->step(slopes_of_samples);
  std::vector<double> gradient;
  for (std::size_t i = 0; i < start.size(); ++i) {
    gradient.push_back((static_cast<double>(start[i]) - static_cast<double>(values[i])) / kRate);
  }

  const auto loss_at = [&](const std::vector<double>& direction, double step) {
    for (std::size_t i = 0; i < start.size(); ++i) {
      values[i] = static_cast<float>(static_cast<double>(start[i]) + step * direction[i]);
    }
    toy.network().parameters_changed();
    return toy.source->own_loss() + 1.7 * dot(slopes, toy.source->predict(0));
  };
  const double length = std::sqrt(dot(gradient, gradient));
  for (int trial = 0; trial < 4; ++trial) {
    // Along the gradient, and then at random but not across it, where there is nothing to see.
    std::vector<double> direction = gradient;
    for (double& d : direction) {
      d /= length;
      if (trial > 0) d += normal(random) / std::sqrt(static_cast<double>(direction.size()));
    }
    const double step = 0.01 / (1.0 + length);  // steep losses are curved
    const double slope = (loss_at(direction, step) - loss_at(direction, -step)) / (2.0 * step);
    EXPECT_NEAR(slope, dot(gradient, direction), 0.01 * length);
  }
  loss_at(gradient, 0.0);
  EXPECT_NEAR(own, toy.source->own_loss(), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Networks,
    Gradients,
    ::testing::Values(GradientCase{NetworkKind::kMlp, OutputKind::kSoftmax},
                      GradientCase{NetworkKind::kMlp, OutputKind::kSigmoid},
                      GradientCase{NetworkKind::kCnn, OutputKind::kSoftmax},
                      GradientCase{NetworkKind::kResNet18, OutputKind::kSoftmax},
                      GradientCase{NetworkKind::kSiamese, OutputKind::kSigmoid},
                      GradientCase{NetworkKind::kEmbedding, OutputKind::kSoftmax},
                      GradientCase{NetworkKind::kBilstm, OutputKind::kSoftmax}),
    [](const auto& task) {
      return std::string(name_of(task.param.kind)) + "_" + std::string(name_of(task.param.output));
    });

template <class Reference, class Options>
void expect_same_steps(NetworkOptimizer kind, const Options& reference_options) {
  constexpr std::int64_t kSize = 37;
  torch::Tensor expected = torch::linspace(-1.0, 1.0, kSize).requires_grad_();
  std::vector<float> values(expected.data_ptr<float>(), expected.data_ptr<float>() + kSize);
  Reference reference({expected}, reference_options);
  Optimizer optimizer({.optimizer = kind, .weight_decay = 0.1, .momentum = 0.9});
  for (int step = 1; step <= 6; ++step) {
    const torch::Tensor gradient = torch::cos(torch::arange(kSize) * step);
    expected.mutable_grad() = gradient;
    reference.step();
    optimizer.step(values, {gradient.data_ptr<float>(), kSize}, 0.05);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_NEAR(values[i], expected[static_cast<std::int64_t>(i)].item<float>(), 2e-6)
          << name_of(kind) << " step " << step;
    }
  }
}

TEST(Optimizer, StepsAreThoseOfTorch) {
  using namespace torch::optim;  // NOLINT(google-build-using-namespace): names of the oracle
  expect_same_steps<Adam>(NetworkOptimizer::kAdam, AdamOptions(0.05).weight_decay(0.1));
  expect_same_steps<AdamW>(NetworkOptimizer::kAdamW, AdamWOptions(0.05).weight_decay(0.1));
  expect_same_steps<SGD>(NetworkOptimizer::kSgd, SGDOptions(0.05).weight_decay(0.1).momentum(0.9));
  expect_same_steps<Adagrad>(NetworkOptimizer::kAdagrad, AdagradOptions(0.05).weight_decay(0.1));
}

TEST(Optimizer, SchedulesEndWhereTheyShould) {
  const auto rate = [](RateSchedule schedule, std::uint64_t epoch) {
    return scheduled_rate(
        {.learning_rate = 1.0, .schedule = schedule, .schedule_period = 4}, epoch, 10);
  };
  for (const auto schedule :
       {RateSchedule::kConstant, RateSchedule::kCosine, RateSchedule::kLinear}) {
    EXPECT_EQ(rate(schedule, 1), 1.0);
  }
  EXPECT_NEAR(rate(RateSchedule::kCosine, 6), 0.5, 1e-12);
  EXPECT_NEAR(rate(RateSchedule::kLinear, 10), 0.1, 1e-12);
  EXPECT_NEAR(rate(RateSchedule::kStep, 4), 1.0, 1e-12);
  EXPECT_NEAR(rate(RateSchedule::kStep, 5), 0.1, 1e-12);
  EXPECT_NEAR(rate(RateSchedule::kStep, 9), 0.01, 1e-12);
}

TEST(Clip, ShortensLongGradientsOnly) {
  std::vector<float> gradient = {3.0F, 4.0F};
  EXPECT_EQ(clip(gradient, 10.0), 5.0);
  EXPECT_EQ(gradient[0], 3.0F);
  EXPECT_EQ(clip(gradient, 1.0), 5.0);
  EXPECT_FLOAT_EQ(gradient[0], 0.6F);
}

TEST(RandomScope, LeavesTheRandomNumbersOfTorchAlone) {
  at::manual_seed(1);
  const torch::Tensor expected = torch::rand({4});
  at::manual_seed(1);
  torch::Tensor state = seeded_random_state(9);
  torch::Tensor first, second;
  {
    const RandomScope scope(state);
    first = torch::rand({4});
  }
  EXPECT_TRUE(torch::equal(torch::rand({4}), expected));
  {
    const RandomScope scope(state);
    second = torch::rand({4});
  }
  EXPECT_FALSE(torch::equal(first, second));
  torch::Tensor again = seeded_random_state(9);
  const RandomScope scope(again);
  EXPECT_TRUE(torch::equal(torch::rand({4}), first));
}

TEST(ContrastiveLoss, IsThatOfTheDefinition) {
  const torch::Tensor z = torch::tensor({{1.0F, 0.5F}, {-0.3F, 2.0F}, {0.9F, 0.1F}, {0.2F, 1.0F}});
  const auto similarity = [&](std::int64_t i, std::int64_t j) {
    return (z[i].dot(z[j]) / (z[i].norm() * z[j].norm())).item<double>() / 0.5;
  };
  double expected = 0.0;
  for (std::int64_t i = 0; i < 4; ++i) {
    double sum = 0.0;
    for (std::int64_t k = 0; k < 4; ++k) sum += k == i ? 0.0 : std::exp(similarity(i, k));
    expected -= std::log(std::exp(similarity(i, (i + 2) % 4)) / sum) / 4.0;
  }
  EXPECT_NEAR(contrastive_loss(z, 0.5).item<double>(), expected, 1e-5);
}

TEST(MovedAtRandom, KeepsWhatIsInside) {
  torch::Tensor images = torch::zeros({20, 1, 16, 16});
  images.narrow(2, 6, 4).narrow(3, 6, 4).fill_(1.0);
  EXPECT_TRUE(torch::equal(moved_at_random(images, {}), images));
  const ImageMoves cases[] = {
      {.max_shift = 2.0}, {.max_rotation = 30.0}, {.max_shear = 0.2}, {.max_warp = 1.0}};
  for (const ImageMoves& moves : cases) {
    const torch::Tensor moved = moved_at_random(images, moves);
    EXPECT_FALSE(torch::equal(moved[0], moved[1]));
    EXPECT_NEAR(moved.sum().item<double>() / images.sum().item<double>(), 1.0, 0.1);
  }
  // Larger ones have more light.
  const torch::Tensor scaled = moved_at_random(images, {.max_scaling = 0.3}).sum({1, 2, 3});
  EXPECT_GT(scaled.max().item<double>(), 18.0);
  EXPECT_LT(scaled.min().item<double>(), 14.0);
}

std::string error_of(const NetworkOptions& options) {
  try {
    make_networks({options}, 1);
  } catch (const NetworkError& error) {
    return error.what();
  }
  return "no error";
}

// A TorchScript file of one layer.
std::string write_script(const TestFolder& folder, std::int64_t outputs) {
  torch::jit::Module module("Layer");
  module.register_parameter("weight", torch::full({outputs, 4}, 0.1).requires_grad_(), false);
  module.register_attribute("training", c10::BoolType::get(), true);
  module.define(
      "def forward(self, x):\n"
      "  return torch.matmul(torch.dropout(x, 0.1, self.training), self.weight.t())\n");
  const std::string path = folder.path("layer" + std::to_string(outputs) + ".pt");
  module.save(path);
  return path;
}

TEST(TorchScript, LearnsAndGoesOnFromItsMemory) {
  const TestFolder folder;
  ToyTask task = vector_task(NetworkKind::kTorchScript);
  task.options.module = write_script(folder, 3);
  task.options.training.learning_rate = 0.05;
  OpenNetwork straight(task), first(task), second(task);
  train(*straight.source, 1, 80, 80);
  EXPECT_GT(accuracy(straight.source->predict(0), task.inputs, 3), 0.9);
  train(*first.source, 1, 40, 80);
  second.source->restore(first.source->memory());
  train(*second.source, 41, 80, 80);
  EXPECT_EQ(second.source->predict(0), straight.source->predict(0));
}

TEST(TorchScript, SaysWhatIsWrongWithAFile) {
  const TestFolder folder;
  NetworkOptions options = vector_task(NetworkKind::kTorchScript).options;
  options.module = folder.path("none.pt");
  EXPECT_THAT(error_of(options), AllOf(HasSubstr("`Toy`"), HasSubstr("none.pt")));
  options.module = write_script(folder, 5);
  EXPECT_THAT(error_of(options), AllOf(HasSubstr("(2, 5)"), HasSubstr("(2, 3)")));
  options.module = write_script(folder, 3);
  options.input_shape = {7};
  EXPECT_THAT(error_of(options), HasSubstr("shape (7)"));
  options.input_shape = {4};
  std::ifstream file(options.module, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  options.module = folder.write("cut.pt", bytes.substr(0, bytes.size() / 2));
  EXPECT_THAT(error_of(options), AllOf(HasSubstr("cut.pt"), HasSubstr("torch.jit")));
  options.module = folder.write("text.pt", "this is not a module");
  EXPECT_THAT(error_of(options), AllOf(HasSubstr("text.pt"), HasSubstr("torch.jit")));
}

// The library itself looks at no checksum: it would run damaged code, and take damaged numbers.
TEST(TorchScript, IsRefusedIfABitIsFlipped) {
  const TestFolder folder;
  NetworkOptions options = vector_task(NetworkKind::kTorchScript).options;
  std::ifstream file(write_script(folder, 3), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const auto error_at = [&](std::size_t at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    options.module = folder.write("damaged.pt", damaged);
    return error_of(options);
  };
  const float number = 0.1F;
  const std::size_t parameter =
      bytes.find(std::string_view(reinterpret_cast<const char*>(&number), sizeof number));
  ASSERT_NE(parameter, std::string::npos);
  EXPECT_THAT(error_at(parameter), HasSubstr("it is damaged: the checksum of `"));
  // The code is packed, behind its name and some bytes that only fill up.
  const std::size_t code = bytes.find(".py");
  std::size_t num_told = 0;
  for (std::size_t at = code + 3; at < code + 300; at += 11) {
    const std::string error = error_at(at);
    num_told += error.find(".py` is wrong") != std::string::npos ||
                        error.find("cannot be unpacked") != std::string::npos
                    ? 1
                    : 0;
  }
  EXPECT_GT(num_told, 5U);
}

TEST(TorchScript, MayComputeInOtherNumbers) {
  const TestFolder folder;
  ToyTask task = vector_task(NetworkKind::kTorchScript);
  for (const char* body : {"x[:, :3].double()", "x[:, :3].long()"}) {
    torch::jit::Module module("Layer");
    module.define(std::string("def forward(self, x):\n  return ") + body + "\n");
    task.options.module = folder.path("other.pt");
    module.save(task.options.module);
    EXPECT_EQ(OpenNetwork(task).source->predict(0).size(), task.inputs.num_outputs());
  }
  torch::jit::Module module("Layer");
  module.define("def forward(self, x):\n  return (x, x)\n");
  module.save(task.options.module);
  const std::string error = error_of(task.options);
  EXPECT_THAT(error, AllOf(HasSubstr("other.pt"), Not(HasSubstr("Exception raised"))));
}

// What it says when its outputs are asked for, though it was made.
std::string error_of_outputs(const TestFolder& folder, const std::string& body) {
  ToyTask task = vector_task(NetworkKind::kTorchScript);
  torch::jit::Module module("Layer");
  module.define("def forward(self, x):\n  return " + body + "\n");
  task.options.module = folder.path("foreign.pt");
  module.save(task.options.module);
  try {
    OpenNetwork(task).source->predict(0);
  } catch (const NetworkError& error) {
    return error.what();
  }
  return "no error";
}

// The trial before, with two entities, finds nothing.
TEST(TorchScript, IsRefusedIfItHasNoRowForSomeEntities) {
  const TestFolder folder;
  const std::string fewer = error_of_outputs(folder, "x[:2, :3]");
  EXPECT_THAT(fewer, AllOf(HasSubstr("`Toy`"), HasSubstr("foreign.pt"), HasSubstr("(2, 3)")));
  EXPECT_THAT(error_of_outputs(folder, "torch.cat([x[:, :3], x[2:, :3]], 0)"),
              HasSubstr("one number per class"));
}

TEST(TorchScript, SaysInOneLineWhatIsWrongWithItsOutputs) {
  const TestFolder folder;
  const auto told = [](const char* what) {
    return AllOf(
        HasSubstr("`Toy`"), HasSubstr("foreign.pt"), HasSubstr(what), Not(HasSubstr("\n")));
  };
  EXPECT_THAT(error_of_outputs(folder, "x[:, :3].to_sparse()"), told(".to_dense()"));
  EXPECT_THAT(error_of_outputs(folder, "x[:, :3] * float('nan')"), told("not finite"));
  EXPECT_EQ(short_message(std::runtime_error("\nUnknown op.\nHere are some suggestions")),
            "Unknown op.");
  EXPECT_NE(short_message(std::runtime_error("\n")), "");
}

TEST(RegisteredNetwork, IsMadeByItsFactory) {
  register_network("layer", [](const NetworkOptions& options) {
    return torch::nn::AnyModule(torch::nn::Linear(static_cast<std::int64_t>(options.input_shape[0]),
                                                  static_cast<std::int64_t>(3)));
  });
  ToyTask task = vector_task(NetworkKind::kRegistered);
  task.options.module = "layer";
  task.options.training.learning_rate = 0.1;
  OpenNetwork toy(task);
  EXPECT_EQ(toy.network().num_parameters(), 15U);
  train(*toy.source, 1, 80, 80);
  EXPECT_GT(accuracy(toy.source->predict(0), task.inputs, 3), 0.9);
}

TEST(RegisteredNetwork, SaysWhatIsWrongWithIt) {
  NetworkOptions options = vector_task(NetworkKind::kRegistered).options;
  options.module = "nobody";
  EXPECT_THAT(error_of(options), HasSubstr("`nobody`"));
  register_network("narrow", [](const NetworkOptions&) {
    return torch::nn::AnyModule(torch::nn::Linear(4, 2));
  });
  options.module = "narrow";
  EXPECT_THAT(error_of(options), HasSubstr("(2, 2)"));
  register_network("failing", [](const NetworkOptions&) -> torch::nn::AnyModule {
    throw std::runtime_error("no weights here");
  });
  options.module = "failing";
  EXPECT_THAT(error_of(options), HasSubstr("no weights here"));
}

}  // namespace
}  // namespace sorites
