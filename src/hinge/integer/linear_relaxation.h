// The linear relaxation of parts of a mixed program, by outer approximation: every soft row has a
// variable v_t for its potential, held up by pieces  v_t >= slope r_t + intercept  that are added
// where a point lies below the potential (Duran, Grossmann, "An outer-approximation algorithm for a
// class of mixed-integer nonlinear programs", 1986). Its value is a lower bound at any time.
#pragma once

#include <OsiClpSolverInterface.hpp>
#include <span>
#include <vector>

#include "hinge/integer/mixed_program.h"
#include "hinge/problem/clp_deadline.h"

namespace sorites {

// Per row of a program: the pieces found so far.
using PiecePool = std::vector<std::vector<Piece>>;

// The first pieces of every soft row.
PiecePool first_pieces(const MixedProgram& program);

enum class RelaxationStatus : std::uint8_t { kSolved, kInfeasible, kStopped, kFailed };

class LinearRelaxation {
 public:
  // Columns: the atoms of one part after the other, then their potentials likewise. Program, parts,
  // pool and deadline must outlive it.
  LinearRelaxation(const MixedProgram& program,
                   const ProgramParts& all_parts,
                   std::span<const std::uint32_t> parts,
                   PiecePool& pool,
                   WatchedDeadline& deadline);

  // Solves, and adds pieces until less than `error` of the objective is missing, or nothing changes
  // any more.
  RelaxationStatus solve(double error);

  // Adds the pieces that `columns` lies below if all of them together miss more than `error` of the
  // objective. False if it added nothing.
  bool refine(const double* columns, double error);

  // Holds the integer atoms at the integers nearest to `columns`; release() lets them go.
  void fix_integers(std::span<const double> columns);
  void release();

  OsiClpSolverInterface& linear_program() { return solver_; }
  std::size_t num_atoms() const { return atoms_.size(); }
  const double* columns() const { return solver_.getColSolution(); }
  double scale() const { return scale_; }  // a value of the linear program times this is ours
  // What no state of a part, per index in `parts`, costs less than, if nothing is fixed: proved by
  // the prices of the program that solve() solved last, to the rounding of sums. -infinity if it
  // could not solve the first one.
  std::vector<double> part_bounds() const;
  // Puts the atoms of `columns` into `truth`, which is of the whole program: within their bounds,
  // integer ones rounded.
  void copy_atoms(const double* columns, std::span<double> truth) const;

 private:
  static constexpr std::uint32_t kHardRow = ~std::uint32_t{0};

  // Rows to be added to the linear program.
  struct NewRows {
    std::vector<CoinBigIndex> start{0};
    std::vector<int> columns;
    std::vector<double> elements, lower, upper;
  };

  void load_columns();
  void add_row_entries(std::size_t part, const ProgramRow& row, double factor);
  void add_hard_row(std::size_t part, const ProgramRow& row);
  void add_piece(std::size_t part, std::size_t potential, const Piece& piece);
  void load_new_rows();
  RelaxationStatus status() const;
  std::vector<double> proper_prices() const;

  const MixedProgram& program_;
  const ProgramParts& all_parts_;
  PiecePool& pool_;
  WatchedDeadline& deadline_;
  std::vector<std::uint32_t> parts_;
  std::vector<AtomId> atoms_;            // per column
  std::vector<std::uint32_t> soft_;      // per potential: its row in the program
  std::vector<std::size_t> atom_begin_;  // per part, and the end: in atoms_
  std::vector<std::size_t> soft_begin_;  // per part, and the end: in soft_
  std::vector<std::uint32_t> row_part_;  // per row of the linear program: its part
  std::vector<std::uint32_t> piece_of_;  // the same: its potential, or kHardRow
  NewRows new_rows_;
  std::vector<double> prices_;  // per row of the program that solve() solved last
  OsiClpSolverInterface solver_;
  double scale_ = 0.0;
};

}  // namespace sorites
