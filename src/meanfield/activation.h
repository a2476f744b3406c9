// From log-odds to probabilities.
#pragma once

#include <cstddef>
#include <span>

#include "base/thread_pool.h"

namespace sorites {

// probability = 1 / (1 + exp(-log_odds)), with small relative error also near 0. Nothing overflows;
// below the smallest normal number it is that. Both may be the same memory.
template <class Real>
void sigmoid(std::span<const Real> log_odds, std::span<Real> probability, ThreadPool& pool);

// The same on this thread alone.
template <class Real>
void sigmoid(std::span<const Real> log_odds, std::span<Real> probability);

// probability[c][i] = exp(log_odds[c][i]) / sum over classes d of exp(log_odds[d][i]), both with
// the numbers of a class together. Both may be the same memory.
template <class Real>
void softmax(std::span<const Real> log_odds,
             std::size_t num_classes,
             std::span<Real> probability,
             ThreadPool& pool);

// The same in place, on this thread alone.
template <class Real>
void softmax(std::span<Real> numbers, std::size_t num_classes);

}  // namespace sorites
