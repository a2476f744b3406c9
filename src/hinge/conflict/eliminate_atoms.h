// Makes hard rows few before linear programming sees them: atoms go where that leaves no more rows
// than there were. Chains and cycles of two-atom rows, however long, end as a row or two.
//
// Method: an atom of an equality is put into the other rows; an atom of inequalities goes by
// Fourier-Motzkin elimination (each row that bounds it from above plus each that bounds it from
// below); atoms that no row tells apart become one, their sum. Bounds take part as rows do. The
// rows that are left can hold if and only if the first ones can.
#pragma once

#include <deque>
#include <optional>

#include "hinge/conflict/derived_rows.h"
#include "hinge/problem/deadline.h"

namespace sorites {

class Elimination {
 public:
  using RowId = std::uint32_t;
  struct Bound {
    double value;
    Derivations::Id reason = Derivations::kGiven;
    double scale = 0.0;  // as SparseRow::scale
  };
  struct Row : SparseRow {
    Derivations::Id reason;
    bool is_alive = true;
  };

  // Atoms are below `num_atoms`. `left_out` (a number of `rows`, if any) does not count.
  Elimination(std::span<const HardRow> rows,
              std::size_t num_atoms,
              std::optional<std::uint32_t> left_out,
              const Deadline& deadline);

  // Hard rows that contradict each other, if that came out already.
  const std::optional<std::vector<std::uint32_t>>& contradiction() const { return contradiction_; }

  // What is left otherwise.
  const std::vector<Row>& rows() const { return rows_; }  // those that are alive count
  const Bound& lower(AtomId atom) const { return bounds_[atom].lower; }
  const Bound& upper(AtomId atom) const { return bounds_[atom].upper; }
  const Derivations& derivations() const { return derivations_; }

  // Gives atoms that went values that keep all rows, if those in `state` that are left do.
  void complete(std::vector<double>& state) const;

 private:
  struct AtomBounds {
    Bound lower, upper;
  };
  struct Column {
    std::vector<RowId> rows;
    std::size_t num_dead = 0;
  };
  struct Part {  // of a sum
    AtomId atom;
    double lower, upper;
  };
  struct Gone {
    AtomId atom;
    std::vector<RowId> rows;  // which bounded it then, besides lower() and upper()
    std::vector<Part> parts;  // or what has been a sum since then, by the name of the first
  };
  struct Replacement {
    SparseRow row;
    Derivations::Id first, second;
  };

  void enqueue(AtomId atom);
  std::vector<RowId>& column(AtomId atom);
  std::size_t cost_of(AtomId atom, std::size_t limit);
  void add(SparseRow row, Derivations::Id reason);
  void refute(const SparseRow& row, Derivations::Id reason, bool negated);
  void tighten(const SparseRow& row, Derivations::Id reason);

  void try_atom(AtomId atom);
  void fix(AtomId atom, const std::vector<RowId>& rows);
  void substitute(AtomId atom, const std::vector<RowId>& rows, RowId equality);
  void fourier_motzkin(AtomId atom, const std::vector<RowId>& rows);
  Replacement relax(const SparseRow& row, Derivations::Id reason, AtomId atom) const;
  bool is_idle(const SparseRow& row) const;
  static bool is_too_large(const std::vector<Replacement>& replacements);
  bool is_more(const std::vector<Replacement>& replacements, const std::vector<RowId>& rows) const;
  void replace(AtomId atom,
               const std::vector<RowId>& rows,
               const std::vector<RowId>& bounding,
               std::vector<Replacement> replacements);
  void kill(RowId row);

  std::vector<std::vector<AtomId>> twins();
  bool merge_twins();
  void complete_gone(const Gone& gone, std::vector<double>& state) const;
  static void split(const Gone& merged, std::vector<double>& state);

  Derivations derivations_;
  std::vector<Row> rows_;
  std::vector<Column> columns_;     // per atom
  std::vector<AtomBounds> bounds_;  // per atom
  std::vector<char> is_queued_;     // per atom
  std::deque<AtomId> queue_;
  std::vector<Gone> gone_;
  std::optional<std::vector<std::uint32_t>> contradiction_;
};

}  // namespace sorites
