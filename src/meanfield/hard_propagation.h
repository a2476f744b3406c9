// What the hard formulas of a model entail by unit propagation (Davis et al. 1962): where the facts
// leave a ground hard clause one literal that can hold, it does. Only such groundings are ever
// looked at: they are found by joining the lists of what is known, from each new piece of knowledge
// on.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

struct HardPropagationOptions {
  std::size_t max_steps = 20'000'000;  // of the joins; some seconds
  std::stop_token stop;
};

// A grounding of a clause of a hard formula.
struct HardGrounding {
  std::uint32_t formula = 0, clause = 0;
  std::vector<std::uint64_t> atoms;  // per literal
  std::vector<bool> fails_by_facts;  // per literal: whatever else is entailed
};

struct HardPropagation {
  // Per predicate: atoms that have their value in every world, ascending; facts apart.
  std::vector<std::vector<KnownAtom>> determined;
  // Groundings that cannot hold together, given the facts, each after what it follows from; none if
  // no contradiction was found. There may be one that unit propagation does not find.
  std::vector<HardGrounding> conflict;
  bool complete = true;  // false: it stopped at `max_steps`, and there may be more
};

HardPropagation propagate_hard(const MeanFieldModel& model, const HardPropagationOptions& options);

}  // namespace sorites
