#include "hinge/integer/linear_relaxation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sorites {
namespace {

// Rounds of new pieces, and how often the bound is looked at: pieces that lift it by less than a
// hundredth of the error in so many rounds no longer help.
constexpr int kMaxRounds = 200, kPatience = 8;
constexpr double kLeastGain = 0.01;
constexpr double kTolerance = 1e-9;  // of the simplex method; CLP's 1e-7 is too near to kFeasible

// A point may lie below a piece that is there by the tolerance of the linear program.
bool is_known(const std::vector<Piece>& pieces, const Piece& piece) {
  return std::any_of(pieces.begin(), pieces.end(), [&](const Piece& known) {
    return std::abs(known.slope - piece.slope) <= kTolerance * piece.slope;
  });
}

}  // namespace

PiecePool first_pieces(const MixedProgram& program) {
  PiecePool pool(program.rows.size());
  for (std::size_t r = 0; r < program.rows.size(); ++r) {
    const ProgramRow& row = program.rows[r];
    if (is_hard(row.kind)) continue;
    // At most three more: enough for the few values that the residuals of logical rules have.
    constexpr double kBend = 1e-6;  // just beyond the kink
    for (const double residual : {row.largest, row.largest - 0.5, row.largest - 1.5, kBend}) {
      if (residual <= 0.0) continue;
      const Piece piece = program.piece_at(row, residual);
      if (pool[r].empty() || pool[r].back().slope != piece.slope) pool[r].push_back(piece);
    }
  }
  return pool;
}

LinearRelaxation::LinearRelaxation(const MixedProgram& program,
                                   const ProgramParts& all_parts,
                                   std::span<const std::uint32_t> parts,
                                   PiecePool& pool,
                                   WatchedDeadline& deadline)
    : program_(program),
      all_parts_(all_parts),
      pool_(pool),
      deadline_(deadline),
      parts_(parts.begin(), parts.end()),
      atom_begin_{0},
      soft_begin_{0} {
  solver_.messageHandler()->setLogLevel(0);
  solver_.getModelPtr()->setLogLevel(0);
  solver_.setDblParam(OsiPrimalTolerance, kTolerance);
  solver_.setDblParam(OsiDualTolerance, kTolerance);
  const ClpDeadline handler(deadline_);
  solver_.getModelPtr()->passInEventHandler(&handler);
  load_columns();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    for (const std::uint32_t r : all_parts_.parts[parts_[p]].rows) {
      if (is_hard(program_.rows[r].kind)) add_hard_row(p, program_.rows[r]);
    }
    for (std::size_t s = soft_begin_[p]; s < soft_begin_[p + 1]; ++s) {
      for (const Piece& piece : pool_[soft_[s]]) add_piece(p, s, piece);
    }
  }
  load_new_rows();
}

void LinearRelaxation::load_columns() {
  for (const std::uint32_t p : parts_) {
    const ProgramPart& part = all_parts_.parts[p];
    atoms_.insert(atoms_.end(), part.atoms.begin(), part.atoms.end());
    atom_begin_.push_back(atoms_.size());
    for (const std::uint32_t r : part.rows) {
      if (!is_hard(program_.rows[r].kind)) soft_.push_back(r);
    }
    soft_begin_.push_back(soft_.size());
  }
  std::vector<double> lower, upper, cost;
  for (const AtomId atom : atoms_) {
    lower.push_back(program_.lower[atom]);
    upper.push_back(program_.upper[atom]);
    cost.push_back(program_.cost[atom]);
  }
  for (const std::uint32_t r : soft_) {
    lower.push_back(0.0);
    upper.push_back(COIN_DBL_MAX);
    cost.push_back(program_.rows[r].weight);
  }
  for (const double c : cost) scale_ = std::max(scale_, std::abs(c));
  if (scale_ == 0.0) scale_ = 1.0;
  for (double& c : cost) c /= scale_;
  CoinPackedMatrix no_rows(false, 0, 0);
  no_rows.setDimensions(0, static_cast<int>(cost.size()));
  solver_.loadProblem(no_rows, lower.data(), upper.data(), cost.data(), nullptr, nullptr);
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    if (program_.is_integer[atoms_[i]] != 0) solver_.setInteger(static_cast<int>(i));
  }
}

