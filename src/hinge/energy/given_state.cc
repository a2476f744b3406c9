#include "hinge/energy/given_state.h"

#include <algorithm>

#include "hinge/model/residual.h"
#include "hinge/model/split_components.h"
#include "hinge/model/term_kind.h"

namespace sorites {
namespace {

// Adds `slope` times the coefficients of a term.
void scatter(std::span<const std::uint32_t> where,
             std::span<const double> coefficients,
             double slope,
             std::vector<double>& sums) {
  for (std::size_t k = 0; k < where.size(); ++k) sums[where[k]] += coefficients[k] * slope;
}

void add_block(const TermBlock& block,
               const Parameters& parameters,
               std::span<const double> state,
               bool has_squares,
               StateValue& result) {
  const double weight = is_hard(block.kind) ? 0.0 : parameters.weights[block.rule];
  double potentials = 0.0;  // of weight 1
  for (std::size_t t = 0; t < block.num_terms; ++t) {
    const double r = residual_of(block, t, state, parameters.outputs);
    result.violation = std::max(result.violation, violation(block.kind, r));
    potentials += potential(block.kind, 1.0, r);
    if (const double push = slope(block.kind, weight, r); push != 0.0) {
      scatter(block.atoms_of(t), block.coefficients, push, result.in_state);
      scatter(block.outputs_of(t), block.output_coefficients, push, result.in_outputs);
    }
    if (!has_squares) continue;
    result.squares += r * r;
    scatter(block.outputs_of(t), block.output_coefficients, 2.0 * r, result.squares_in_outputs);
  }
  result.in_weights[block.rule] += potentials;
  result.value += weight * potentials;
}

}  // namespace

StateValue energy_at(const Model& model,
                     const Parameters& parameters,
                     std::span<const double> state,
                     std::size_t num_written) {
  StateValue result;
  result.state.assign(state.begin(), state.end());
  result.in_state.assign(model.num_atoms, 0.0);
  result.in_weights.assign(model.rules.size(), 0.0);
  result.in_outputs.assign(model.num_outputs, 0.0);
  result.squares_in_outputs.assign(model.num_outputs, 0.0);
  for (const TermBlock& block : model.blocks) {
    const bool has_squares = !is_hard(block.kind) && block.rule < num_written;
    add_block(block, parameters, state, has_squares, result);
  }
  return result;
}

std::vector<ComponentEnergy> component_energies(const Model& model,
                                                const Parameters& parameters,
                                                std::span<const double> state) {
  const ComponentsOfModel components = components_of(model);
  std::vector<ComponentEnergy> result(components.count + 1);  // the last: terms of numbers alone
  for (const TermBlock& block : model.blocks) {
    const double weight = is_hard(block.kind) ? 0.0 : parameters.weights[block.rule];
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      const bool connects = !block.atoms_of(t).empty() || !block.outputs_of(t).empty();
      ComponentEnergy& to = connects ? result[components.of_term(model, block, t)] : result.back();
      const double r = residual_of(block, t, state, parameters.outputs);
      ++to.terms;
      to.energy += potential(block.kind, weight, r);
      to.violation = std::max(to.violation, violation(block.kind, r));
    }
  }
  for (std::uint32_t i = 0; i < components.of_node.size(); ++i) {
    if (components.of_node[i] == kNoComponent) continue;
    ComponentEnergy& to = result[components.of_node[i]];
    if (i < model.num_atoms) {
      to.atoms.push_back(i);
    } else {
      to.outputs.push_back(i - static_cast<std::uint32_t>(model.num_atoms));
    }
  }
  if (result.back().terms == 0) result.pop_back();
  return result;
}

}  // namespace sorites
