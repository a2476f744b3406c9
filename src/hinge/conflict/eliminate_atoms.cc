#include "hinge/conflict/eliminate_atoms.h"

#include <algorithm>
#include <cmath>

namespace sorites {
namespace {

// Derived rows are sums of up to hundreds of rows, with factors up to kMaxScale: their errors.
constexpr double kRounding = 1e-11;
// Entries in the rows of an atom that may go: beyond, linear programming is the better judge. Atoms
// of chains and cycles have two to four rows.
constexpr std::size_t kMaxCost = 300;
// Of a factor of a given row in a derived one: times 1e-11 it stays below kHardTolerance.
constexpr double kMaxScale = 1e4;

SparseRow sparse_row_of(const HardRow& hard) {
  SparseRow row;
  row.is_equal = hard.is_equal;
  row.offset = hard.offset;
  for (std::size_t k = 0; k < hard.atoms.size(); ++k) {
    row.entries.push_back({hard.atoms[k], hard.coefficients[k]});
  }
  std::sort(row.entries.begin(), row.entries.end(), [](const auto& a, const auto& b) {
    return a.atom < b.atom;
  });
  std::size_t last = 0;  // an atom may stand in a term twice
  for (std::size_t k = 1; k < row.entries.size(); ++k) {
    if (row.entries[k].atom == row.entries[last].atom) {
      row.entries[last].coefficient += row.entries[k].coefficient;
    } else {
      row.entries[++last] = row.entries[k];
    }
  }
  if (!row.entries.empty()) row.entries.resize(last + 1);
  std::erase_if(row.entries, [](const auto& entry) { return entry.coefficient == 0.0; });
  return row;
}

SparseRow half_of(const SparseRow& row, bool negated) {
  SparseRow half = row;
  half.is_equal = false;
  if (!negated) return half;
  half.offset = -half.offset;
  for (SparseRow::Entry& entry : half.entries) entry.coefficient = -entry.coefficient;
  return half;
}

}  // namespace

Elimination::Elimination(std::span<const HardRow> rows,
                         std::size_t num_atoms,
                         std::optional<std::uint32_t> left_out,
                         const Deadline& deadline)
    : derivations_(rows.size()),
      columns_(num_atoms),
      bounds_(num_atoms, AtomBounds{{0.0}, {1.0}}),
      is_queued_(num_atoms, 0) {
  for (std::uint32_t r = 0; r < rows.size() && !contradiction_; ++r) {
    if (r != left_out) add(sparse_row_of(rows[r]), r);
  }
  do {
    while (!queue_.empty() && !contradiction_ && !deadline.passed()) {
      const AtomId atom = queue_.front();
      queue_.pop_front();
      is_queued_[atom] = 0;
      try_atom(atom);
    }
  } while (!contradiction_ && !deadline.passed() && merge_twins());
}

void Elimination::enqueue(AtomId atom) {
  if (is_queued_[atom] != 0) return;
  is_queued_[atom] = 1;
  queue_.push_back(atom);
}

std::vector<Elimination::RowId>& Elimination::column(AtomId atom) {
  Column& column = columns_[atom];
  if (2 * column.num_dead > column.rows.size()) {
    std::erase_if(column.rows, [&](RowId r) { return !rows_[r].is_alive; });
    column.num_dead = 0;
  }
  return column.rows;
}

// Entries in the rows of an atom; anything above `limit` if there are more.
std::size_t Elimination::cost_of(AtomId atom, std::size_t limit) {
  std::size_t cost = 0;
  for (const RowId r : column(atom)) {
    cost += rows_[r].is_alive ? rows_[r].entries.size() : 1;
    if (cost > limit) break;
  }
  return cost;
}

void Elimination::add(SparseRow row, Derivations::Id reason) {
  if (contradiction_) return;
  double least = row.offset, most = row.offset;
  for (const auto& [atom, a] : row.entries) {
    least += a * (a > 0.0 ? lower(atom) : upper(atom)).value;
    most += a * (a > 0.0 ? upper(atom) : lower(atom)).value;
  }
  const double tolerance = kHardTolerance * row.scale;
  if (least > tolerance) return refute(row, reason, false);
  if (row.is_equal && most < -tolerance) return refute(row, reason, true);
  if (row.entries.empty() || (!row.is_equal && most <= kRounding * row.scale)) return;
  if (row.entries.size() == 1) {
    if (row.is_equal) tighten(half_of(row, true), reason);
    return tighten(half_of(row, false), reason);
  }
  for (const SparseRow::Entry& entry : row.entries) {
    columns_[entry.atom].rows.push_back(static_cast<RowId>(rows_.size()));
    enqueue(entry.atom);
  }
  rows_.push_back({std::move(row), reason});
}

// `row` cannot hold within the bounds of its atoms (nor can it be 0, if it is `negated`).
void Elimination::refute(const SparseRow& row, Derivations::Id reason, bool negated) {
  std::vector<Derivations::Id> reasons{reason};
  for (const auto& [atom, a] : row.entries) {
    reasons.push_back(((a > 0.0) != negated ? lower(atom) : upper(atom)).reason);
  }
  contradiction_ = derivations_.sources_of(std::move(reasons));
}

// What a row of one atom says about it.
void Elimination::tighten(const SparseRow& row, Derivations::Id reason) {
  const auto [atom, a] = row.entries.front();
  auto& [lower, upper] = bounds_[atom];
  const Bound bound{-row.offset / a, reason, row.scale / std::abs(a)};
  if (a > 0.0 && bound.value < upper.value - kRounding) upper = bound;
  if (a < 0.0 && bound.value > lower.value + kRounding) lower = bound;
  const double excess = lower.value - upper.value;
  if (excess > kHardTolerance * std::max(lower.scale, upper.scale)) {
    contradiction_ = derivations_.sources_of({lower.reason, upper.reason});
  } else if (excess > -kRounding) {
    lower.value = upper.value;
    enqueue(atom);
  }
}

// What a row says for all values of an atom within its bounds.
Elimination::Replacement Elimination::relax(const SparseRow& row,
                                            Derivations::Id reason,
                                            AtomId atom) const {
  Replacement result{row, reason, Derivations::kGiven};
  const double a = coefficient_of(row.entries, atom);
  const Bound& best = a > 0.0 ? lower(atom) : upper(atom);
  std::erase_if(result.row.entries, [&](const auto& entry) { return entry.atom == atom; });
  result.row.offset += a * best.value;
  result.row.scale = std::max(row.scale, std::abs(a) * best.scale);
  result.second = best.reason;
  return result;
}

void Elimination::try_atom(AtomId atom) {
  if (cost_of(atom, kMaxCost) > kMaxCost) return;
  std::vector<RowId> rows;
  for (const RowId r : column(atom)) {
    if (rows_[r].is_alive) rows.push_back(r);
  }
  if (rows.empty()) return;
  const auto shortest = std::min_element(rows.begin(), rows.end(), [&](RowId a, RowId b) {
    const auto key = [&](RowId r) {
      return std::pair(!rows_[r].is_equal, rows_[r].entries.size());
    };
    return key(a) < key(b);
  });
  if (lower(atom).value == upper(atom).value) {
    fix(atom, rows);
  } else if (rows_[*shortest].is_equal) {
    substitute(atom, rows, *shortest);
  } else {
    fourier_motzkin(atom, rows);
  }
}

void Elimination::fix(AtomId atom, const std::vector<RowId>& rows) {
  const Derivations::Id both = derivations_.join(lower(atom).reason, upper(atom).reason);
  std::vector<Replacement> replacements;
  for (const RowId r : rows) {
    replacements.push_back(relax(rows_[r], rows_[r].reason, atom));
    if (rows_[r].is_equal) replacements.back().second = both;
  }
  replace(atom, rows, {}, std::move(replacements));
}

void Elimination::substitute(AtomId atom, const std::vector<RowId>& rows, RowId equality) {
  const Row& source = rows_[equality];
  const bool is_alias = source.entries.size() == 2;
  if (is_alias) {  // the atom in fewer entries goes
    const AtomId other = source.entries[source.entries[0].atom == atom ? 1 : 0].atom;
    const std::size_t cost = cost_of(atom, kMaxCost);
    if (cost_of(other, cost) < cost) return enqueue(other);
  }
  std::vector<Replacement> replacements;
  for (const bool negated : {false, true}) {
    replacements.push_back(relax(half_of(source, negated), source.reason, atom));
  }
  const double a = coefficient_of(source.entries, atom);
  for (const RowId r : rows) {
    if (r == equality) continue;
    const double factor = -coefficient_of(rows_[r].entries, atom) / a;
    replacements.push_back(
        {combine(rows_[r], factor, source, atom), rows_[r].reason, source.reason});
  }
  if (is_too_large(replacements) || (!is_alias && is_more(replacements, rows))) return;
  replace(atom, rows, {equality}, std::move(replacements));
}

void Elimination::fourier_motzkin(AtomId atom, const std::vector<RowId>& rows) {
  std::vector<RowId> above, below;  // the atom has an upper bound from rows `above`
  for (const RowId r : rows) {
    (coefficient_of(rows_[r].entries, atom) > 0.0 ? above : below).push_back(r);
  }
  if (above.size() * below.size() > rows.size()) return;
  std::vector<Replacement> replacements;
  replacements.reserve(rows.size() + above.size() * below.size());
  for (const RowId r : rows) replacements.push_back(relax(rows_[r], rows_[r].reason, atom));
  for (const RowId up : above) {
    for (const RowId down : below) {
      const double factor =
          -coefficient_of(rows_[up].entries, atom) / coefficient_of(rows_[down].entries, atom);
      replacements.push_back(
          {combine(rows_[up], factor, rows_[down], atom), rows_[up].reason, rows_[down].reason});
    }
  }
  if (is_too_large(replacements) || is_more(replacements, rows)) return;
  replace(atom, rows, rows, std::move(replacements));
}

bool Elimination::is_idle(const SparseRow& row) const {
  if (row.entries.size() <= 1) return true;  // a bound
  double most = row.offset;
  for (const auto& [atom, a] : row.entries) {
    most += a * (a > 0.0 ? upper(atom) : lower(atom)).value;
  }
  return !row.is_equal && most <= kRounding * row.scale;
}

bool Elimination::is_too_large(const std::vector<Replacement>& replacements) {
  return std::any_of(replacements.begin(), replacements.end(), [](const Replacement& r) {
    return r.row.scale > kMaxScale;
  });
}

// More rows or entries than those of `rows`.
bool Elimination::is_more(const std::vector<Replacement>& replacements,
                          const std::vector<RowId>& rows) const {
  std::size_t num_entries = 0, num_rows = 0;
  for (const Replacement& replacement : replacements) {
    if (is_idle(replacement.row)) continue;
    ++num_rows;
    num_entries += replacement.row.entries.size();
  }
  std::size_t old_entries = 0;
  for (const RowId r : rows) old_entries += rows_[r].entries.size();
  return num_rows > rows.size() || num_entries > old_entries;
}

void Elimination::kill(RowId r) {
  rows_[r].is_alive = false;
  for (const SparseRow::Entry& entry : rows_[r].entries) {
    ++columns_[entry.atom].num_dead;
    enqueue(entry.atom);
  }
}

// An atom goes: `bounding` say what it may be.
void Elimination::replace(AtomId atom,
                          const std::vector<RowId>& rows,
                          const std::vector<RowId>& bounding,
                          std::vector<Replacement> replacements) {
  gone_.push_back({atom, bounding, {}});
  for (const RowId r : rows) kill(r);
  for (Replacement& replacement : replacements) {
    if (contradiction_) return;
    const Derivations::Id reason = derivations_.join(replacement.first, replacement.second);
    add(std::move(replacement.row), reason);
  }
}

void Elimination::complete(std::vector<double>& state) const {
  for (auto gone = gone_.rbegin(); gone != gone_.rend(); ++gone) {
    if (gone->parts.empty()) {
      complete_gone(*gone, state);
    } else {
      split(*gone, state);
    }
  }
}

void Elimination::complete_gone(const Gone& gone, std::vector<double>& state) const {
  double low = lower(gone.atom).value, high = upper(gone.atom).value;
  for (const RowId r : gone.rows) {
    double rest = rows_[r].offset, own = 0.0;
    for (const auto& [atom, a] : rows_[r].entries) {
      if (atom == gone.atom) own = a;
      if (atom != gone.atom) rest += a * state[atom];
    }
    const double value = -rest / own;
    if (rows_[r].is_equal || own > 0.0) high = std::min(high, value);
    if (rows_[r].is_equal || own < 0.0) low = std::max(low, value);
  }
  state[gone.atom] = low <= high ? low : (low + high) / 2.0;
}

}  // namespace sorites
