// What a model says about networks whose outputs are the values of deep predicates. Nothing here
// needs torch. docs/networks.md is the guide; the names of options there are those of the fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sorites {

// A network, its inputs or its file are not what they should be: what() says which, and what to do.
struct NetworkError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class NetworkKind : std::uint8_t {
  kMlp,          // "mlp": layers of neurons
  kCnn,          // "cnn": convolutions with pooling, then an mlp
  kResNet18,     // "resnet18": 18 layers of convolutions with short cuts, then an mlp
  kSiamese,      // "siamese": the same encoder for both parts, then an mlp on how they differ
  kSgc,          // "sgc": an mlp on features that were averaged over a graph
  kEmbedding,    // "embedding": a learned vector per entity, then an mlp
  kBilstm,       // "bilstm": words and their letters, read in both directions, then an mlp
  kTorchScript,  // "torchscript": a file that torch.jit saved
  kRegistered,   // "registered": a C++ module, see sorites/torch.h
};

enum class Activation : std::uint8_t { kRelu, kTanh, kSigmoid, kGelu, kElu };
enum class Normalization : std::uint8_t { kNone, kBatch, kLayer };

// How the last layer becomes values in [0, 1].
enum class OutputKind : std::uint8_t {
  kSoftmax,        // over the classes
  kSigmoid,        // each class for itself
  kGumbelSoftmax,  // in training: softmax of noisy values, close to one class
  // Square roots of the softmax. Energies are convex in outputs, so that a mixture of two states
  // that rules like costs nothing; the roots of a mixture lie outside, and cost.
  kRootSoftmax,
};

enum class NetworkOptimizer : std::uint8_t { kAdam, kAdamW, kSgd, kAdagrad };

// What becomes of a rate over the epochs.
enum class RateSchedule : std::uint8_t { kConstant, kCosine, kLinear, kStep };

struct NetworkTraining {
  bool frozen = false;  // it does not learn, and runs in training as it does in inference
  NetworkOptimizer optimizer = NetworkOptimizer::kAdam;
  double learning_rate = 0.001;
  double weight_decay = 0.0;
  double momentum = 0.9;  // of SGD
  RateSchedule schedule = RateSchedule::kConstant;
  std::uint64_t schedule_period = 30;  // epochs between the tenfold drops of kStep
  double max_gradient_norm = std::numeric_limits<double>::infinity();
  double supervised_loss = 1.0;  // coefficient of the cross-entropy of labelled entities
  double symbolic_loss = 1.0;    // coefficient of what the rules say
  // Images are moved, turned, scaled (each axis for itself), slanted and warped at random in
  // training: pixels, degrees, parts of 1, parts of 1, pixels.
  double max_shift = 0.0, max_rotation = 0.0, max_scaling = 0.0, max_shear = 0.0, max_warp = 0.0;
};

// Contrastive pre-training (SimCLR) of the encoder: two random views of an image belong together.
struct NetworkPretraining {
  std::uint64_t epochs = 0;  // 0: none
  std::size_t batch_size = 256;
  double learning_rate = 0.001;
  double temperature = 0.5;
  std::size_t projection_size = 64;
  double max_shift = 3.0, max_rotation = 15.0, max_scaling = 0.2, max_shear = 0.0, max_warp = 0.0;
};

struct NetworkOptions {
  std::string name;  // of its predicate
  NetworkKind kind = NetworkKind::kMlp;
  std::string module;  // kTorchScript: the file; kRegistered: the name
  std::string load;    // a file of parameters to begin with; empty: random parameters
  std::vector<std::size_t> hidden = {64};  // widths of the layers between
  // Of the convolutions; empty: {16, 32} of a cnn, and 64 in the first layers of a resnet18.
  std::vector<std::size_t> channels;
  std::size_t kernel_size = 3;  // of the convolutions of a cnn
  Activation activation = Activation::kRelu;
  Normalization normalization = Normalization::kNone;
  double dropout = 0.0;
  OutputKind output = OutputKind::kSoftmax;
  double temperature = 1.0;                 // of the softmax
  std::optional<double> final_temperature;  // reached in the last epoch, by equal factors
  std::vector<std::size_t> input_shape;     // of a row of features
  std::size_t num_parts = 1;                // rows per entity
  std::size_t num_classes = 0;
  std::vector<std::string> vocabulary;  // kEmbedding: the entities that have vectors
  std::size_t embedding_size = 32;      // kSiamese: of what the encoder makes of a part
  NetworkTraining training;
  NetworkPretraining pretraining;
};

// What there is to tell of a network.
struct NetworkSummary {
  std::string name;
  std::string_view kind;
  std::size_t parameters = 0, entities = 0, classes = 0, labelled = 0;
  bool loaded = false;  // its parameters are from a file
};

// "mlp", "relu", "batch", "gumbel-softmax", "adam", "cosine": the names of the model file.
std::string_view name_of(NetworkKind kind);
std::string_view name_of(Activation activation);
std::string_view name_of(Normalization normalization);
std::string_view name_of(OutputKind output);
std::string_view name_of(NetworkOptimizer optimizer);
std::string_view name_of(RateSchedule schedule);

}  // namespace sorites
