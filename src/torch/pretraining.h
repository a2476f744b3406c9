// Contrastive training of an encoder without labels.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

#include "perception/networks.h"
#include "torch/network.h"

namespace sorites {

// Chen, Kornblith, Norouzi, Hinton, "A Simple Framework for Contrastive Learning of Visual
// Representations", 2020, algorithm 1. Ends early if `stop` says so. Throws LearnError if the loss
// is not finite.
void pretrain(Network& network,
              const NetworkInputs& inputs,
              const std::function<void(std::uint64_t epoch, double loss)>& progress,
              const std::stop_token& stop);

// The loss of that paper's equation 1 (NT-Xent), where rows i and i + n of `projections` [2 n,
// size] are views of one image.
torch::Tensor contrastive_loss(const torch::Tensor& projections, double temperature);

}  // namespace sorites
