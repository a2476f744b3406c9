#include "hinge/explain/effects.h"

#include <cmath>
#include <stdexcept>

#include "hinge/model/term_kind.h"

namespace sorites {

void check_fit(const Explained& what) {
  const std::size_t terms = what.model.num_terms();
  if (what.solution.truth.size() != what.model.num_atoms ||
      (!what.solution.multipliers.empty() && what.solution.multipliers.size() != terms) ||
      what.parameters.weights.size() != what.model.rules.size() ||
      what.parameters.outputs.size() != what.model.num_outputs) {
    throw std::invalid_argument("explain: the solution or parameters do not fit the model");
  }
}

TermEffect effect_of(const Explained& what, TermId term, std::size_t number, double coefficient) {
  const TermBlock& block = what.model.blocks[term.block];
  const double residual =
      residual_of(block, term.term, what.solution.truth, what.parameters.outputs);
  TermEffect effect;
  effect.term = term;
  effect.rule = block.rule;
  effect.coefficient = coefficient;
  if (!what.solution.multipliers.empty()) effect.multiplier = what.solution.multipliers[number];
  effect.force = 0.0 - coefficient * effect.multiplier;
  effect.distance = distance_of(block.kind, residual);
  effect.energy = potential(block.kind, what.parameters.weights[block.rule], effect.distance);
  effect.tight = std::abs(residual) <= kSatisfied;
  return effect;
}

std::vector<GroundRuleEffect> with_texts(const Explained& what,
                                         const GroundOptions& options,
                                         std::vector<TermEffect> effects) {
  std::vector<TermId> terms;
  terms.reserve(effects.size());
  for (const TermEffect& effect : effects) terms.push_back(effect.term);
  std::vector<GroundRuleText> texts =
      ground_rule_texts(what.program, what.database, what.model, terms, options);
  std::vector<GroundRuleEffect> result;
  for (std::size_t i = 0; i < effects.size(); ++i) {
    result.push_back(std::move(effects[i]));
    result.back().ground = std::move(texts[i]);
  }
  return result;
}

}  // namespace sorites
