#include "hinge/integer/binary_domains.h"

#include <algorithm>
#include <cmath>

#include "hinge/integer/mixed_program.h"

namespace sorites {
namespace {}  // namespace

BinaryDomains::BinaryDomains(const BinaryPart& part)
    : part_(part),
      value_(part.num_variables(), kFree),
      least_(part.rows.size()),
      most_(part.rows.size()),
      num_free_(part.rows.size()),
      is_queued_(part.rows.size(), 0) {
  for (std::size_t r = 0; r < part.rows.size(); ++r) {
    least_[r] = most_[r] = part.rows[r].offset;
    for (const RowEntry& entry : part.entries_of(part.rows[r])) {
      least_[r] += std::min(entry.coefficient, 0.0);
      most_[r] += std::max(entry.coefficient, 0.0);
    }
    num_free_[r] = part.rows[r].width();
  }
  trail_.reserve(part.num_variables());
  for (std::uint32_t i = 0; i < part.num_variables(); ++i) {
    if (part.lower[i] == part.upper[i]) fix(i, part.lower[i]);
  }
  queue_all();
}

void BinaryDomains::queue(std::uint32_t row) {
  if (is_queued_[row] != 0) return;
  is_queued_[row] = 1;
  queue_.push_back(row);
}

void BinaryDomains::queue_all() {
  for (std::uint32_t r = 0; r < part_.rows.size(); ++r) {
    if (part_.rows[r].is_hard()) queue(r);
  }
}

void BinaryDomains::clear_queue() {
  for (const std::uint32_t r : queue_) is_queued_[r] = 0;
  queue_.clear();
}

void BinaryDomains::fix(std::uint32_t variable, int value) {
  value_[variable] = static_cast<signed char>(value);
  trail_.push_back(variable);
  for (const auto& [row, a] : part_.column_of(variable)) {
    // A free variable adds min(a, 0) to the least residual and max(a, 0) to the most.
    if ((a > 0.0) == (value == 1)) {
      least_[row] += std::abs(a);
    } else {
      most_[row] -= std::abs(a);
    }
    --num_free_[row];
    if (part_.rows[row].is_hard()) queue(row);
  }
}

void BinaryDomains::undo(std::size_t num_fixed) {
  clear_queue();
  while (trail_.size() > num_fixed) {
    const std::uint32_t variable = trail_.back();
    trail_.pop_back();
    for (const auto& [row, a] : part_.column_of(variable)) {
      if ((a > 0.0) == (value_[variable] == 1)) {
        least_[row] -= std::abs(a);
      } else {
        most_[row] += std::abs(a);
      }
      ++num_free_[row];
    }
    value_[variable] = kFree;
  }
}

bool BinaryDomains::propagate() {
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const std::uint32_t row = queue_[next];
    is_queued_[row] = 0;
    if (propagate_row(row)) continue;
    clear_queue();
    return false;
  }
  queue_.clear();
  return true;
}

bool BinaryDomains::propagate_row(std::uint32_t r) {
  const BinaryRow& row = part_.rows[r];
  const bool has_lower_side = row.is_equality;
  if (least_[r] > kFeasible || (has_lower_side && most_[r] < -kFeasible)) return false;
  const double below = -least_[r] + kFeasible;  // how far the residual may rise from the least
  const double above = has_lower_side ? most_[r] + kFeasible : row.largest;
  if (num_free_[r] == 0 || row.largest <= std::min(below, above)) return true;
  work_ += row.width();
  for (const auto& [variable, a] : part_.entries_of(row)) {
    if (is_fixed(variable)) continue;
    const double size = std::abs(a);
    // Values that would lift the least residual above 0, or press the most below.
    if (size > below) fix(variable, a > 0.0 ? 0 : 1);
    if (!(size > below) && size > above && has_lower_side) fix(variable, a > 0.0 ? 1 : 0);
  }
  return least_[r] <= kFeasible && (!has_lower_side || most_[r] >= -kFeasible);
}

}  // namespace sorites
