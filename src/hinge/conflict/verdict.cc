#include "hinge/conflict/verdict.h"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "hinge/conflict/eliminate_atoms.h"

namespace sorites {
namespace {

// Rays that prove less than kHardTolerance: their rows are loosened by it, each time other ones.
constexpr int kMaxRelaxations = 20;
constexpr double kPrimalTolerance = 1e-9;  // a thousandth of kHardTolerance

// What elimination left, as a linear program without objective.
class Core {
 public:
  Core(const Elimination& elimination, std::size_t num_atoms, WatchedDeadline& deadline)
      : elimination_(elimination), deadline_(deadline), column_of_(num_atoms, -1) {
    std::vector<int> row_numbers, columns;
    std::vector<double> coefficients;
    for (const Elimination::Row& row : elimination.rows()) {
      if (!row.is_alive) continue;
      for (const auto& [atom, a] : row.entries) {
        row_numbers.push_back(static_cast<int>(rows_.size()));
        columns.push_back(column_of(atom));
        coefficients.push_back(a);
      }
      rows_.push_back(&row);
    }
    if (rows_.empty()) return;
    program_.setLogLevel(0);
    program_.setPrimalTolerance(kPrimalTolerance);
    const ClpDeadline handler(deadline_);
    program_.passInEventHandler(&handler);
    load(CoinPackedMatrix(true,
                          row_numbers.data(),
                          columns.data(),
                          coefficients.data(),
                          static_cast<CoinBigIndex>(row_numbers.size())));
  }

  // Puts its answer and what proves it into `verdict`.
  void solve(Verdict& verdict) {
    verdict.can_hold = true;
    if (rows_.empty()) return;
    for (int k = 0; k < kMaxRelaxations; ++k) {
      program_.dual();
      if (deadline_.check() || program_.status() > 1) {
        verdict.can_hold = std::nullopt;
        return;
      }
      if (program_.status() == 0) return read_state(verdict.state);
      if (read_ray(verdict)) return;
    }
    verdict.can_hold = std::nullopt;
  }

 private:
  int column_of(AtomId atom) {
    if (column_of_[atom] < 0) {
      column_of_[atom] = static_cast<int>(atoms_.size());
      atoms_.push_back(atom);
    }
    return column_of_[atom];
  }

  void load(const CoinPackedMatrix& matrix) {
    std::vector<double> lower, upper, row_lower, row_upper;
    for (const AtomId atom : atoms_) {
      lower.push_back(elimination_.lower(atom).value);
      upper.push_back(elimination_.upper(atom).value);
    }
    for (const Elimination::Row* row : rows_) {
      row_lower.push_back(row->is_equal ? -row->offset : -COIN_DBL_MAX);
      row_upper.push_back(-row->offset);
    }
    program_.loadProblem(
        matrix, lower.data(), upper.data(), nullptr, row_lower.data(), row_upper.data());
  }

  void read_state(std::vector<double>& state) const {
    const double* values = program_.getColSolution();
    for (std::size_t c = 0; c < atoms_.size(); ++c) {
      state[atoms_[c]] = std::clamp(
          values[c], elimination_.lower(atoms_[c]).value, elimination_.upper(atoms_[c]).value);
    }
  }

  // False if the contradiction is less than the tolerance; then its rows are relaxed.
  bool read_ray(Verdict& verdict) {
    const std::unique_ptr<double[]> ray(program_.infeasibilityRay());
    if (!ray) {
      verdict.can_hold = std::nullopt;
      return true;
    }
    for (const double sign : {1.0, -1.0}) {
      const std::vector<double> multipliers = multipliers_of(ray.get(), sign);
      std::vector<Derivations::Id> reasons;
      if (excess_of(multipliers, reasons) <= kHardTolerance) continue;
      verdict.can_hold = false;
      verdict.conflict = elimination_.derivations().sources_of(std::move(reasons));
      return true;
    }
    relax(ray.get());
    return false;
  }

