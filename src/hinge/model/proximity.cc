#include "hinge/model/proximity.h"

namespace sorites {
namespace {

// max(0, sign (y_i - c_i))^2 for every atom.
TermBlock side(const Model& model, std::uint32_t rule, double sign) {
  TermBlock block;
  block.rule = rule;
  block.kind = TermKind::kSquaredHinge;
  block.coefficients = {sign};
  block.output_coefficients = {-sign};
  block.num_terms = model.num_atoms;
  for (std::size_t i = 0; i < model.num_atoms; ++i) {
    block.atoms.push_back(static_cast<AtomId>(i));
    block.outputs.push_back(static_cast<std::uint32_t>(model.num_outputs + i));
  }
  return block;
}

}  // namespace

Model with_proximity(const Model& model) {
  Model result = model;
  const auto rule = static_cast<std::uint32_t>(model.rules.size());
  result.rules.push_back({1.0, false, "proximity", {}});
  result.blocks.push_back(side(model, rule, 1.0));
  result.blocks.push_back(side(model, rule, -1.0));
  result.num_outputs += model.num_atoms;
  return result;
}

}  // namespace sorites
