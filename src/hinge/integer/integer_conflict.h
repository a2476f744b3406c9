// Why hard rules cannot hold with integer atoms, or force one of them: a small set of ground rules.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hinge/conflict/conflict.h"
#include "hinge/problem/deadline.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// A value that an atom is to have.
struct AssumedValue {
  AtomId atom = 0;
  int value = 0;
};

// Hard terms among `atoms` (ascending, all of them integer) that no state of 0 and 1 keeps,
// together with what is assumed, if anything is. Nothing if some state keeps them all, or none is
// settled when the deadline passes; a set that is found is made irreducible in the time that is
// left, or stays larger and says so.
//
// Method: divide and conquer (QuickXplain: Junker 2004), every question answered by a search of its
// own.
std::optional<Conflict> find_integer_conflict(const Model& model,
                                              const Parameters& parameters,
                                              std::span<const AtomId> atoms,
                                              const std::optional<AssumedValue>& assumed,
                                              const Deadline& deadline);

}  // namespace sorites
