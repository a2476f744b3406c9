// A part of a mixed program whose atoms are all integer, in numbers of its own:
//
//   minimise  cost'y + sum of s_k u_k over the pieces of soft rows,   y in {0, 1}^n,
//   subject to  a_r'y + b_r = 0  |  a_r'y + b_r <= 0  |  a_r'y + b_r <= sum of u_k, 0 <= u_k <=
//   l_k.
//
// The last form is a soft row. Over integer atoms its potential is met at few residuals, and the
// line through them, which is convex, is a sum of pieces with slopes s_k that rise and lengths l_k.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "hinge/integer/mixed_program.h"

namespace sorites {

struct BinaryPiece {
  double slope = 0.0, length = 0.0;  // the last of a row is as long as it needs to be
};

struct BinaryRow {
  double offset = 0.0;                           // b_r
  std::uint32_t first = 0, end = 0;              // entries
  std::uint32_t first_piece = 0, end_piece = 0;  // none if it is hard
  std::uint32_t source = 0;                      // its row in the program
  double largest = 0.0;                          // coefficient, sign apart
  bool is_equality = false;
  bool is_unit = false;  // an equality whose coefficients are all 1

  bool is_hard() const { return first_piece == end_piece; }
  std::uint32_t width() const { return end - first; }
};

struct RowEntry {
  std::uint32_t variable = 0;
  double coefficient = 0.0;
};

struct ColumnEntry {
  std::uint32_t row = 0;
  double coefficient = 0.0;
};

struct BinaryPart {
  std::vector<double> cost;        // per variable
  std::vector<char> lower, upper;  // per variable: 0 or 1
  std::vector<BinaryRow> rows;
  std::vector<RowEntry> entries;
  std::vector<BinaryPiece> pieces;
  std::vector<std::uint32_t> column_begin;  // per variable, and the end
  std::vector<ColumnEntry> columns;

  std::size_t num_variables() const { return cost.size(); }
  std::span<const RowEntry> entries_of(const BinaryRow& row) const {
    return {entries.data() + row.first, row.width()};
  }
  std::span<const BinaryPiece> pieces_of(const BinaryRow& row) const {
    return {pieces.data() + row.first_piece, row.end_piece - row.first_piece};
  }
  std::span<const ColumnEntry> column_of(std::uint32_t variable) const {
    return {columns.data() + column_begin[variable],
            column_begin[variable + 1] - column_begin[variable]};
  }
};

// What a residual of a row costs.
double cost_of(std::span<const BinaryPiece> pieces, double residual);

// For building a part: rows first, each with its offset and what it is, then their columns.
void add_row(BinaryPart& part, BinaryRow row, std::span<const RowEntry> entries);
void add_columns(BinaryPart& part);

// Nothing if an atom is continuous, or the residuals of a soft row are too many to list.
std::optional<BinaryPart> binary_part_of(const MixedProgram& program,
                                         const ProgramParts& parts,
                                         const ProgramPart& part);

}  // namespace sorites
