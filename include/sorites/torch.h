// Sorites in programs that use libtorch: they link sorites::torch.
//
// Markov logic as a layer of a network (LogicMP; docs/markov-logic.md): logits in, logits that
// respect the formulas out, with gradients in unary potentials and weights.
//
// Networks of your own as C++ modules (docs/networks.md): a model's network of kind "registered"
// whose `module` is this name is made by the factory.
#pragma once

#include <ATen/core/ivalue.h>  // first: with C++20, clang needs it whole in the headers below
#include <torch/nn/module.h>
#include <torch/nn/modules/container/any.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sorites/meanfield.h"
#include "sorites/network.h"

namespace sorites {

class LogicLayerImpl : public torch::nn::Module {
 public:
  LogicLayerImpl(const Program& program,
                 const Database& database,
                 const MeanFieldOptions& options = {});
  explicit LogicLayerImpl(const MeanFieldModel& model, const MeanFieldOptions& options = {});
  ~LogicLayerImpl() override;

  // Unary potentials of every open predicate, in the order of the model: log-odds of all atoms, row
  // by row, in a tensor of any shape; with classes, the last axis is that of the classes. Returns
  // log-odds of the same shapes.
  std::vector<torch::Tensor> forward(const std::vector<torch::Tensor>& unaries);

  // The expected weighted number of violated groundings of independent atoms with these log-odds: a
  // regulariser of networks (the paper's SLrelax, the semantic loss of single groundings).
  torch::Tensor expected_violation(const std::vector<torch::Tensor>& unaries);

  // A parameter of the module: per soft rule, of `+v` rules per combination of constants.
  torch::Tensor weights;

 private:
  struct State;
  void check(const std::vector<torch::Tensor>& unaries) const;

  std::shared_ptr<State> state_;
};
TORCH_MODULE(LogicLayer);

// Makes a module whose forward() takes one tensor of features, [entities, shape...] or, for
// entities of several parts, [entities, parts, shape...], to numbers [entities, classes]: those
// that enter the softmax or sigmoid. Its parameters must be single-precision. torch's random
// numbers are those of the network's seed while it runs.
using NetworkFactory = std::function<torch::nn::AnyModule(const NetworkOptions&)>;

// Another factory of the same name is replaced. Networks are made by make_networks().
void register_network(std::string name, NetworkFactory factory);

}  // namespace sorites
