// Markov logic as a layer of a network (LogicMP): logits in, logits that respect the formulas out.
//
//   LogicLayer layer(model, MeanFieldOptions{.iterations = 5});
//   const auto logits = layer->forward({scores});          // [tokens, tokens]
//   binary_cross_entropy_with_logits(logits[0], truth).backward();
//
// Gradients go through all iterations to the unary potentials and to the weights of the formulas.
// This header needs libtorch; programs that use it link sorites::torch (docs/markov-logic.md).
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include <memory>
#include <vector>

#include "sorites/meanfield.h"

namespace sorites {

class LogicLayerImpl : public torch::nn::Module {
 public:
  explicit LogicLayerImpl(const MarkovModel& model, const MeanFieldOptions& options = {});
  ~LogicLayerImpl() override;

  // Unary potentials of every open predicate, in the order of the model: log-odds of all atoms, row
  // by row, in a tensor of any shape; with classes, the last axis is that of the classes. Returns
  // log-odds of the same shapes.
  std::vector<torch::Tensor> forward(const std::vector<torch::Tensor>& unaries);

  // Weighted number of groundings that independent atoms with these log-odds are expected to
  // violate: a regulariser of networks (the semantic loss relaxed to single groundings, the paper's
  // SLrelax).
  torch::Tensor expected_violation(const std::vector<torch::Tensor>& unaries);

  // Of soft formulas, one after the other: a parameter of the module.
  torch::Tensor weights;

 private:
  struct State;
  void check(const std::vector<torch::Tensor>& unaries) const;

  std::shared_ptr<State> state_;
};
TORCH_MODULE(LogicLayer);

}  // namespace sorites
