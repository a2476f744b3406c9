// Worlds of a slice, drawn evenly where that takes little: of each connected part of what a world
// must keep, all possibilities are looked at.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "meanfield/clause_state.h"
#include "meanfield/sample_sat.h"

namespace sorites {

class SliceParts {
 public:
  // Parts of atoms that clauses connect: those that must hold, and may fail. What they are given
  // must outlive them.
  SliceParts(const SatTask& task, const GroundNetwork& network);

  bool has_large() const { return has_large_; }

  // New values for all atoms of small parts; those of large ones stay. Where nothing keeps a part,
  // it stays as well.
  void draw(ClauseState& state, std::mt19937_64& random) const;

 private:
  struct Part {
    std::vector<std::uint32_t> atoms;
    std::vector<std::vector<std::uint32_t>> clauses;  // per atom: those of which it is the last
  };

  bool can_fail(const GroundClause& clause) const;
  void connect(const GroundNetwork& network);
  void draw(const Part& part, ClauseState& state, std::mt19937_64& random) const;

  const SatTask& task_;
  std::vector<Part> small_;
  bool has_large_ = false;
};

}  // namespace sorites
