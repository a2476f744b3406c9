// The log-odds that an atom has a value, from the numbers of its predicate: its own log-odds, or
// with classes one number per class, of which probabilities are the softmax.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "meanfield/atom_state.h"
#include "meanfield/model.h"

namespace sorites {

// The logarithm of the sum of the exponentials of all numbers but one.
template <class Real>
double log_sum_of_others(std::span<const Real> numbers, std::size_t left_out) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0.0;
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    if (c != left_out) largest = std::max(largest, static_cast<double>(numbers[c]));
  }
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    if (c != left_out) sum += std::exp(static_cast<double>(numbers[c]) - largest);
  }
  return largest + std::log(sum);
}

// log(q / (1 - q)) with q the probability of the value; without classes of true, whatever it is.
template <class Real>
double value_odds(const AtomLayout& layout,
                  const KnownAtom& atom,
                  const std::vector<Real>& numbers) {
  const std::size_t channels = layout.num_channels, first = atom.atom * channels;
  if (!layout.has_classes()) return static_cast<double>(numbers[first]);
  const std::span<const Real> own = std::span(numbers).subspan(first, channels);
  return static_cast<double>(own[atom.value]) - log_sum_of_others<Real>(own, atom.value);
}

// The way back: adds the slopes of a loss in the numbers, given that in the log-odds.
template <class Real>
void add_odds_slope(const AtomLayout& layout,
                    const KnownAtom& atom,
                    const std::vector<Real>& numbers,
                    double slope,
                    std::vector<Real>& slopes) {
  const std::size_t channels = layout.num_channels, first = atom.atom * channels;
  slopes[first + (layout.has_classes() ? atom.value : 0)] += static_cast<Real>(slope);
  if (!layout.has_classes()) return;
  const std::span<const Real> own = std::span(numbers).subspan(first, channels);
  const double others = log_sum_of_others<Real>(own, atom.value);
  for (std::size_t c = 0; c < channels; ++c) {
    if (c == atom.value) continue;
    slopes[first + c] -= static_cast<Real>(slope * std::exp(static_cast<double>(own[c]) - others));
  }
}

}  // namespace sorites
