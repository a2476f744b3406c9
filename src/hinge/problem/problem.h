// What the solvers work on: a ground model after presolve.
//
//   minimise  sum_i f_i(x_i) + sum_r phi_r(r_r),   r_r = a_r'x + b_r,
//   subject to  lower <= x <= upper  and, for every group g,  sum of x over g = total_g.
//
// f_i holds all terms that touch x_i alone (folded.h); phi_r is the potential of row r (TermKind).
// Rows that share kind and coefficients stand together in a block, so that a row costs 4 bytes per
// entry plus weight and offset. Groups are disjoint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "hinge/model/term_kind.h"
#include "hinge/problem/folded.h"
#include "sorites/model.h"

namespace sorites {

struct RowBlock {
  TermKind kind = TermKind::kHinge;
  std::vector<double> coefficients;  // a: per entry of a row
  double norm2 = 0.0;                // |a|^2
  bool may_be_group = false;         // an equality of equal coefficients
  bool has_outputs = false;          // offsets hold network outputs
  std::size_t first_row = 0;
  std::size_t num_rows = 0;
  std::size_t first_entry = 0;  // in Problem::variables

  std::size_t width() const { return coefficients.size(); }
  std::size_t end_row() const { return first_row + num_rows; }
};

// Variables whose sum is given.
struct Group {
  std::uint32_t first = 0, count = 0;  // in Problem::group_variables
  double total = 0.0;
};

// Where a variable stands: entry e of column i is in row `row[e]` with coefficient
// coefficients[slot[e]].
struct Columns {
  std::vector<std::size_t> begin;  // per variable, and the end
  std::vector<std::uint32_t> row, slot;
  std::vector<double> coefficients;  // of all blocks, one after the other
};

struct Problem {
  std::size_t num_variables = 0;
  std::vector<double> lower, upper;      // per variable
  FoldedTerms folded;                    // per variable
  std::vector<RowBlock> blocks;          // by kind, in the order of TermKind
  std::vector<std::uint32_t> variables;  // per block, per row: the variables of its entries
  std::vector<double> weight;            // per row; 0 for hard rows
  std::vector<double> offset;            // per row
  double constant = 0.0;                 // of the objective: terms whose atoms are all fixed
  double smallest_objective = 0.01;      // less counts as this in relative gaps
  std::vector<Group> groups;
  std::vector<std::uint32_t> group_variables;

  std::size_t num_rows() const { return offset.size(); }
  std::span<const std::uint32_t> variables_of(const RowBlock& block, std::size_t row) const {
    return {variables.data() + block.first_entry + (row - block.first_row) * block.width(),
            block.width()};
  }
};

Columns columns_of(const Problem& problem);

// The same problem with every group as a row of kind kEqual, after all other rows: for solvers that
// do not know groups. Row multipliers from old_num_rows on are those of the groups.
Problem with_groups_as_rows(const Problem& problem);

// A point and its multipliers. Multipliers are within their domain (domain_of).
struct PrimalDual {
  std::vector<double> x;                  // per variable, within its bounds
  std::vector<double> multipliers;        // per row
  std::vector<double> group_multipliers;  // per group
};

// Where the multiplier of a row may lie: the slopes of phi.
constexpr Interval domain_of(TermKind kind, double weight) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (kind) {
    case TermKind::kHinge:
      return {0.0, weight};
    case TermKind::kSquaredHinge:
      return {0.0, weight > 0.0 ? kInfinity : 0.0};
    case TermKind::kAtMost:
      return {0.0, kInfinity};
    case TermKind::kEqual:
      return {-kInfinity, kInfinity};
  }
  return {0.0, 0.0};  // not reached
}
// phi*(mu), the conjugate, for mu in its domain.
constexpr double conjugate(TermKind kind, double weight, double multiplier) {
  return kind == TermKind::kSquaredHinge && weight > 0.0 ? multiplier * multiplier / (4.0 * weight)
                                                         : 0.0;
}

}  // namespace sorites
