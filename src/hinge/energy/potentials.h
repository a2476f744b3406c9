// Sums over the terms of a model that gradients are made of (METHODS: sensitivities).
#pragma once

#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// Phi_r(y): per rule, the sum of its unweighted potentials; 0 for hard rules. It is the gradient of
// the energy in the weights.
std::vector<double> potentials_by_rule(const Model& model,
                                       std::span<const double> truth,
                                       std::span<const double> outputs,
                                       ThreadPool& pool);

// Adds B'mu, the gradient of the value function in the network outputs.
void add_output_slopes(const Model& model,
                       std::span<const double> multipliers,
                       std::vector<double>& slopes);

// mu of a state where nothing is left to choose: the slopes of the potentials.
std::vector<double> slopes_at(const Model& model,
                              const Parameters& parameters,
                              std::span<const double> truth);

}  // namespace sorites
