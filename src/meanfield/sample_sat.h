// Worlds that keep all of some clauses, nearly all alike: SampleSAT (Wei et al. 2004).
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "meanfield/clause_state.h"

namespace sorites {

// What a world must keep.
struct SatTask {
  std::vector<ValueBits> allowed;  // per atom of the network; never none
  std::vector<bool> must_hold;     // per clause
};

// Walks from a random world until all is kept, then on among worlds that keep it. If it takes too
// long, from the world that `state` is; returns whether that world, or the one found, keeps all.
bool sample_sat(const SatTask& task, ClauseState& state, std::mt19937_64& random);

}  // namespace sorites
