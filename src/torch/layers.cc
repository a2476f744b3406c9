#include "torch/layers.h"

#include <string>

namespace sorites {

torch::Tensor activate(Activation activation, const torch::Tensor& x) {
  switch (activation) {
    case Activation::kRelu:
      return torch::relu(x);
    case Activation::kTanh:
      return torch::tanh(x);
    case Activation::kSigmoid:
      return torch::sigmoid(x);
    case Activation::kGelu:
      return torch::gelu(x);
    case Activation::kElu:
      return torch::elu(x);
  }
  return x;
}

Norm::Norm(Normalization kind, std::int64_t size) : kind_(kind) {
  if (kind_ == Normalization::kNone) return;
  gain_ = register_parameter("gain", torch::ones({size}));
  shift_ = register_parameter("shift", torch::zeros({size}));
  if (kind_ == Normalization::kLayer) return;
  mean_ = register_buffer("mean", torch::zeros({size}));
  variance_ = register_buffer("variance", torch::ones({size}));
}

torch::Tensor Norm::forward(const torch::Tensor& x) const {
  constexpr double kMomentum = 0.1, kEpsilon = 1e-5;  // torch's own defaults
  switch (kind_) {
    case Normalization::kNone:
      return x;
    case Normalization::kBatch: {
      // One number has no variance: a batch of one is normalised as in inference.
      const bool by_batch = is_training() && x.numel() > x.size(1);
      return torch::batch_norm(
          x, gain_, shift_, mean_, variance_, by_batch, kMomentum, kEpsilon, false);
    }
    case Normalization::kLayer:
      return torch::group_norm(x, 1, gain_, shift_, kEpsilon);
  }
  return x;
}

LayerStyle style_of(const NetworkOptions& options) {
  return {options.activation, options.normalization, options.dropout};
}

Mlp::Mlp(std::int64_t inputs,
         const std::vector<std::size_t>& hidden,
         std::int64_t outputs,
         LayerStyle style)
    : style_(style), hidden_size_(inputs) {
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    const auto width = static_cast<std::int64_t>(hidden[i]);
    layers_.push_back(register_module(
        "layer" + std::to_string(i), std::make_shared<torch::nn::LinearImpl>(hidden_size_, width)));
    norms_.push_back(register_module("norm" + std::to_string(i),
                                     std::make_shared<Norm>(style.normalization, width)));
    hidden_size_ = width;
  }
  last_ = register_module("last", torch::nn::Linear(hidden_size_, outputs));
}

torch::Tensor Mlp::hidden(torch::Tensor x) const {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    x = activate(style_.activation, norms_[i]->forward(layers_[i]->forward(x)));
    if (style_.dropout > 0.0) x = torch::dropout(x, style_.dropout, is_training());
  }
  return x;
}

namespace {

using Convolution = torch::nn::Conv2dImpl;

std::shared_ptr<Convolution> convolution(std::int64_t inputs,
                                         std::int64_t outputs,
                                         std::int64_t kernel,
                                         std::int64_t stride,
                                         bool bias) {
  return std::make_shared<Convolution>(torch::nn::Conv2dOptions(inputs, outputs, kernel)
                                           .stride(stride)
                                           .padding(kernel / 2)
                                           .bias(bias));
}

class Convolutions : public Trunk {
 public:
  Convolutions(const NetworkOptions& options, std::int64_t channels) : style_(style_of(options)) {
    std::vector<std::size_t> widths = options.channels;
    if (widths.empty()) widths = {16, 32};
    const auto kernel = static_cast<std::int64_t>(options.kernel_size);
    auto height = static_cast<std::int64_t>(options.input_shape[1]);
    auto width = static_cast<std::int64_t>(options.input_shape[2]);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const auto outputs = static_cast<std::int64_t>(widths[i]);
      const bool bias = style_.normalization == Normalization::kNone;  // else that has one
      Block block{convolution(channels, outputs, kernel, 1, bias),
                  std::make_shared<Norm>(style_.normalization, outputs),
                  height >= 2 && width >= 2};
      register_module("convolution" + std::to_string(i), block.convolution);
      register_module("norm" + std::to_string(i), block.norm);
      if (block.pooled) height /= 2, width /= 2;
      channels = outputs;
      blocks_.push_back(std::move(block));
    }
    size_ = channels * height * width;
  }

