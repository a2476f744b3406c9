#include "hinge/problem/regularize.h"

#include "hinge/model/term_kind.h"

namespace sorites {
namespace {

// y_i^2 for every atom.
TermBlock squares_of_atoms(const Model& model, std::uint32_t rule) {
  TermBlock block;
  block.rule = rule;
  block.kind = TermKind::kSquaredHinge;
  block.coefficients = {1.0};
  block.num_terms = model.num_atoms;
  block.atoms.extend(model.num_atoms);
  for (std::size_t i = 0; i < model.num_atoms; ++i) block.atoms[i] = static_cast<AtomId>(i);
  return block;
}

}  // namespace

Model regularized(const Model& model) {
  Model result = model;
  const auto rule = static_cast<std::uint32_t>(model.rules.size());
  result.rules.push_back({1.0, false, "regularization", {}});
  for (const TermBlock& block : model.blocks) {
    if (is_hard(block.kind)) continue;
    TermBlock& squares = result.blocks.emplace_back(block);
    squares.rule = rule;
    squares.kind = TermKind::kSquaredHinge;
  }
  if (model.num_atoms > 0) result.blocks.push_back(squares_of_atoms(model, rule));
  return result;
}

Parameters regularized(Parameters parameters, double eps) {
  parameters.weights.push_back(eps / parameters.weight_scale);
  return parameters;
}

Solution regularized(const Model& model, Solution solution) {
  if (solution.multipliers.size() != model.num_terms()) return solution;  // none, or of another
  std::size_t num_terms = model.num_terms() + model.num_atoms;
  for (const TermBlock& block : model.blocks)
    num_terms += is_hard(block.kind) ? 0 : block.num_terms;
  solution.multipliers.resize(num_terms, 0.0);
  return solution;
}

std::vector<double> without_regularization(const Model& model, std::vector<double> multipliers) {
  if (multipliers.empty()) return multipliers;
  std::size_t term = 0, square = model.num_terms();
  for (const TermBlock& block : model.blocks) {
    if (is_hard(block.kind)) {
      term += block.num_terms;
      continue;
    }
    for (std::size_t t = 0; t < block.num_terms; ++t) multipliers[term++] += multipliers[square++];
  }
  multipliers.resize(term);
  return multipliers;
}

}  // namespace sorites
