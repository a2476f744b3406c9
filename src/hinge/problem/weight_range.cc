#include "hinge/problem/weight_range.h"

#include <fmt/format.h>

#include "hinge/model/term_kind.h"

namespace sorites {

WeightRange weight_range(const Model& model, const Parameters& parameters) {
  WeightRange range;
  for (const TermBlock& block : model.blocks) {
    if (is_hard(block.kind) || block.num_terms == 0) continue;
    range.add(block.rule, parameters.weights[block.rule]);
  }
  return range;
}

std::string blame_weights(const WeightRange& range, double weight_scale, std::string_view where) {
  constexpr double kWide = 1e4;  // the light rule is then within the default gap of the heavy one
  if (range.largest < kWide * range.smallest) return {};
  return fmt::format(
      "rule {} weighs {:.3g} and rule {}{} {:.3g}: too far apart to be solved together. Make the "
      "heavy rule hard, or bring the weights closer",
      range.heaviest + 1,
      range.largest * weight_scale,
      range.lightest + 1,
      where,
      range.smallest * weight_scale);
}

}  // namespace sorites
