// A network as the rest of the folder sees it, whatever it is made of.
#pragma once

#include <functional>
#include <vector>

#include "sorites/network.h"
#include "torch/torch_headers.h"

namespace sorites {

// A batch of entities. Rows that several of them share are there once.
struct BatchInput {
  torch::Tensor rows;   // [rows, shape of features...]; undefined for embeddings
  torch::Tensor index;  // [entities, parts]: rows, or vectors; undefined: entity i is row i
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

// Those that are not described by options.
Architecture make_scripted(const NetworkOptions& options);
Architecture make_registered(const NetworkOptions& options);

// A TorchScript file on the CPU. Its checksums come first: of damaged code the library may make
// anything, and damaged numbers it does not see. Throws whatever says why not.
torch::jit::Module load_script(const std::string& path);

// Rows of all parts of each entity: [entities, shape...], or [entities, parts, shape...].
torch::Tensor rows_of_entities(const BatchInput& input);

// The line of what torch says that tells what is wrong; the others are where in torch it was said.
std::string short_message(const std::exception& error);

}  // namespace sorites
