// Sparse factorisation LDL' of a symmetric matrix with positive pivots, row by row, along the
// elimination tree (Davis, "Direct Methods for Sparse Linear Systems", 2006, section 4.7).
// It asks on the way whether to go on: a factorisation may take longer than there is time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace sorites {

// Whether to stop, asked every few milliseconds of work.
using GiveUp = std::function<bool()>;

// The upper triangle by columns, rows ascending; the last entry of a column is its diagonal.
struct UpperPattern {
  std::vector<int> begin{0};  // per column, and the end
  std::vector<int> rows;

  std::size_t size() const { return begin.size() - 1; }
  std::span<const int> column(std::size_t k) const {
    return {rows.data() + begin[k], rows.data() + begin[k + 1]};
  }
};

class LdlFactor {
 public:
  // Nothing if L has more entries than `most_entries`, diagonal included.
  static std::optional<LdlFactor> make(const UpperPattern& pattern, std::size_t most_entries);

  // `values` are those of the entries of the pattern. False if a pivot is not positive, or after
  // `give_up`; then there is nothing to solve with.
  bool factorise(const UpperPattern& pattern,
                 std::span<const double> values,
                 const GiveUp& give_up);
  // The right side becomes the solution.
  void solve(std::span<double> right) const;

 private:
  // Columns of the k-th row of L, in an order in which they can be eliminated, from `top` on.
  std::size_t find_row(std::span<const int> column, std::size_t k);

  std::vector<int> parent_;         // per column: in the elimination tree, or -1
  std::vector<std::size_t> begin_;  // per column of L, and the end
  std::vector<std::size_t> end_;    // per column: how far it is filled
  std::vector<std::uint32_t> rows_;
  std::vector<double> lower_, pivot_;
  std::vector<double> work_;      // per column; 0 between rows
  std::vector<int> mark_, path_;  // per column
};

}  // namespace sorites
