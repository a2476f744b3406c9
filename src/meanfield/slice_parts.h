// Worlds of a slice, drawn evenly where that takes little: of each connected part of what a world
// must keep, all possibilities are looked at.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "base/joined_sets.h"
#include "meanfield/clause_state.h"
#include "meanfield/sample_sat.h"

namespace sorites {

// For one slice after the other: a chain makes thousands, and memory once.
class SliceParts {
 public:
  explicit SliceParts(const GroundNetwork& network);  // which must outlive them

  // Parts of atoms that clauses connect: those that must hold, and may fail. The task is looked at
  // until the next one is given.
  void find(const SatTask& task);

  bool has_large() const { return atoms_.size() < place_.size(); }

  // New values for all atoms of small parts; those of large ones stay. Where nothing keeps a part,
  // it stays as well.
  void draw(ClauseState& state, std::mt19937_64& random);

 private:
  bool can_fail(const GroundClause& clause) const;
  void connect();
  void place_atoms();
  void place_clauses();

  const GroundNetwork& network_;
  const SatTask* task_ = nullptr;
  JoinedSets sets_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> last_atoms_;  // of clauses that matter
  std::vector<std::uint64_t> worlds_;                                // per set
  std::vector<std::uint32_t> next_place_;                            // per set
  std::vector<std::uint32_t> place_;                                 // per atom: in atoms_, or none
  std::vector<std::uint32_t> atoms_, part_ends_;                     // of small parts
  std::vector<std::uint32_t> clauses_, clause_begins_;  // per place: those of which it is the last
  std::vector<std::uint32_t> chosen_;
};

}  // namespace sorites
