#include "hinge/conflict/propagation.h"

#include <algorithm>
#include <cmath>

namespace sorites {
namespace {

// Bounds that creep by less are as tight as they get: kHardTolerance takes a thousand such steps.
constexpr double kSmallestStep = 1e-9;
// Visits of an entry before propagation gives up, and entries that cost no time to speak of.
constexpr std::size_t kVisitsPerEntry = 10, kFreeVisits = 100'000;
constexpr AtomId kNoAtom = ~AtomId{0};

}  // namespace

Propagation::Propagation(std::span<const HardRow> rows,
                         std::size_t num_atoms,
                         const Deadline& deadline)
    : rows_(rows),
      deadline_(deadline),
      column_begin_(num_atoms + 1, 0),
      is_active_(rows.size(), 0),
      is_queued_(rows.size(), 0) {
  for (const HardRow& row : rows) {
    for (const AtomId atom : row.atoms) ++column_begin_[atom + 1];
  }
  for (std::size_t i = 0; i < num_atoms; ++i) column_begin_[i + 1] += column_begin_[i];
  column_.resize(column_begin_.back());
  std::vector<std::size_t> next(column_begin_.begin(), column_begin_.end() - 1);
  for (std::uint32_t r = 0; r < rows.size(); ++r) {
    for (std::size_t k = 0; k < rows[r].atoms.size(); ++k) {
      column_[next[rows[r].atoms[k]]++] = {r, rows[r].coefficients[k]};
    }
  }
  for (const Side side : {kLower, kUpper}) {
    Point& point = points_[side];
    point.bound.assign(num_atoms, side == kLower ? 0.0 : 1.0);
    point.last.assign(num_atoms, 0);
    for (const HardRow& row : rows) {
      double residual = row.offset;
      if (side == kUpper) {
        for (const double a : row.coefficients) residual += a;
      }
      point.residual.push_back(residual);
    }
  }
}

void Propagation::set_active(std::uint32_t row, bool active) {
  is_active_[row] = active ? 1 : 0;
  for (Point& point : points_) {
    if (rows_[row].holds(point.residual[row])) continue;
    point.num_broken = active ? point.num_broken + 1 : point.num_broken - 1;
  }
}

bool Propagation::add(std::span<const std::uint32_t> rows) {
  std::size_t entries = 0;
  for (const std::uint32_t row : rows) {
    set_active(row, true);
    active_.push_back(row);
    is_queued_[row] = 1;
    queue_.push_back(row);
    entries += rows_[row].atoms.size();
  }
  // Bounds may creep towards each other for ever: then linear programming is the better judge.
  work_left_ = kVisitsPerEntry * (entries + active_.size()) + kFreeVisits;
  const bool possible = propagate();
  for (const std::uint32_t row : queue_) is_queued_[row] = 0;
  queue_.clear();
  return possible;
}

bool Propagation::propagate() {
  constexpr std::size_t kRowsPerLook = 1024;  // at the clock
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const std::uint32_t row = queue_[next];
    is_queued_[row] = 0;
    const std::uint64_t cost = rows_[row].atoms.size() + 1;
    if (cost > work_left_ || (next % kRowsPerLook == kRowsPerLook - 1 && deadline_.passed())) {
      gave_up_ = true;
      return true;
    }
    work_left_ -= cost;
    if (!visit(row)) return false;
  }
  return true;
}

bool Propagation::visit(std::uint32_t row) {
  return visit_half(row, false) && (!rows_[row].is_equal || visit_half(row, true));
}

bool Propagation::visit_half(std::uint32_t row, bool negated) {
  const HardRow& r = rows_[row];
  const double sign = negated ? -1.0 : 1.0;
  double least = sign * r.offset;  // the smallest residual within bounds
  for (std::size_t k = 0; k < r.atoms.size(); ++k) {
    const double a = sign * r.coefficients[k];
    least += a * (a > 0.0 ? lower(r.atoms[k]) : upper(r.atoms[k]));
  }
  if (least > kHardTolerance) {
    broken_row_ = row;
    broken_half_ = negated;
    return false;
  }
  const double slack = std::max(0.0, -least);
  for (std::size_t k = 0; k < r.atoms.size(); ++k) tighten(row, negated, k, slack);
  return true;
}

