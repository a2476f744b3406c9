#include "torch/architecture.h"

#include <string>
#include <utility>

#include "perception/check_options.h"
#include "torch/layers.h"

namespace sorites {
namespace {

std::int64_t classes_of(const NetworkOptions& options) {
  return static_cast<std::int64_t>(options.num_classes);
}

std::int64_t row_size_of(const NetworkOptions& options) {
  std::int64_t size = 1;
  for (const std::size_t extent : options.input_shape) size *= static_cast<std::int64_t>(extent);
  return size;
}

Architecture make_mlp(const NetworkOptions& options) {
  const auto parts = static_cast<std::int64_t>(options.num_parts);
  const auto mlp = std::make_shared<Mlp>(
      parts * row_size_of(options), options.hidden, classes_of(options), style_of(options));
  Architecture result = architecture_of(mlp);
  result.logits = [mlp](const BatchInput& input) {
    return mlp->forward(rows_of_entities(input).flatten(1));
  };
  return result;
}

// A trunk for images, then an mlp. The images of several parts become channels of one.
struct ImageNetwork : torch::nn::Module {
  ImageNetwork(const NetworkOptions& options, std::shared_ptr<Trunk> made)
      : trunk(register_module("trunk", std::move(made))),
        mlp(register_module(
            "mlp",
            std::make_shared<Mlp>(
                trunk->size(), options.hidden, classes_of(options), style_of(options)))) {}

  std::shared_ptr<Trunk> trunk;
  std::shared_ptr<Mlp> mlp;
};

Architecture make_image_network(const NetworkOptions& options) {
  const auto channels = static_cast<std::int64_t>(options.num_parts * options.input_shape[0]);
  const auto network = std::make_shared<ImageNetwork>(options,
                                                      options.kind == NetworkKind::kResNet18
                                                          ? make_residual_layers(options, channels)
                                                          : make_convolutions(options, channels));
  Architecture result = architecture_of(network);
  result.logits = [network, parts = options.num_parts](const BatchInput& input) {
    torch::Tensor images = rows_of_entities(input);
    if (parts > 1) images = images.flatten(1, 2);
    return network->mlp->forward(network->trunk->forward(images));
  };
  if (options.num_parts == 1) {
    result.encode = [network](const torch::Tensor& rows) {
      return network->mlp->hidden(network->trunk->forward(rows));
    };
  }
  return result;
}

// Both parts by one encoder; |a - b| and a b tell how they differ, whichever comes first.
struct SiameseNetwork : torch::nn::Module {
  explicit SiameseNetwork(const NetworkOptions& options) {
    const auto size = static_cast<std::int64_t>(options.embedding_size);
    std::int64_t inputs = row_size_of(options);
    if (is_image_shape(options.input_shape)) {
      trunk = register_module(
          "trunk", make_convolutions(options, static_cast<std::int64_t>(options.input_shape[0])));
      inputs = trunk->size();
    }
    encoder = register_module(
        "encoder", std::make_shared<Mlp>(inputs, options.hidden, size, style_of(options)));
    head = register_module(
        "head",
        std::make_shared<Mlp>(2 * size, options.hidden, classes_of(options), style_of(options)));
  }

  torch::Tensor encode(const torch::Tensor& rows) const {
    return encoder->forward(trunk ? trunk->forward(rows) : rows.flatten(1));
  }

  torch::Tensor compare(const torch::Tensor& a, const torch::Tensor& b) const {
    return head->forward(torch::cat({torch::abs(a - b), a * b}, 1));
  }

  std::shared_ptr<Trunk> trunk;  // null if rows are no images
  std::shared_ptr<Mlp> encoder, head;
};

Architecture make_siamese(const NetworkOptions& options) {
  const auto network = std::make_shared<SiameseNetwork>(options);
  Architecture result = architecture_of(network);
  result.logits = [network](const BatchInput& input) {
    const torch::Tensor codes = network->encode(input.rows);
    return network->compare(codes.index_select(0, input.index.select(1, 0)),
                            codes.index_select(0, input.index.select(1, 1)));
  };
  result.encode = [network](const torch::Tensor& rows) { return network->encode(rows); };
  return result;
}

struct EmbeddingNetwork : torch::nn::Module {
  explicit EmbeddingNetwork(const NetworkOptions& options) {
    const auto size = static_cast<std::int64_t>(options.embedding_size);
    const auto count = static_cast<std::int64_t>(options.vocabulary.size());
    vectors = register_parameter("vectors", torch::randn({count, size}));
    mlp = register_module("mlp",
                          std::make_shared<Mlp>(static_cast<std::int64_t>(options.num_parts) * size,
                                                options.hidden,
                                                classes_of(options),
                                                style_of(options)));
  }

  torch::Tensor vectors;  // per entity of the vocabulary
  std::shared_ptr<Mlp> mlp;
};

Architecture make_embedding(const NetworkOptions& options) {
  const auto network = std::make_shared<EmbeddingNetwork>(options);
  Architecture result = architecture_of(network);
  result.logits = [network](const BatchInput& input) {
    return network->mlp->forward(torch::embedding(network->vectors, input.index).flatten(1));
  };
  return result;
}

}  // namespace

Architecture architecture_of(const std::shared_ptr<torch::nn::Module>& module) {
  Architecture result;
  result.parameters = module->parameters();
  result.buffers = module->buffers();
  result.set_training = [module](bool on) { module->train(on); };
  return result;
}

torch::Tensor rows_of_entities(const BatchInput& input) {
  if (!input.index.defined()) return input.rows;
  torch::Tensor rows = input.rows.index_select(0, input.index.flatten());
  if (input.index.size(1) == 1) return rows;
  return rows.unflatten(0, {input.index.size(0), input.index.size(1)});
}

std::string short_message(const std::exception& error) {
  std::string text = error.what();
  // TorchScript first says where, then what.
  const std::size_t what = text.rfind("RuntimeError: ");
  if (what != std::string::npos) text.erase(0, what);
  // What it says of code that it cannot compile begins with an empty line.
  const std::size_t begin = text.find_first_not_of(" \n");
  if (begin == std::string::npos) return "the library does not say why";
  return text.substr(begin, text.find('\n', begin) - begin);
}

Architecture make_architecture(const NetworkOptions& options) {
  switch (options.kind) {
    case NetworkKind::kMlp:
    case NetworkKind::kSgc:
      return make_mlp(options);
    case NetworkKind::kCnn:
    case NetworkKind::kResNet18:
      return make_image_network(options);
    case NetworkKind::kSiamese:
      return make_siamese(options);
    case NetworkKind::kEmbedding:
      return make_embedding(options);
    case NetworkKind::kBilstm:
      return make_sequence_network(options);
    case NetworkKind::kTorchScript:
      return make_scripted(options);
    case NetworkKind::kRegistered:
      return make_registered(options);
  }
  throw NetworkError("unknown kind of network");
}

}  // namespace sorites
