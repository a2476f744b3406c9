// How far hard rows are from holding together: the linear program
//
//   minimise  sum of s   subject to  a_t'y + b_t <= s_t  (|a_t'y + b_t| <= s_t),  s >= 0,  y
//   bounded.
//
// If its value is above 0 the rows contradict each other, and those with a multiplier other than 0
// do so on their own.
#pragma once

#include <ClpSimplex.hpp>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "solve/clp_deadline.h"
#include "solve/hard_rows.h"

namespace sorites {

class ElasticProgram {
 public:
  struct Bounds {
    double lower, upper;
  };

  ElasticProgram(std::span<const HardRow> rows,
                 std::span<const std::uint32_t> chosen,
                 const std::function<Bounds(AtomId)>& bounds_of,
                 WatchedDeadline& deadline);

  // Whether all rows can hold together, without multipliers: presolve helps much more then. Nothing
  // if that could not be found out in time. To be asked before solve().
  std::optional<bool> can_hold();

  // False if it could not be solved, or not in time.
  bool solve();

  // After solve():
  bool is_contradictory() const { return program_.objectiveValue() > kHardTolerance; }
  bool has_multiplier(std::size_t i) const;  // i: index in `chosen`, as below

  double excess(std::size_t i) const;  // s

  // Rows that are let go do not count.
  void let_go(std::size_t i);
  void take_back(std::size_t i);

 private:
  const std::span<const HardRow> rows_;
  const std::vector<std::uint32_t> chosen_;
  WatchedDeadline& deadline_;
  std::vector<int> excess_begin_;  // per row, and the end: its columns
  ClpSimplex program_;
  bool is_solved_ = false;
};

}  // namespace sorites
