// Images per second of the networks for digits, 28 x 28: training steps of a batch, and prediction.
// Threads are torch's: OMP_NUM_THREADS, OMP_WAIT_POLICY and OPENBLAS_NUM_THREADS choose them.
#include <benchmark/benchmark.h>

#include <numeric>
#include <random>

#include "perception/networks.h"

namespace sorites {
namespace {

constexpr std::size_t kImages = 2048, kClasses = 10;

NetworkOptions digit_network(NetworkKind kind, bool augmented) {
  NetworkOptions options;
  options.name = "Digit";
  options.kind = kind;
  options.channels = kind == NetworkKind::kCnn ? std::vector<std::size_t>{8, 16, 32}
                                               : std::vector<std::size_t>{16};
  options.hidden = {128};
  options.normalization = Normalization::kBatch;
  options.dropout = 0.1;
  options.input_shape = {1, 28, 28};
  options.num_classes = kClasses;
  if (augmented) {
    options.training.max_shift = 2.0;
    options.training.max_rotation = 10.0;
    options.training.max_scaling = 0.1;
    options.training.max_shear = 0.1;
    options.training.max_warp = 1.0;
  }
  return options;
}

NetworkInputs digit_images() {
  NetworkInputs inputs;
  inputs.features.shape = {1, 28, 28};
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
  inputs.features.values.resize(kImages * 28 * 28);
  for (float& value : inputs.features.values) value = uniform(random);
  for (std::uint32_t image = 0; image < kImages; ++image) {
    inputs.rows.push_back(image);
    for (std::uint32_t k = 0; k < kClasses; ++k) {
      inputs.entity_of.push_back(image);
      inputs.class_of.push_back(k);
    }
  }
  return inputs;
}

// Samples of one image each, in no order, so that rows are gathered.
std::vector<std::vector<std::uint32_t>> one_image_each() {
  std::vector<std::vector<std::uint32_t>> samples(kImages, std::vector<std::uint32_t>(kClasses));
  for (std::size_t i = 0; i < kImages; ++i) {
    std::iota(samples[i].begin(),
              samples[i].end(),
              static_cast<std::uint32_t>(i * 769 % kImages * kClasses));
  }
  return samples;
}

void train(benchmark::State& state, NetworkKind kind, bool augmented) {
  const auto networks = make_networks({digit_network(kind, augmented)}, 1);
  const auto source = networks->bind({digit_images()}, one_image_each());
  const auto size = static_cast<std::size_t>(state.range(0));
  std::vector<std::size_t> batch(size);
  std::size_t first = 0;
  for ([[maybe_unused]] auto _ : state) {
    std::iota(batch.begin(), batch.end(), first);
    first = (first + size) % (kImages - size);
    auto slopes = source->forward(batch);
    for (auto& sample : slopes) sample.assign(sample.size(), 0.01);
    source->step(slopes);
  }
  state.counters["images/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(size),
                         benchmark::Counter::kIsRate);
}

void predict(benchmark::State& state, NetworkKind kind) {
  const auto networks = make_networks({digit_network(kind, false)}, 1);
  const auto source = networks->bind({digit_images()}, {});
  const std::vector<NetworkState> memory = source->memory();
  for ([[maybe_unused]] auto _ : state) {
    source->restore(memory);  // as after a step: nothing is known any more
    benchmark::DoNotOptimize(source->predict(0));
  }
  state.counters["images/s"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * double{kImages}, benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(train, cnn, NetworkKind::kCnn, false)->Arg(32)->Arg(64)->Arg(128);
BENCHMARK_CAPTURE(train, cnn_augmented, NetworkKind::kCnn, true)->Arg(64);
BENCHMARK_CAPTURE(train, resnet18_width16, NetworkKind::kResNet18, false)->Arg(64);
BENCHMARK_CAPTURE(predict, cnn, NetworkKind::kCnn);

}  // namespace
}  // namespace sorites

BENCHMARK_MAIN();
