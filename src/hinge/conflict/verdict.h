// Whether hard rows can hold together, with a proof of either answer.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hinge/conflict/hard_rows.h"
#include "hinge/problem/clp_deadline.h"

namespace sorites {

// Some hard rows, their atoms numbered from 0.
struct LocalRows {
  std::vector<HardRow> rows;
  std::size_t num_atoms = 0;
  std::vector<AtomId> atoms;  // the rows' spans of atoms are views of it
};

LocalRows local_rows(std::span<const HardRow> rows, std::span<const std::uint32_t> chosen);

struct Verdict {
  std::optional<bool> can_hold;           // nothing: not found out in time
  std::vector<double> state;              // if they can: per atom, such a state
  std::vector<std::uint32_t> conflict{};  // if not: numbers of rows that contradict each other
};

// Elimination of atoms first; then linear programming, by the dual simplex method: it ends at a
// state, or at an extreme ray of multipliers (Farkas), whose rows are few. Rows that contradict
// each other by less than kHardTolerance count as holding.
Verdict judge(const LocalRows& local,
              std::optional<std::uint32_t> left_out,  // this row does not count
              WatchedDeadline& deadline);

}  // namespace sorites
