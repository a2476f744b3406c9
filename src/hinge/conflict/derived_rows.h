// Rows that follow from hard rows, each with what it follows from: so that a row which cannot hold
// leads back to hard rows that contradict each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hinge/conflict/hard_rows.h"

namespace sorites {

// a'y + b <= 0, or = 0; entries ascend by atom.
struct SparseRow {
  struct Entry {
    AtomId atom;
    double coefficient;
  };
  std::vector<Entry> entries;
  bool is_equal = false;
  double offset = 0.0;
  // The largest multiplier of a hard row in it: an excess counts in units of it.
  double scale = 1.0;
};

double coefficient_of(std::span<const SparseRow::Entry> entries, AtomId atom);

// `row` + factor * `other`, without `atom`, which cancels out.
SparseRow combine(const SparseRow& row, double factor, const SparseRow& other, AtomId atom);

// Where rows come from. Numbers below `num_sources` are hard rows; all others rest on two earlier
// ones.
class Derivations {
 public:
  using Id = std::uint32_t;
  static constexpr Id kGiven = ~Id{0};  // 0 <= y <= 1 needs no reason

  explicit Derivations(std::size_t num_sources) : num_sources_(num_sources) {}

  // What rests on both; either may be kGiven.
  Id join(Id first, Id second);
  // The hard rows that `ids` rest on, ascending.
  std::vector<std::uint32_t> sources_of(std::vector<Id> ids) const;

 private:
  struct Parents {
    Id first, second;
  };
  std::size_t num_sources_;
  std::vector<Parents> parents_;
};

}  // namespace sorites
