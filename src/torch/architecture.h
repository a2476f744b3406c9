// A network as the rest of the folder sees it, whatever it is made of.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sorites/network.h"
#include "torch/torch_headers.h"

namespace sorites {

// A batch of entities. Rows that several of them share are there once.
struct BatchInput {
  torch::Tensor rows;   // [rows, shape of features...]; undefined for embeddings
  torch::Tensor index;  // [entities, parts]: rows, or vectors; undefined: entity i is row i
  std::vector<std::int64_t>
      lengths;  // of the sentences that rows are; empty: they are on their own
};

struct Architecture {
  std::function<torch::Tensor(const BatchInput&)> logits;  // [entities, classes]
  // Images to the vectors that enter the last layer; empty if it has none of use.
  std::function<torch::Tensor(const torch::Tensor& rows)> encode;
  std::function<void(bool)> set_training;
  std::vector<torch::Tensor> parameters, buffers;
};

// Draws the parameters at random. Throws NetworkError.
Architecture make_architecture(const NetworkOptions& options);

// Of sentences (sequence_network.cc); `architecture` for the others calls it.
Architecture make_sequence_network(const NetworkOptions& options);

// All but `logits` and `encode` of an architecture that is this module.
Architecture architecture_of(const std::shared_ptr<torch::nn::Module>& module);

// Those that are not described by options.
Architecture make_scripted(const NetworkOptions& options);
Architecture make_registered(const NetworkOptions& options);

// A TorchScript file on the CPU. Its checksums come first: of damaged code the library may make
// anything, and damaged numbers it does not see. Throws whatever says why not.
torch::jit::Module load_script(const std::string& path);

// Outputs of somebody else's module as numbers that can be read: it may compute in other numbers
// than those it is trained in. Throws what says why not.
torch::Tensor single_precision(const torch::Tensor& outputs);

// Throws NetworkError unless there is a row per entity with a number per class. What a module gives
// may depend on its input in any way, so every output is looked at, not only that of a trial.
void check_shape(const NetworkOptions& options,
                 const torch::Tensor& logits,
                 std::int64_t num_entities);

// Rows of all parts of each entity: [entities, shape...], or [entities, parts, shape...].
torch::Tensor rows_of_entities(const BatchInput& input);

// The line of what torch says that tells what is wrong; the others are where in torch it was said.
std::string short_message(const std::exception& error);

}  // namespace sorites
