// What networks are made of. A tensor's first extent is the entities of a batch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sorites/network.h"
#include "torch/torch_headers.h"

namespace sorites {

torch::Tensor activate(Activation activation, const torch::Tensor& x);

// Normalisation of vectors [n, size] or maps [n, size, height, width].
class Norm : public torch::nn::Module {
 public:
  Norm(Normalization kind, std::int64_t size);
  torch::Tensor forward(const torch::Tensor& x) const;

 private:
  Normalization kind_;
  torch::Tensor gain_, shift_, mean_, variance_;
};

// How all layers of a network look.
struct LayerStyle {
  Activation activation = Activation::kRelu;
  Normalization normalization = Normalization::kNone;
  double dropout = 0.0;
};
LayerStyle style_of(const NetworkOptions& options);

// Layers of neurons, the last one without activation.
class Mlp : public torch::nn::Module {
 public:
  Mlp(std::int64_t inputs,
      const std::vector<std::size_t>& hidden,
      std::int64_t outputs,
      LayerStyle style);
  torch::Tensor forward(const torch::Tensor& x) const { return last_(hidden(x)); }
  // What enters the last layer.
  torch::Tensor hidden(torch::Tensor x) const;
  std::int64_t hidden_size() const { return hidden_size_; }

 private:
  LayerStyle style_;
  std::vector<std::shared_ptr<torch::nn::LinearImpl>> layers_;
  std::vector<std::shared_ptr<Norm>> norms_;
  // forward() of a torch layer is not const.
  mutable torch::nn::Linear last_ = nullptr;
  std::int64_t hidden_size_ = 0;
};

// Takes images to vectors.
class Trunk : public torch::nn::Module {
 public:
  virtual torch::Tensor forward(const torch::Tensor& images) = 0;
  virtual std::int64_t size() const = 0;  // of a vector
};

// Per entry of `channels` a convolution, normalisation, activation and pooling of 2 x 2.
std::shared_ptr<Trunk> make_convolutions(const NetworkOptions& options, std::int64_t channels);

// He, Zhang, Ren, Sun, "Deep Residual Learning for Image Recognition", 2016, table 1, with a stem
// for small images: 3 x 3 and no pooling. Always normalised, by batch if options do not say.
std::shared_ptr<Trunk> make_residual_layers(const NetworkOptions& options, std::int64_t channels);

}  // namespace sorites
