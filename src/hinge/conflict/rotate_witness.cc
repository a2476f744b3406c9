#include "hinge/conflict/rotate_witness.h"

#include <algorithm>
#include <cmath>

namespace sorites {

WitnessRotation::WitnessRotation(const LocalRows& local)
    : local_(local), columns_(local.num_atoms) {
  for (std::uint32_t r = 0; r < local.rows.size(); ++r) {
    const HardRow& row = local.rows[r];
    for (std::size_t k = 0; k < row.atoms.size(); ++k) {
      columns_[row.atoms[k]].push_back({r, row.coefficients[k]});
    }
  }
}

void WitnessRotation::set_state(std::vector<double> state) {
  state_ = std::move(state);
  residual_.clear();
  num_broken_ = 0;
  for (const HardRow& row : local_.rows) {
    double residual = row.offset;
    for (std::size_t k = 0; k < row.atoms.size(); ++k) {
      residual += row.coefficients[k] * state_[row.atoms[k]];
    }
    residual_.push_back(residual);
    if (!row.holds(residual)) ++num_broken_;
  }
}

void WitnessRotation::move(AtomId atom, double to) {
  const double step = to - state_[atom];
  state_[atom] = to;
  for (const auto& [row, coefficient] : columns_[atom]) {
    const bool held = local_.rows[row].holds(residual_[row]);
    residual_[row] += coefficient * step;
    const bool holds = local_.rows[row].holds(residual_[row]);
    if (held && !holds) ++num_broken_;
    if (!held && holds) --num_broken_;
  }
}

// Moves the atoms of a broken row towards mending it as far as other rows let them: then a move
// that mends it is small, and breaks fewer rows.
void WitnessRotation::approach(std::uint32_t broken) {
  const HardRow& row = local_.rows[broken];
  for (std::size_t k = 0; k < row.atoms.size() && !row.holds(residual_[broken]); ++k) {
    if (row.coefficients[k] == 0.0) continue;
    const AtomId atom = row.atoms[k];
    const double from = state_[atom];
    double step = std::clamp(from - residual_[broken] / row.coefficients[k], 0.0, 1.0) - from;
    for (const auto& [other, a] : columns_[atom]) {
      if (other == broken || a == 0.0 || (a * step <= 0.0 && !local_.rows[other].is_equal))
        continue;
      const double room = local_.rows[other].is_equal ? 0.0 : std::max(0.0, -residual_[other]);
      step = std::copysign(std::min(std::abs(step), room / std::abs(a)), step);
    }
    move(atom, from + step);
  }
}

// Moves atom k of a broken row so that the row holds; stays there if a single row is broken then,
// and not known to be needed yet.
bool WitnessRotation::try_entry(std::uint32_t broken,
                                std::size_t k,
                                const std::vector<char>& is_needed,
                                Move& to) {
  const HardRow& row = local_.rows[broken];
  const AtomId atom = row.atoms[k];
  const double from = state_[atom];
  if (row.coefficients[k] == 0.0) return false;
  move(atom, std::clamp(from - residual_[broken] / row.coefficients[k], 0.0, 1.0));
  if (num_broken_ == 1 && row.holds(residual_[broken])) {
    for (const Entry& entry : columns_[atom]) {
      if (local_.rows[entry.row].holds(residual_[entry.row]) || is_needed[entry.row] != 0) continue;
      to = {.broken = entry.row, .atom = atom, .from = from};
      return true;
    }
  }
  move(atom, from);
  return false;
}

void WitnessRotation::mark_needed(std::vector<double> state,
                                  std::uint32_t broken,
                                  std::vector<char>& is_needed) {
  is_needed[broken] = 1;
  set_state(std::move(state));
  if (num_broken_ != 1 || local_.rows[broken].holds(residual_[broken])) return;
  approach(broken);
  std::vector<Move> path{{.broken = broken}};
  while (!path.empty()) {
    Move& top = path.back();
    if (top.next == local_.rows[top.broken].atoms.size()) {
      if (path.size() > 1) move(top.atom, top.from);
      path.pop_back();
      continue;
    }
    Move next;
    if (!try_entry(top.broken, top.next++, is_needed, next)) continue;
    is_needed[next.broken] = 1;
    path.push_back(next);
  }
}

}  // namespace sorites
