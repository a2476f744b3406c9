// The groundings of a formula that push an atom hardest, or cost most, by branch and bound: a
// grounding does no more than its weight times the probability that those of its literals fail that
// have all their constants.
#pragma once

#include <cstdint>
#include <vector>

#include "meanfield/explain_atom.h"
#include "meanfield/model.h"

namespace sorites {

// Probabilities of values of atoms.
class AtomProbabilities {
 public:
  // Both must outlive it.
  AtomProbabilities(const MeanFieldModel& model, const AtomValues<double>& marginals);

  // That the atom has one of the values.
  double of(std::uint32_t predicate,
            std::uint64_t atom,
            const std::vector<std::uint32_t>& values) const;

 private:
  const MeanFieldModel& model_;
  const AtomValues<double>& marginals_;
  std::vector<std::vector<std::uint64_t>> true_atoms_;  // of closed predicates, ascending
};

struct GroundingSearch {
  std::vector<MeanFieldGrounding> hardest;  // hardest first
  bool all_seen = true;
};

// The hardest `max_groundings`; of groundings that do not push at all, none. `hard_weight` is that
// of a hard formula.
GroundingSearch search_groundings(const MeanFieldModel& model,
                                  const MeanFieldFormula& formula,
                                  const AtomProbabilities& probabilities,
                                  std::uint32_t predicate,
                                  std::uint64_t atom,
                                  const MeanFieldExplainOptions& options);

// The same of the groundings that cost most, whatever their atoms: pushes are weights times the
// probability that all literals fail, and groundings have no values.
GroundingSearch search_violations(const MeanFieldModel& model,
                                  const MeanFieldFormula& formula,
                                  const AtomProbabilities& probabilities,
                                  const MeanFieldExplainOptions& options);

}  // namespace sorites
