// Adam: Kingma, Ba, "Adam: A Method for Stochastic Optimization", 2015, algorithm 1. AdamW:
// Loshchilov, Hutter, "Decoupled Weight Decay Regularization", 2019, algorithm 2. Adagrad:
// Duchi et al. 2011. Constants and weight decay are those of torch.optim.
#include "torch/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torch/torch_headers.h"

namespace sorites {
namespace {

template <class Body>
void for_each_parameter(std::size_t count, Body body) {
  constexpr std::int64_t kLeastPerThread = 32768;  // at::internal::GRAIN_SIZE
  at::parallel_for(0,
                   static_cast<std::int64_t>(count),
                   kLeastPerThread,
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t i = begin; i < end; ++i) body(static_cast<std::size_t>(i));
                   });
}

}  // namespace

void Optimizer::step(std::span<float> values,
                     std::span<const float> gradients,
                     double learning_rate) {
  ++state_.num_steps;
  switch (training_.optimizer) {
    case NetworkOptimizer::kAdam:
    case NetworkOptimizer::kAdamW:
      return step_adam(values, gradients, learning_rate);
    case NetworkOptimizer::kSgd:
      return step_sgd(values, gradients, learning_rate);
    case NetworkOptimizer::kAdagrad:
      return step_adagrad(values, gradients, learning_rate);
  }
}

void Optimizer::step_adam(std::span<float> values,
                          std::span<const float> gradients,
                          double learning_rate) {
  // Kingma and Ba 2015, algorithm 1.
  constexpr float kBeta1 = 0.9F, kBeta2 = 0.999F, kEpsilon = 1e-8F;
  state_.first.resize(values.size());
  state_.second.resize(values.size());
  const auto steps = static_cast<double>(state_.num_steps);
  const auto rate = static_cast<float>(learning_rate / (1.0 - std::pow(double{kBeta1}, steps)));
  const auto scale = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(double{kBeta2}, steps)));
  const bool decoupled = training_.optimizer == NetworkOptimizer::kAdamW;
  const auto decay = static_cast<float>(training_.weight_decay);
  const float shrink =
      decoupled ? static_cast<float>(1.0 - learning_rate * training_.weight_decay) : 1.0F;
  const float added = decoupled ? 0.0F : decay;
  float* w = values.data();
  float *m = state_.first.data(), *v = state_.second.data();
  const float* g = gradients.data();
  for_each_parameter(values.size(), [=](std::size_t i) {
    const float gradient = g[i] + added * w[i];
    m[i] = kBeta1 * m[i] + (1.0F - kBeta1) * gradient;
    v[i] = kBeta2 * v[i] + (1.0F - kBeta2) * gradient * gradient;
    w[i] = shrink * w[i] - rate * m[i] / (std::sqrt(v[i]) * scale + kEpsilon);
  });
}

void Optimizer::step_sgd(std::span<float> values,
                         std::span<const float> gradients,
                         double learning_rate) {
  state_.first.resize(values.size());
  const auto rate = static_cast<float>(learning_rate);
  const auto decay = static_cast<float>(training_.weight_decay);
  const auto momentum = static_cast<float>(training_.momentum);
  float* w = values.data();
  float* m = state_.first.data();
  const float* g = gradients.data();
  for_each_parameter(values.size(), [=](std::size_t i) {
    m[i] = momentum * m[i] + g[i] + decay * w[i];
    w[i] -= rate * m[i];
  });
}

void Optimizer::step_adagrad(std::span<float> values,
                             std::span<const float> gradients,
                             double learning_rate) {
  constexpr float kEpsilon = 1e-10F;  // against 0 / 0; torch's own
  state_.second.resize(values.size());
  const auto rate = static_cast<float>(learning_rate);
  const auto decay = static_cast<float>(training_.weight_decay);
  float* w = values.data();
  float* v = state_.second.data();
  const float* g = gradients.data();
  for_each_parameter(values.size(), [=](std::size_t i) {
    const float gradient = g[i] + decay * w[i];
    v[i] += gradient * gradient;
    w[i] -= rate * gradient / (std::sqrt(v[i]) + kEpsilon);
  });
}

double scheduled_rate(const NetworkTraining& training,
                      std::uint64_t epoch,
                      std::uint64_t max_epochs) {
  const auto done = static_cast<double>(std::max<std::uint64_t>(epoch, 1) - 1);
  const auto all = static_cast<double>(std::max<std::uint64_t>(max_epochs, 1));
  const double part = std::min(done / all, 1.0);
  switch (training.schedule) {
    case RateSchedule::kConstant:
      return training.learning_rate;
    case RateSchedule::kCosine:
      return training.learning_rate * 0.5 * (1.0 + std::cos(std::numbers::pi * part));
    case RateSchedule::kLinear:
      return training.learning_rate * (1.0 - part);
    case RateSchedule::kStep: {
      const double drops = std::floor(done / static_cast<double>(training.schedule_period));
      return training.learning_rate * std::pow(0.1, drops);
    }
  }
  return training.learning_rate;
}

double clip(std::span<float> gradients, double max_norm) {
  double sum = 0.0;
  for (const float g : gradients) sum += static_cast<double>(g) * static_cast<double>(g);
  const double norm = std::sqrt(sum);
  if (norm > max_norm) {
    const auto factor = static_cast<float>(max_norm / norm);
    for (float& g : gradients) g *= factor;
  }
  return norm;
}

}  // namespace sorites
