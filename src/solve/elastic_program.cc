#include "solve/elastic_program.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sorites {
namespace {

// Column by column, as Clp wants it; entries are (row, column, coefficient).
struct Triplets {
  std::vector<int> row, column;
  std::vector<double> coefficient;

  void add(std::size_t r, std::size_t c, double a) {
    row.push_back(static_cast<int>(r));
    column.push_back(static_cast<int>(c));
    coefficient.push_back(a);
  }
};

std::vector<AtomId> atoms_of(std::span<const HardRow> rows, std::span<const std::uint32_t> chosen) {
  std::vector<AtomId> atoms;
  for (const std::uint32_t r : chosen) {
    atoms.insert(atoms.end(), rows[r].atoms.begin(), rows[r].atoms.end());
  }
  std::sort(atoms.begin(), atoms.end());
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  return atoms;
}

}  // namespace

ElasticProgram::ElasticProgram(std::span<const HardRow> rows,
                               std::span<const std::uint32_t> chosen,
                               const std::function<Bounds(AtomId)>& bounds_of,
                               WatchedDeadline& deadline)
    : rows_(rows), chosen_(chosen.begin(), chosen.end()), deadline_(deadline) {
  program_.setLogLevel(0);
  program_.setPrimalTolerance(1e-9);
  const ClpDeadline handler(deadline_);
  program_.passInEventHandler(&handler);

  std::vector<double> lower, upper, cost, row_lower, row_upper;
  const std::vector<AtomId> atoms = atoms_of(rows_, chosen_);
  for (const AtomId atom : atoms) {
    const Bounds bounds = bounds_of(atom);
    lower.push_back(bounds.lower);
    upper.push_back(bounds.upper);
    cost.push_back(0.0);
  }
  Triplets entries;
  const auto add_excess = [&](std::size_t i, double coefficient) {
    entries.add(i, lower.size(), coefficient);
    lower.push_back(0.0);
    upper.push_back(COIN_DBL_MAX);
    cost.push_back(1.0);
  };
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const HardRow& row = rows_[chosen_[i]];
    for (std::size_t k = 0; k < row.atoms.size(); ++k) {
      const auto found = std::lower_bound(atoms.begin(), atoms.end(), row.atoms[k]);
      entries.add(i, static_cast<std::size_t>(found - atoms.begin()), row.coefficients[k]);
    }
    excess_begin_.push_back(static_cast<int>(lower.size()));
    add_excess(i, -1.0);
    if (row.is_equal) add_excess(i, 1.0);
    row_lower.push_back(row.is_equal ? -row.offset : -COIN_DBL_MAX);
    row_upper.push_back(-row.offset);
  }
  excess_begin_.push_back(static_cast<int>(lower.size()));
  const CoinPackedMatrix matrix(true,
                                entries.row.data(),
                                entries.column.data(),
                                entries.coefficient.data(),
                                static_cast<CoinBigIndex>(entries.row.size()));
  program_.loadProblem(
      matrix, lower.data(), upper.data(), cost.data(), row_lower.data(), row_upper.data());
}

std::optional<bool> ElasticProgram::can_hold() {
  for (int c = excess_begin_.front(); c < excess_begin_.back(); ++c) {
    program_.setColumnUpper(c, 0.0);
  }
  ClpSolve method;
  method.setDoImpliedFree(false);  // that step of presolve leaks memory
  program_.initialSolve(method);
  const bool known = !deadline_.hit && program_.status() <= 1;
  const bool feasible = program_.status() == 0;
  for (int c = excess_begin_.front(); c < excess_begin_.back(); ++c) {
    program_.setColumnUpper(c, COIN_DBL_MAX);
  }
  program_.allSlackBasis(true);
  if (!known) return std::nullopt;
  return feasible;
}

bool ElasticProgram::solve() {
  // All atoms at a bound is dual feasible at first; letting rows go keeps a point primal feasible.
  if (is_solved_) {
    constexpr int keep_factorization = 7;
    program_.primal(0, keep_factorization);
  } else {
    program_.dual();
  }
  is_solved_ = !deadline_.hit && program_.isProvenOptimal();
  return is_solved_;
}

bool ElasticProgram::has_multiplier(std::size_t i) const {
  return std::abs(program_.getRowPrice()[i]) > 1e-9;
}

double ElasticProgram::excess(std::size_t i) const {
  const double* columns = program_.getColSolution();
  return std::accumulate(columns + excess_begin_[i], columns + excess_begin_[i + 1], 0.0);
}

void ElasticProgram::let_go(std::size_t i) {
  program_.setRowBounds(static_cast<int>(i), -COIN_DBL_MAX, COIN_DBL_MAX);
}

void ElasticProgram::take_back(std::size_t i) {
  const HardRow& row = rows_[chosen_[i]];
  program_.setRowBounds(
      static_cast<int>(i), row.is_equal ? -row.offset : -COIN_DBL_MAX, -row.offset);
}

}  // namespace sorites
