// Integer atoms: no multiplier holds them, so that the question is answered by asking what the
// other value would take.
#include <algorithm>

#include "hinge/explain/effects.h"
#include "hinge/integer/integer_flip.h"

namespace sorites {
namespace {

std::vector<TermEffect> effects_of(const Explained& what,
                                   AtomId atom,
                                   std::span<const TermId> terms) {
  std::vector<TermEffect> effects;
  for (const TermId& term : terms) {
    const TermBlock& block = what.model.blocks[term.block];
    const auto atoms = block.atoms_of(term.term);
    const auto found = std::find(atoms.begin(), atoms.end(), atom);
    const double coefficient =
        found == atoms.end() ? 0.0
                             : block.coefficients[static_cast<std::size_t>(found - atoms.begin())];
    effects.push_back(effect_of(what, term, 0, coefficient));
  }
  return effects;
}

}  // namespace

void explain_integer_atom(const Explained& what,
                          AtomId atom,
                          const SolveOptions& solve,
                          const ExplainOptions& options,
                          AtomExplanation& result) {
  check_fit(what);
  ThreadPool pool(options.ground.threads);
  const IntegerFlip flip =
      flip_integer_atom(what.model, what.parameters, solve, what.solution.truth, atom, pool);
  result.is_integer = true;
  result.is_forced = flip.status == SolveStatus::kInfeasible;
  result.flip_cost = flip.cost;
  result.flip_bound = flip.status == SolveStatus::kOptimal ? flip.cost : flip.least_cost;
  std::vector<TermEffect> reasons = effects_of(what, atom, flip.reasons);
  result.reasons = with_texts(what, options.ground, std::move(reasons));
}

}  // namespace sorites