  torch::Tensor forward(const torch::Tensor& images) override {
    // Activations that only grow may follow the pooling, where there is a quarter of the work.
    const bool late = style_.activation != Activation::kGelu;
    torch::Tensor x = images;
    for (const Block& block : blocks_) {
      x = block.norm->forward(block.convolution->forward(x));
      if (!late) x = activate(style_.activation, x);
      if (block.pooled) x = torch::max_pool2d(x, 2);
      if (late) x = activate(style_.activation, x);
    }
    x = x.flatten(1);
    return style_.dropout > 0.0 ? torch::dropout(x, style_.dropout, is_training()) : x;
  }

  std::int64_t size() const override { return size_; }

 private:
  struct Block {
    std::shared_ptr<Convolution> convolution;
    std::shared_ptr<Norm> norm;
    bool pooled;
  };

  LayerStyle style_;
  std::vector<Block> blocks_;
  std::int64_t size_ = 0;
};

// Two convolutions and the short cut around them.
class ResidualBlock : public torch::nn::Module {
 public:
  ResidualBlock(const LayerStyle& style,
                std::int64_t inputs,
                std::int64_t outputs,
                std::int64_t stride)
      : style_(style),
        first_(register_module("first", convolution(inputs, outputs, 3, stride, false))),
        second_(register_module("second", convolution(outputs, outputs, 3, 1, false))),
        first_norm_(
            register_module("first_norm", std::make_shared<Norm>(style.normalization, outputs))),
        second_norm_(
            register_module("second_norm", std::make_shared<Norm>(style.normalization, outputs))) {
    if (stride == 1 && inputs == outputs) return;
    short_cut_ = register_module("short_cut", convolution(inputs, outputs, 1, stride, false));
    short_cut_norm_ =
        register_module("short_cut_norm", std::make_shared<Norm>(style.normalization, outputs));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    torch::Tensor y = activate(style_.activation, first_norm_->forward(first_->forward(x)));
    y = second_norm_->forward(second_->forward(y));
    return activate(style_.activation,
                    y + (short_cut_ ? short_cut_norm_->forward(short_cut_->forward(x)) : x));
  }

 private:
  LayerStyle style_;
  std::shared_ptr<Convolution> first_, second_, short_cut_;
  std::shared_ptr<Norm> first_norm_, second_norm_, short_cut_norm_;
};

class ResidualLayers : public Trunk {
 public:
  ResidualLayers(const NetworkOptions& options, std::int64_t channels) : style_(style_of(options)) {
    if (style_.normalization == Normalization::kNone) style_.normalization = Normalization::kBatch;
    auto width = static_cast<std::int64_t>(options.channels.empty() ? std::size_t{64}
                                                                    : options.channels.front());
    stem_ = register_module("stem", convolution(channels, width, 3, 1, false));
    stem_norm_ = register_module("stem_norm", std::make_shared<Norm>(style_.normalization, width));
    constexpr int kStages = 4, kBlocksPerStage = 2;  // He et al. 2016, table 1: 18 layers
    size_ = width;
    for (int stage = 0; stage < kStages; ++stage, width *= 2) {
      for (int i = 0; i < kBlocksPerStage; ++i) {
        const std::int64_t stride = stage > 0 && i == 0 ? 2 : 1;
        blocks_.push_back(
            register_module("block" + std::to_string(blocks_.size()),
                            std::make_shared<ResidualBlock>(style_, size_, width, stride)));
        size_ = width;
      }
    }
  }

  torch::Tensor forward(const torch::Tensor& images) override {
    torch::Tensor x = activate(style_.activation, stem_norm_->forward(stem_->forward(images)));
    for (const auto& block : blocks_) x = block->forward(x);
    x = x.mean({2, 3});
    return style_.dropout > 0.0 ? torch::dropout(x, style_.dropout, is_training()) : x;
  }

  std::int64_t size() const override { return size_; }

 private:
  LayerStyle style_;
  std::shared_ptr<Convolution> stem_;
  std::shared_ptr<Norm> stem_norm_;
  std::vector<std::shared_ptr<ResidualBlock>> blocks_;
  std::int64_t size_ = 0;
};

}  // namespace

std::shared_ptr<Trunk> make_convolutions(const NetworkOptions& options, std::int64_t channels) {
  return std::make_shared<Convolutions>(options, channels);
}

std::shared_ptr<Trunk> make_residual_layers(const NetworkOptions& options, std::int64_t channels) {
  return std::make_shared<ResidualLayers>(options, channels);
}

}  // namespace sorites
