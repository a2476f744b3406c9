// What keeps an integer atom at its value: ground rules that force it, or what the other value
// costs.
#pragma once

#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// Status: of the search for the best state in which the atom has its other value.
//   kOptimal     `cost` is what the objective would rise by, up to the gap
//   kInfeasible  the hard rules force the value: `reasons` are ground rules that do so together
//   others       the search was ended: the rise is at least `least_cost`, and at most `cost`
struct IntegerFlip {
  SolveStatus status = SolveStatus::kOptimal;
  double cost = 0.0;                // in the unit of the weights; infinite if no state was found
  double least_cost = 0.0;          // no state with the other value costs less
  std::vector<AtomId> moved;        // other atoms that the best state moves, ascending
  std::vector<TermId> reasons;      // of kInfeasible; none if some atoms around are continuous
  bool reasons_are_needed = false;  // without any one of the reasons the others do not force it
};

// `truth` is a state that keeps the hard rules, in which the atom is 0 or 1. Only the connected
// part of the atom is solved again. Throws std::invalid_argument if the atom is none of
// `options.integer`.
IntegerFlip flip_integer_atom(const Model& model,
                              const Parameters& parameters,
                              const SolveOptions& options,
                              std::span<const double> truth,
                              AtomId atom,
                              ThreadPool& pool);

}  // namespace sorites
