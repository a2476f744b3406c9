#include "meanfield/weight_scales.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/name_table.h"
#include "meanfield/iterations.h"

namespace sorites {
namespace {

constexpr std::array<std::string_view, 4> kNames{
    "none", "largest-message", "smallest-message", "mean-message"};

// The largest message of a formula of weight 1 to each predicate that it sends any to.
std::vector<double> largest_messages(MeanFieldModel model, const MeanFieldOptions& options) {
  std::fill(model.formulas[0].weights.begin(), model.formulas[0].weights.end(), 1.0);
  Iterations<float> iterations(model, {.threads = 1, .plan = options.plan});
  AtomValues<float> undecided;
  for (const AtomLayout& layout : iterations.layouts()) undecided.emplace_back(layout.size(), 0.0F);
  AtomValues<float> marginals;
  iterations.start(undecided, marginals);
  AtomValues<float> messages = iterations.messages(marginals);
  forget_known(iterations.layouts(), messages);
  std::vector<double> largest;
  for (const auto& of_predicate : messages) {
    float most = 0.0F;
    for (const float message : of_predicate) most = std::max(most, std::abs(message));
    if (most > 0.0F) largest.push_back(static_cast<double>(most));
  }
  return largest;
}

}  // namespace

std::string_view name_of(WeightScale scale) { return name_in(kNames, scale); }

std::vector<double> weight_divisors(const MeanFieldModel& model, const MeanFieldOptions& options) {
  std::vector<double> divisors(model.formulas.size(), 1.0);
  if (options.weight_scale != WeightScale::kLargestMessage &&
      options.weight_scale != WeightScale::kSmallestMessage) {
    return divisors;
  }
  MeanFieldModel single = model;
  for (std::size_t f = 0; f < model.formulas.size(); ++f) {
    single.formulas = {model.formulas[f]};
    const std::vector<double> largest = largest_messages(single, options);
    if (largest.empty()) continue;
    const auto [least, most] = std::minmax_element(largest.begin(), largest.end());
    divisors[f] =
        std::max(1.0, options.weight_scale == WeightScale::kLargestMessage ? *most : *least);
  }
  return divisors;
}

}  // namespace sorites
