#include "hinge/problem/weight_range.h"

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

}  // namespace sorites