void LinearRelaxation::add_row_entries(std::size_t part, const ProgramRow& row, double factor) {
  for (std::size_t k = 0; k < row.atoms.size(); ++k) {
    const std::size_t column = atom_begin_[part] + all_parts_.place[row.atoms[k]];
    new_rows_.columns.push_back(static_cast<int>(column));
    new_rows_.elements.push_back(factor * row.coefficients[k]);
  }
}

void LinearRelaxation::add_hard_row(std::size_t part, const ProgramRow& row) {
  add_row_entries(part, row, 1.0);
  row_part_.push_back(static_cast<std::uint32_t>(part));
  piece_of_.push_back(kHardRow);
  new_rows_.start.push_back(static_cast<CoinBigIndex>(new_rows_.columns.size()));
  new_rows_.lower.push_back(row.kind == TermKind::kEqual ? -row.offset : -COIN_DBL_MAX);
  new_rows_.upper.push_back(-row.offset);
}

void LinearRelaxation::add_piece(std::size_t part, std::size_t potential, const Piece& piece) {
  if (piece.slope == 0.0) return;
  const ProgramRow& row = program_.rows[soft_[potential]];
  add_row_entries(part, row, piece.slope);
  row_part_.push_back(static_cast<std::uint32_t>(part));
  piece_of_.push_back(static_cast<std::uint32_t>(potential));
  new_rows_.columns.push_back(static_cast<int>(atoms_.size() + potential));
  new_rows_.elements.push_back(-1.0);
  new_rows_.start.push_back(static_cast<CoinBigIndex>(new_rows_.columns.size()));
  new_rows_.lower.push_back(-COIN_DBL_MAX);
  new_rows_.upper.push_back(-piece.at(row.offset));
}

void LinearRelaxation::load_new_rows() {
  solver_.addRows(static_cast<int>(new_rows_.lower.size()),
                  new_rows_.start.data(),
                  new_rows_.columns.data(),
                  new_rows_.elements.data(),
                  new_rows_.lower.data(),
                  new_rows_.upper.data());
  new_rows_ = {};
}

bool LinearRelaxation::refine(const double* columns, double error) {
  const double at_least = 0.5 * error / static_cast<double>(std::max<std::size_t>(soft_.size(), 1));
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    for (std::size_t s = soft_begin_[p]; s < soft_begin_[p + 1]; ++s) {
      const ProgramRow& row = program_.rows[soft_[s]];
      double residual = row.offset;
      for (std::size_t k = 0; k < row.atoms.size(); ++k) {
        residual += row.coefficients[k] * columns[atom_begin_[p] + all_parts_.place[row.atoms[k]]];
      }
      const Piece piece = program_.piece_at(row, residual);
      const double missing = piece.at(residual) - columns[atoms_.size() + s];
      if (row.weight * missing <= at_least || is_known(pool_[soft_[s]], piece)) continue;
      pool_[soft_[s]].push_back(piece);
      add_piece(p, s, piece);
    }
  }
  if (new_rows_.lower.empty()) return false;
  load_new_rows();
  return true;
}

RelaxationStatus LinearRelaxation::status() const {
  if (deadline_.hit) return RelaxationStatus::kStopped;
  if (solver_.isProvenOptimal()) return RelaxationStatus::kSolved;
  if (solver_.isProvenPrimalInfeasible()) return RelaxationStatus::kInfeasible;
  return RelaxationStatus::kFailed;
}

