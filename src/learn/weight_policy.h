// Rule weights as a policy: what inference sees is drawn around them (Dickens et al. 2024b, eq.
// 53).
#pragma once

#include <random>
#include <span>
#include <vector>

#include "sorites/learn.h"

namespace sorites {

struct DrawnWeights {
  std::vector<double> weights;  // those that are learned drawn, the others as they are
  std::vector<double> score;    // per weight: d log p(drawn) / d weight; 0 where nothing is drawn
};

// kLogNormal: each weight times a log-normal number of mean 1. kDirichlet: the learned weights are
// shares of their sum, which stays; scores are those at a fixed sum, so w'score = 0.
DrawnWeights draw_weights(const PolicyOptions& options,
                          std::span<const double> weights,
                          std::span<const std::size_t> learned,
                          std::mt19937_64& random);

// d log Gamma(x) / dx, x > 0.
double digamma(double x);

}  // namespace sorites
