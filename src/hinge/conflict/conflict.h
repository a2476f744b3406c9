// Why hard rules cannot hold together: a small set of ground rules that contradict each other.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// What a search for a reason has at least, even if the time is up: without one there is little to
// begin with the answer.
inline constexpr double kMomentSeconds = 0.5;

struct Conflict {
  std::vector<TermId> terms;  // no state in [0, 1]^n keeps them all; in the order of the model
  bool irreducible = false;   // but without any one of them, some state keeps the others
};

// Hard terms (kAtMost, kEqual) that contradict each other by more than 1e-6; nothing if all can
// hold together, or if neither is settled when `stop` is asked for or after `seconds`. A set that
// is found is made irreducible in the time that is left, up to 30 seconds, or stays larger and says
// so.
//
// Method: bound propagation per connected component, whose trail explains a contradiction; what it
// leaves open goes to elimination of atoms and linear programming (verdict.h). The set is then
// reduced by divide and conquer over propagation (QuickXplain: Junker 2004), and by a deletion
// filter, where states found for one row serve for many (rotate_witness.h).
std::optional<Conflict> find_conflict(const Model& model,
                                      const Parameters& parameters,
                                      double seconds,
                                      const std::stop_token& stop);

}  // namespace sorites