  // In units of which the largest multiplier of a hard row is 1.
  std::vector<double> multipliers_of(const double* ray, double sign) const {
    std::vector<double> multipliers(rows_.size(), 0.0);
    double largest = 0.0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      multipliers[i] = rows_[i]->is_equal ? sign * ray[i] : std::max(0.0, sign * ray[i]);
      largest = std::max(largest, std::abs(multipliers[i]) * rows_[i]->scale);
    }
    for (double& multiplier : multipliers) {
      multiplier = largest > 0.0 ? multiplier / largest : 0.0;
      if (std::abs(multiplier) < kSmallestMultiplier) multiplier = 0.0;
    }
    return multipliers;
  }

  // The least that the sum of the rows, with multipliers, can be; and what that rests on.
  double excess_of(const std::vector<double>& multipliers,
                   std::vector<Derivations::Id>& reasons) const {
    std::vector<double> sum(atoms_.size(), 0.0);
    double least = 0.0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (multipliers[i] == 0.0) continue;
      reasons.push_back(rows_[i]->reason);
      least += multipliers[i] * rows_[i]->offset;
      for (const auto& [atom, a] : rows_[i]->entries) {
        sum[static_cast<std::size_t>(column_of_[atom])] += multipliers[i] * a;
      }
    }
    for (std::size_t c = 0; c < atoms_.size(); ++c) {
      const Elimination::Bound& bound =
          sum[c] > 0.0 ? elimination_.lower(atoms_[c]) : elimination_.upper(atoms_[c]);
      least += sum[c] * bound.value;
      if (std::abs(sum[c]) > kSmallestMultiplier) reasons.push_back(bound.reason);
    }
    return least;
  }

  void relax(const double* ray) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (ray[i] == 0.0) continue;
      const double slack = kHardTolerance * rows_[i]->scale;
      program_.setRowUpper(static_cast<int>(i), -rows_[i]->offset + slack);
      if (rows_[i]->is_equal) {
        program_.setRowLower(static_cast<int>(i), -rows_[i]->offset - slack);
      }
    }
  }

  static constexpr double kSmallestMultiplier = 1e-9;  // the simplex method's zero

  const Elimination& elimination_;
  WatchedDeadline& deadline_;
  std::vector<int> column_of_;  // per atom, or -1
  std::vector<AtomId> atoms_;   // per column
  std::vector<const Elimination::Row*> rows_;
  ClpSimplex program_;
};

}  // namespace

LocalRows local_rows(std::span<const HardRow> rows, std::span<const std::uint32_t> chosen) {
  LocalRows local;
  for (const std::uint32_t r : chosen) {
    local.atoms.insert(local.atoms.end(), rows[r].atoms.begin(), rows[r].atoms.end());
  }
  std::vector<AtomId> names = local.atoms;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (AtomId& atom : local.atoms) {
    const auto found = std::lower_bound(names.begin(), names.end(), atom);
    atom = static_cast<AtomId>(found - names.begin());
  }
  local.num_atoms = names.size();
  std::span<const AtomId> left = local.atoms;
  for (const std::uint32_t r : chosen) {
    local.rows.push_back(rows[r]);
    local.rows.back().atoms = left.first(rows[r].atoms.size());
    left = left.subspan(rows[r].atoms.size());
  }
  return local;
}

Verdict judge(const LocalRows& local,
              std::optional<std::uint32_t> left_out,
              WatchedDeadline& deadline) {
  const Elimination elimination(local.rows, local.num_atoms, left_out, deadline.deadline);
  if (elimination.contradiction()) return {false, {}, *elimination.contradiction()};
  Verdict verdict;
  for (AtomId atom = 0; atom < local.num_atoms; ++atom) {
    verdict.state.push_back(elimination.lower(atom).value);
  }
  Core(elimination, local.num_atoms, deadline).solve(verdict);
  if (verdict.can_hold == true) elimination.complete(verdict.state);
  for (double& y : verdict.state) y = std::clamp(y, 0.0, 1.0);
  return verdict;
}

}  // namespace sorites
