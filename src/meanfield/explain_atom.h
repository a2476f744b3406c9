// What single formulas add to the log-odds of an atom.
#pragma once

#include <cstdint>
#include <vector>

#include "sorites/markov_explain.h"

namespace sorites {

// The numbers of one atom among those of all: one, or one per class.
std::vector<double> numbers_of(const MarkovModel& model,
                               const AtomValues<double>& values,
                               std::uint32_t predicate,
                               std::uint64_t atom);

// Numbers of classes matter up to a constant: with a mean of zero.
std::vector<double> centred(std::vector<double> log_odds);

// The messages of one formula are those of a model that has no other.
MarkovModel with_formula_alone(const MarkovModel& model, std::size_t formula);

}  // namespace sorites
