// A world of a ground Markov network: what every atom is, and how many literals of each clause
// hold. What samplers walk on.
#pragma once

#include <bit>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "meanfield/ground_network.h"

namespace sorites {

class ClauseState {
 public:
  // A literal of an atom.
  struct Use {
    std::uint32_t clause = 0;
    ValueBits holds = 0;
  };

  // `network` must outlive it. All atoms have their lowest possible value.
  explicit ClauseState(const GroundNetwork& network)
      : network_(network), uses_(network.atoms.size()), num_holding_(network.clauses.size(), 0) {
    for (std::uint32_t c = 0; c < network.clauses.size(); ++c) {
      for (const GroundLiteral& literal : network.clauses[c].literals) {
        uses_[literal.atom].push_back({c, literal.holds});
      }
    }
    for (std::uint32_t i = 0; i < network.atoms.size(); ++i) {
      values_.push_back(static_cast<std::uint32_t>(std::countr_zero(network.atoms[i].possible)));
      for (const Use& use : uses_[i]) num_holding_[use.clause] += holds(use, values_[i]) ? 1 : 0;
    }
  }

  const GroundNetwork& network() const { return network_; }
  std::uint32_t value(std::uint32_t atom) const { return values_[atom]; }
  std::span<const Use> uses(std::uint32_t atom) const { return uses_[atom]; }
  static bool holds(const Use& use, std::uint32_t value) { return (use.holds >> value & 1) != 0; }
  bool fails(std::uint32_t clause) const { return num_holding_[clause] == 0; }
  // Whether the clause fails but for this literal of the atom.
  bool hangs_on(std::uint32_t atom, const Use& use) const {
    return num_holding_[use.clause] == (holds(use, values_[atom]) ? 1U : 0U);
  }

  void set(std::uint32_t atom, std::uint32_t value) {
    for (const Use& use : uses_[atom]) {
      num_holding_[use.clause] -= holds(use, values_[atom]) ? 1 : 0;
      num_holding_[use.clause] += holds(use, value) ? 1 : 0;
    }
    values_[atom] = value;
  }

 private:
  const GroundNetwork& network_;
  std::vector<std::vector<Use>> uses_;  // per atom
  std::vector<std::uint32_t> num_holding_, values_;
};

// One of the values, all alike. There must be some.
template <class Random>
std::uint32_t any_of(ValueBits bits, Random& random) {
  int skipped = std::uniform_int_distribution<int>(0, std::popcount(bits) - 1)(random);
  while (skipped-- > 0) bits &= bits - 1;
  return static_cast<std::uint32_t>(std::countr_zero(bits));
}

}  // namespace sorites
