// The ground Markov network: the unknown atoms, and the ground clauses that facts leave undecided.
// Exact and sampled inference work on it; mean field never makes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

// Bits of values of an atom, at most this many.
inline constexpr std::uint32_t kMostGroundValues = 64;
using ValueBits = std::uint64_t;

struct GroundAtom {
  std::uint32_t predicate = 0;
  std::uint64_t atom = 0;               // its number among the predicate's
  ValueBits possible = 0;               // values that facts and hard formulas leave
  std::vector<double> potentials = {};  // per value; those that are not possible mean nothing
};

struct GroundLiteral {
  std::uint32_t atom = 0;  // index in GroundNetwork::atoms
  ValueBits holds = 0;     // the values with which it does; some of the possible, not all

  auto operator<=>(const GroundLiteral&) const = default;  // NOLINT: clang-tidy 14 misreads it
};

// Costs its weight where all literals fail; where it is hard, that is impossible.
struct GroundClause {
  std::vector<GroundLiteral> literals;  // by ascending atoms
  double weight = 0.0;
  bool hard = false;
  std::uint32_t formula = 0;  // the first of those that make it; of a hard one, the first hard one
};

//   log p(v) = sum of potentials - sum of weights of clauses that fail - constant - log Z
struct GroundNetwork {
  std::vector<GroundAtom> atoms;
  std::vector<GroundClause> clauses;  // no two with the same literals
  double constant = 0.0;              // weight of the groundings that facts violate
  bool contradiction = false;         // facts violate a hard formula
  bool complete = true;               // false: there are more than the limits allow
};

struct GroundLimits {
  std::size_t max_atoms = 1'000'000;
  std::size_t max_clauses = 5'000'000;  // a gigabyte
  std::size_t max_steps = 200'000'000;  // of the search for them: some seconds
  std::stop_token stop;
};

// `determined` as HardPropagation has it: atoms known besides the facts, per predicate.
GroundNetwork ground_network(const MeanFieldModel& model,
                             const AtomValues<double>& unaries,
                             const std::vector<std::vector<KnownAtom>>& determined,
                             const GroundLimits& limits = {});

}  // namespace sorites
