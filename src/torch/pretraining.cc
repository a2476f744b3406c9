#include "torch/pretraining.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "torch/augment.h"
#include "torch/layers.h"
#include "torch/random_scope.h"

namespace sorites {
namespace {

// The images that entities have, each once.
torch::Tensor distinct_images(const NetworkOptions& options, const NetworkInputs& inputs) {
  std::vector<std::int64_t> rows(inputs.rows.begin(), inputs.rows.end());
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::vector<std::int64_t> extents = {static_cast<std::int64_t>(inputs.features.num_rows())};
  for (const std::size_t extent : options.input_shape) {
    extents.push_back(static_cast<std::int64_t>(extent));
  }
  // torch has no tensors of constants; it is only read.
  auto* values = const_cast<float*>(inputs.features.values.data());
  return torch::from_blob(values, extents)
      .index_select(0, torch::tensor(torch::ArrayRef<std::int64_t>(rows), torch::kInt64));
}

class ContrastiveTraining {
 public:
  ContrastiveTraining(Network& network, torch::Tensor images)
      : network_(network),
        options_(network.options().pretraining),
        images_(std::move(images)),
        encoder_optimizer_(adam()),
        head_optimizer_(adam()) {
    network_.architecture().set_training(true);
    const std::int64_t width = network_.architecture().encode(images_.narrow(0, 0, 1)).size(1);
    head_ = std::make_shared<Mlp>(width,
                                  std::vector<std::size_t>{static_cast<std::size_t>(width)},
                                  static_cast<std::int64_t>(options_.projection_size),
                                  LayerStyle{});
    head_parameters_ = FlatParameters(head_->parameters());
  }

  // One pass over the images in random order. Returns the mean loss.
  double run_epoch(const std::stop_token& stop) {
    network_.architecture().set_training(true);
    const torch::Tensor order = torch::randperm(images_.size(0));
    const auto batch_size = static_cast<std::int64_t>(options_.batch_size);
    double sum = 0.0;
    std::int64_t num_batches = 0;
    for (std::int64_t begin = 0; begin < order.size(0); begin += batch_size) {
      const std::int64_t count = std::min(batch_size, order.size(0) - begin);
      if (stop.stop_requested()) break;
      if (count < 2) continue;  // nothing to tell it apart from
      sum += step(images_.index_select(0, order.narrow(0, begin, count)));
      ++num_batches;
    }
    return sum / static_cast<double>(std::max<std::int64_t>(num_batches, 1));
  }

 private:
  static Optimizer adam() { return Optimizer(NetworkTraining{}); }

  double step(const torch::Tensor& images) {
    const torch::Tensor views = torch::cat({view(images), view(images)});
    const torch::Tensor loss = contrastive_loss(
        head_->forward(network_.architecture().encode(views)), options_.temperature);
    network_.parameters().clear_gradients();
    head_parameters_.clear_gradients();
    loss.backward();
    const auto value = loss.item<double>();
    const double norm = clip(network_.parameters().gradients(), HUGE_VAL);
    if (!std::isfinite(value) || !std::isfinite(norm)) {
      throw LearnError(fmt::format(
          "the loss of the pre-training of network `{}` is not finite: a smaller learning_rate of "
          "the pre-training may help",
          network_.options().name));
    }
    encoder_optimizer_.step(
        network_.parameters().values(), network_.parameters().gradients(), options_.learning_rate);
    head_optimizer_.step(
        head_parameters_.values(), head_parameters_.gradients(), options_.learning_rate);
    network_.parameters_changed();
    return value;
  }

  torch::Tensor view(const torch::Tensor& images) const {
    return moved_at_random(images, moves_of(options_));
  }

  Network& network_;
  NetworkPretraining options_;
  torch::Tensor images_;
  Optimizer encoder_optimizer_, head_optimizer_;
  std::shared_ptr<Mlp> head_;
  FlatParameters head_parameters_;
};

}  // namespace

torch::Tensor contrastive_loss(const torch::Tensor& projections, double temperature) {
  const std::int64_t count = projections.size(0) / 2;
  constexpr double kSmallestNorm = 1e-8;  // nothing is divided by 0
  const torch::Tensor unit = projections / projections.norm(2, 1, true).clamp_min(kSmallestNorm);
  torch::Tensor similarity = torch::mm(unit, unit.t()) / temperature;
  // No view is compared to itself.
  similarity = similarity.masked_fill(torch::eye(2 * count, torch::kBool), -HUGE_VAL);
  const torch::Tensor partner =
      torch::cat({torch::arange(count, 2 * count), torch::arange(0, count)});
  return torch::cross_entropy_loss(similarity, partner);
}

void pretrain(Network& network,
              const NetworkInputs& inputs,
              const std::function<void(std::uint64_t epoch, double loss)>& progress,
              const std::stop_token& stop) {
  const torch::Tensor images = distinct_images(network.options(), inputs);
  if (images.size(0) < 2) {
    throw NetworkError(
        fmt::format("network `{}`: pre-training needs at least 2 images, there are {}",
                    network.options().name,
                    images.size(0)));
  }
  if (!network.architecture().encode) {
    throw NetworkError(fmt::format("network `{}`: pre-training is for entities of one image",
                                   network.options().name));
  }
  const RandomScope scope(network.random_state());
  ContrastiveTraining training(network, images);
  for (std::uint64_t epoch = 1; epoch <= network.options().pretraining.epochs; ++epoch) {
    const double loss = training.run_epoch(stop);
    if (stop.stop_requested()) return;
    if (progress) progress(epoch, loss);
  }
}

}  // namespace sorites