RelaxationStatus LinearRelaxation::solve(double error) {
  prices_.clear();
  solver_.initialSolve();
  std::vector<double> optimum;
  double last = -COIN_DBL_MAX;
  for (int round = 0; round < kMaxRounds && status() == RelaxationStatus::kSolved; ++round) {
    optimum.assign(columns(), columns() + solver_.getNumCols());
    prices_.assign(solver_.getRowPrice(), solver_.getRowPrice() + solver_.getNumRows());
    if (round % kPatience == kPatience - 1) {
      const double bound = solver_.getObjValue() * scale_;
      if (bound - last < kLeastGain * error) break;  // pieces no longer help
      last = bound;
    }
    if (deadline_.check() || !refine(optimum.data(), error)) break;
    solver_.resolve();
  }
  return status();
}

void LinearRelaxation::fix_integers(std::span<const double> columns) {
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    if (program_.is_integer[atoms_[i]] == 0) continue;
    const double value =
        std::clamp(std::round(columns[i]), program_.lower[atoms_[i]], program_.upper[atoms_[i]]);
    solver_.setColBounds(static_cast<int>(i), value, value);
  }
}

void LinearRelaxation::release() {
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    solver_.setColBounds(static_cast<int>(i), program_.lower[atoms_[i]], program_.upper[atoms_[i]]);
  }
}

// Those of the linear program within their domains, which the simplex method leaves by its
// tolerance: not above 0 but at equalities, and the pieces of a potential cost no more than it.
std::vector<double> LinearRelaxation::proper_prices() const {
  std::vector<double> prices = prices_, used(soft_.size(), 0.0);
  const double *lower = solver_.getRowLower(), *upper = solver_.getRowUpper();
  for (std::size_t r = 0; r < prices.size(); ++r) {
    if (lower[r] < upper[r]) prices[r] = std::min(prices[r], 0.0);
    if (piece_of_[r] != kHardRow) used[piece_of_[r]] -= prices[r];
  }
  const double* cost = solver_.getObjCoefficients() + atoms_.size();
  for (std::size_t r = 0; r < prices.size(); ++r) {
    const std::uint32_t s = piece_of_[r];
    if (s != kHardRow && used[s] > cost[s]) prices[r] *= cost[s] / used[s];
  }
  return prices;
}

// A column of the optimum that breaks a row by the tolerance of the simplex method costs that much
// less, which is a lot where its weight is large beside the others. So the bound is that of the
// prices, whatever the columns: sum of price times side, plus what is left of costs where the
// atoms make least of it.
std::vector<double> LinearRelaxation::part_bounds() const {
  if (prices_.empty() && solver_.getNumRows() > 0) {
    return std::vector<double>(parts_.size(), -std::numeric_limits<double>::infinity());
  }
  const std::vector<double> prices = proper_prices();
  std::vector<double> bounds(parts_.size(), 0.0);
  std::vector<double> left(solver_.getObjCoefficients(),
                           solver_.getObjCoefficients() + atoms_.size());
  const CoinPackedMatrix& rows = *solver_.getMatrixByRow();
  for (std::size_t r = 0; r < prices.size(); ++r) {
    if (prices[r] == 0.0) continue;
    const auto row = static_cast<int>(r);
    bounds[row_part_[r]] += prices[r] * solver_.getRowUpper()[r];
    const CoinBigIndex begin = rows.getVectorFirst(row);
    for (CoinBigIndex k = begin; k < begin + rows.getVectorSize(row); ++k) {
      const auto column = static_cast<std::size_t>(rows.getIndices()[k]);
      if (column < left.size()) left[column] -= prices[r] * rows.getElements()[k];
    }
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    for (std::size_t i = atom_begin_[p]; i < atom_begin_[p + 1]; ++i) {
      bounds[p] +=
          std::min(left[i] * program_.lower[atoms_[i]], left[i] * program_.upper[atoms_[i]]);
    }
    bounds[p] *= scale_;
  }
  return bounds;
}

void LinearRelaxation::copy_atoms(const double* columns, std::span<double> truth) const {
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    const AtomId atom = atoms_[i];
    double value = program_.is_integer[atom] != 0 ? std::round(columns[i]) : columns[i];
    if (std::isnan(value)) value = 0.0;  // an interrupted program may leave anything
    truth[atom] = std::clamp(value, program_.lower[atom], program_.upper[atom]);
  }
}

}  // namespace sorites
