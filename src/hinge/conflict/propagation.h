// Bound propagation over hard rows: what a row and the bounds of its other atoms say about an atom
// tightens the bounds of that atom, until nothing changes or a row cannot hold any more.
//
// Every change goes to a trail, with the row it came from: so that it can be taken back, and
// explained.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hinge/conflict/hard_rows.h"
#include "hinge/problem/deadline.h"

namespace sorites {

class Propagation {
 public:
  // No row is active. `rows` and `deadline` must outlive it.
  Propagation(std::span<const HardRow> rows, std::size_t num_atoms, const Deadline& deadline);

  // Makes rows active and propagates. False if the active rows contradict each other; then only
  // explain_contradiction() and undo() make sense.
  bool add(std::span<const std::uint32_t> rows);

  struct Mark {
    std::size_t num_changes, num_active;
  };
  Mark mark() const { return {trail_.size(), active_.size()}; }
  void undo(const Mark& mark);

  // Active rows that do not hold if all atoms are at their lower (upper) bounds. If there are none,
  // that point is a proof that the active rows can hold together.
  std::size_t num_broken_at_lower() const { return points_[0].num_broken; }
  std::size_t num_broken_at_upper() const { return points_[1].num_broken; }

  // Active rows that contradict each other, after add() gave false. Each stands after those that
  // its part in the contradiction rests on, and next to them as far as that is possible.
  std::vector<std::uint32_t> explain_contradiction() const;
  // Active rows that the bounds of `atoms` rest on.
  std::vector<std::uint32_t> explain_bounds(std::span<const AtomId> atoms) const;

  double lower(AtomId atom) const { return points_[0].bound[atom]; }
  double upper(AtomId atom) const { return points_[1].bound[atom]; }
  // It gave up before nothing changed: bounds are right, but could be tighter.
  bool gave_up() const { return gave_up_; }

 private:
  enum Side : std::uint8_t { kLower, kUpper };
  struct Entry {  // of a column
    std::uint32_t row;
    double coefficient;
  };
  // All atoms at their lower, or all at their upper bounds.
  struct Point {
    std::vector<double> bound;        // per atom
    std::vector<std::uint32_t> last;  // per atom: its last change + 1, or 0
    std::vector<double> residual;     // per row
    std::size_t num_broken = 0;       // of the active rows
  };
  struct Change {
    AtomId atom;
    Side side;
    bool negated;  // it follows from -(a'y + b) <= 0, the other half of an equality
    std::uint32_t row;
    std::uint32_t previous;  // change of this bound + 1, or 0
    double from;
  };

  bool propagate();
  bool visit(std::uint32_t row);
  bool visit_half(std::uint32_t row, bool negated);
  void tighten(std::uint32_t row, bool negated, std::size_t k, double slack);
  void move_bound(Side side, AtomId atom, double to);
  void set_active(std::uint32_t row, bool active);
  void wake(AtomId atom);
  void append_causes(std::uint32_t row,
                     bool negated,
                     std::uint32_t before,
                     AtomId except,
                     std::vector<std::uint32_t>& changes) const;
  std::vector<std::uint32_t> trace(std::vector<std::uint32_t> changes) const;

  std::span<const HardRow> rows_;
  const Deadline& deadline_;
  std::vector<std::size_t> column_begin_;  // per atom, and the end
  std::vector<Entry> column_;
  Point points_[2];  // by Side
  std::vector<Change> trail_;
  std::vector<std::uint32_t> active_;
  std::vector<char> is_active_, is_queued_;  // per row
  std::vector<std::uint32_t> queue_;
  std::uint64_t work_left_ = 0;
  bool gave_up_ = false;
  std::uint32_t broken_row_ = 0;  // of the contradiction
  bool broken_half_ = false;
};

}  // namespace sorites
