// The values that variables of a binary part still may have, with bound propagation over its hard
// rows to a fixed point: an atom that must be 1 fixes its row, column and box.
//
// Every row knows the smallest and the largest residual that is left. A hard row fixes each
// variable whose other value would carry the residual past 0 (Savelsbergh 1994).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hinge/integer/binary_part.h"

namespace sorites {

class BinaryDomains {
 public:
  // The part must outlive it. Variables whose bounds are equal are fixed; nothing is propagated
  // yet.
  explicit BinaryDomains(const BinaryPart& part);

  bool is_fixed(std::uint32_t variable) const { return value_[variable] != kFree; }
  int value(std::uint32_t variable) const { return value_[variable]; }  // of a fixed one
  std::size_t num_fixed() const { return trail_.size(); }
  std::uint32_t num_free(std::uint32_t row) const { return num_free_[row]; }
  double least(std::uint32_t row) const { return least_[row]; }  // residual that is left
  double most(std::uint32_t row) const { return most_[row]; }
  // In the order in which they were fixed.
  std::span<const std::uint32_t> trail() const { return trail_; }

  // The variable must be free.
  void fix(std::uint32_t variable, int value);

  // False if a hard row cannot hold any more; then nothing but undo() may follow.
  bool propagate();

  // Back to the first `num_fixed` of the trail.
  void undo(std::size_t num_fixed);

  // All rows are to be looked at by the next propagate().
  void queue_all();

  // Entries that propagation has looked at: a measure of work.
  std::uint64_t work() const { return work_; }

 private:
  static constexpr signed char kFree = -1;

  bool propagate_row(std::uint32_t row);
  void queue(std::uint32_t row);
  void clear_queue();

  const BinaryPart& part_;
  std::vector<signed char> value_;       // per variable
  std::vector<double> least_, most_;     // per row
  std::vector<std::uint32_t> num_free_;  // per row
  std::vector<std::uint32_t> trail_;
  std::vector<std::uint32_t> queue_;
  std::vector<char> is_queued_;  // per row
  std::uint64_t work_ = 0;
};

}  // namespace sorites