// An entry may take its part of the residual up by `slack` from its least.
void Propagation::tighten(std::uint32_t row, bool negated, std::size_t k, double slack) {
  const double a = negated ? -rows_[row].coefficients[k] : rows_[row].coefficients[k];
  const AtomId atom = rows_[row].atoms[k];
  const double low = lower(atom), high = upper(atom);
  const Side side = a > 0.0 ? kUpper : kLower;
  const double step = slack / std::abs(a);
  if (high - low - step <= kSmallestStep) return;
  Point& point = points_[side];
  trail_.push_back({atom, side, negated, row, point.last[atom], point.bound[atom]});
  point.last[atom] = static_cast<std::uint32_t>(trail_.size());
  move_bound(side, atom, side == kUpper ? low + step : high - step);
  wake(atom);
}

void Propagation::move_bound(Side side, AtomId atom, double to) {
  Point& point = points_[side];
  const double step = to - point.bound[atom];
  point.bound[atom] = to;
  for (std::size_t e = column_begin_[atom]; e < column_begin_[atom + 1]; ++e) {
    const auto [row, coefficient] = column_[e];
    const bool held = rows_[row].holds(point.residual[row]);
    point.residual[row] += coefficient * step;
    if (is_active_[row] == 0 || held == rows_[row].holds(point.residual[row])) continue;
    point.num_broken = held ? point.num_broken + 1 : point.num_broken - 1;
  }
}

void Propagation::wake(AtomId atom) {
  for (std::size_t e = column_begin_[atom]; e < column_begin_[atom + 1]; ++e) {
    const std::uint32_t row = column_[e].row;
    if (is_active_[row] == 0 || is_queued_[row] != 0) continue;
    is_queued_[row] = 1;
    queue_.push_back(row);
  }
}

void Propagation::undo(const Mark& mark) {
  while (trail_.size() > mark.num_changes) {
    const Change change = trail_.back();
    trail_.pop_back();
    points_[change.side].last[change.atom] = change.previous;
    move_bound(change.side, change.atom, change.from);
  }
  while (active_.size() > mark.num_active) {
    set_active(active_.back(), false);
    active_.pop_back();
  }
}

// The changes before change `before` that made the bounds which half of a row rests on.
void Propagation::append_causes(std::uint32_t row,
                                bool negated,
                                std::uint32_t before,
                                AtomId except,
                                std::vector<std::uint32_t>& changes) const {
  const HardRow& r = rows_[row];
  for (std::size_t k = 0; k < r.atoms.size(); ++k) {
    if (r.atoms[k] == except) continue;
    const double a = negated ? -r.coefficients[k] : r.coefficients[k];
    std::uint32_t last = points_[a > 0.0 ? kLower : kUpper].last[r.atoms[k]];
    while (last > before) last = trail_[last - 1].previous;
    if (last > 0) changes.push_back(last - 1);
  }
}

// The rows of the changes and of all that they follow from: depth first, causes before effects.
std::vector<std::uint32_t> Propagation::trace(std::vector<std::uint32_t> changes) const {
  enum : char { kNew, kOpen, kDone };
  std::vector<char> state(trail_.size(), kNew), is_listed(rows_.size(), 0);
  std::vector<std::uint32_t> rows;
  while (!changes.empty()) {
    const std::uint32_t c = changes.back();
    const Change& change = trail_[c];
    if (state[c] == kNew) {
      state[c] = kOpen;
      append_causes(change.row, change.negated, c, change.atom, changes);
      continue;
    }
    changes.pop_back();
    if (state[c] == kOpen && is_listed[change.row] == 0) {
      is_listed[change.row] = 1;
      rows.push_back(change.row);
    }
    state[c] = kDone;
  }
  return rows;
}

std::vector<std::uint32_t> Propagation::explain_contradiction() const {
  std::vector<std::uint32_t> changes;
  const auto now = static_cast<std::uint32_t>(trail_.size());
  append_causes(broken_row_, broken_half_, now, kNoAtom, changes);
  std::vector<std::uint32_t> rows = trace(std::move(changes));
  if (std::find(rows.begin(), rows.end(), broken_row_) == rows.end()) rows.push_back(broken_row_);
  return rows;
}

std::vector<std::uint32_t> Propagation::explain_bounds(std::span<const AtomId> atoms) const {
  std::vector<std::uint32_t> changes;
  for (const AtomId atom : atoms) {
    for (const Point& point : points_) {
      if (point.last[atom] > 0) changes.push_back(point.last[atom] - 1);
    }
  }
  return trace(std::move(changes));
}

}  // namespace sorites
