#include "learn/output_policy.h"

#include <algorithm>

#include "base/uniform.h"

namespace sorites {
namespace {

constexpr double kSmallestProbability = 1e-12;  // of a probability that is divided by

double sum_of(const OutputChoice& choice, std::span<const double> outputs) {
  double sum = 0.0;
  for (const std::uint32_t j : choice.outputs) sum += std::max(outputs[j], 0.0);
  return sum;
}

// Outputs of a softmax sum up to 1 but for rounding.
double total_of(const OutputChoice& choice, std::span<const double> outputs) {
  const double sum = sum_of(choice, outputs);
  return choice.may_be_none ? std::max(sum, 1.0) : sum;
}

}  // namespace

DrawnChoices draw_choices(const LearnSample& sample, std::mt19937_64& random) {
  DrawnChoices drawn;
  for (const OutputChoice& choice : sample.choices) {
    double left = draw_uniform(random) * total_of(choice, sample.outputs);
    const auto count = static_cast<std::uint32_t>(choice.outputs.size());
    std::uint32_t chosen = 0;
    while (chosen < count && left >= sample.outputs[choice.outputs[chosen]]) {
      left -= std::max(sample.outputs[choice.outputs[chosen++]], 0.0);
    }
    if (chosen == count && !choice.may_be_none) --chosen;  // rounding
    drawn.push_back(chosen);
  }
  return drawn;
}

DrawnChoices likeliest_choices(const LearnSample& sample) {
  DrawnChoices result;
  for (const OutputChoice& choice : sample.choices) {
    std::uint32_t best = 0;
    for (std::uint32_t k = 1; k < choice.outputs.size(); ++k) {
      if (sample.outputs[choice.outputs[k]] > sample.outputs[choice.outputs[best]]) best = k;
    }
    const double none = 1.0 - sum_of(choice, sample.outputs);
    const bool is_none = choice.may_be_none && none > sample.outputs[choice.outputs[best]];
    result.push_back(is_none ? static_cast<std::uint32_t>(choice.outputs.size()) : best);
  }
  return result;
}

void put_choice(const OutputChoice& choice, std::uint32_t chosen, std::vector<double>& outputs) {
  for (std::uint32_t k = 0; k < choice.outputs.size(); ++k) {
    outputs[choice.outputs[k]] = k == chosen ? 1.0 : 0.0;
  }
}

std::vector<double> outputs_of(const LearnSample& sample, const DrawnChoices& drawn) {
  std::vector<double> outputs = sample.outputs;
  for (std::size_t c = 0; c < drawn.size(); ++c) put_choice(sample.choices[c], drawn[c], outputs);
  return outputs;
}

void add_score(const LearnSample& sample,
               const DrawnChoices& drawn,
               double factor,
               std::vector<double>& in_outputs) {
  for (std::size_t c = 0; c < drawn.size(); ++c) {
    const OutputChoice& choice = sample.choices[c];
    if (drawn[c] < choice.outputs.size()) {
      const std::uint32_t j = choice.outputs[drawn[c]];
      in_outputs[j] += factor / std::max(sample.outputs[j], kSmallestProbability);
      continue;
    }
    const double none = std::max(1.0 - sum_of(choice, sample.outputs), kSmallestProbability);
    for (const std::uint32_t j : choice.outputs) in_outputs[j] -= factor / none;
  }
}

std::vector<double> in_log_odds(const LearnSample& sample, std::span<const double> in_outputs) {
  std::vector<double> result(in_outputs.size(), 0.0);
  for (const OutputChoice& choice : sample.choices) {
    double mean = 0.0;
    for (const std::uint32_t j : choice.outputs) mean += sample.outputs[j] * in_outputs[j];
    for (const std::uint32_t j : choice.outputs) {
      result[j] = sample.outputs[j] * (in_outputs[j] - mean);
    }
  }
  return result;
}

}  // namespace sorites
