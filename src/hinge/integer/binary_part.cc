#include "hinge/integer/binary_part.h"

#include <algorithm>
#include <cmath>

namespace sorites {
namespace {

// The pieces of a soft row; its offset becomes the distance from where they begin.
void add_pieces(const MixedProgram& program,
                const ProgramRow& from,
                BinaryPart& part,
                BinaryRow& row) {
  row.first_piece = static_cast<std::uint32_t>(part.pieces.size());
  if (from.shape == kNoShape) {
    part.pieces.push_back({from.weight, std::numeric_limits<double>::infinity()});
    row.end_piece = row.first_piece + 1;
    return;
  }
  const std::vector<double>& sums = program.shapes[from.shape];
  bool has_begun = false;
  for (std::size_t k = 0; k + 1 < sums.size(); ++k) {
    const double left = sums[k] + from.offset, right = sums[k + 1] + from.offset;
    if (right <= 0.0) continue;
    if (!has_begun) row.offset -= left;
    has_begun = true;
    const double rise =
        potential(from.kind, from.weight, right) - potential(from.kind, from.weight, left);
    part.pieces.push_back({rise / (right - left), right - left});
  }
  row.end_piece = static_cast<std::uint32_t>(part.pieces.size());
}

}  // namespace

void add_row(BinaryPart& part, BinaryRow row, std::span<const RowEntry> entries) {
  row.first = static_cast<std::uint32_t>(part.entries.size());
  row.end = row.first + static_cast<std::uint32_t>(entries.size());
  row.is_unit = row.is_equality;
  for (const RowEntry& entry : entries) {
    part.entries.push_back(entry);
    row.largest = std::max(row.largest, std::abs(entry.coefficient));
    row.is_unit = row.is_unit && entry.coefficient == 1.0;
  }
  part.rows.push_back(row);
}

void add_columns(BinaryPart& part) {
  part.column_begin.assign(part.num_variables() + 1, 0);
  for (const RowEntry& entry : part.entries) ++part.column_begin[entry.variable + 1];
  for (std::size_t i = 0; i < part.num_variables(); ++i) {
    part.column_begin[i + 1] += part.column_begin[i];
  }
  part.columns.resize(part.entries.size());
  std::vector<std::uint32_t> next(part.column_begin.begin(), part.column_begin.end() - 1);
  for (std::uint32_t r = 0; r < part.rows.size(); ++r) {
    for (const RowEntry& entry : part.entries_of(part.rows[r])) {
      part.columns[next[entry.variable]++] = {r, entry.coefficient};
    }
  }
}

double cost_of(std::span<const BinaryPiece> pieces, double residual) {
  double cost = 0.0;
  for (std::size_t k = 0; k < pieces.size() && residual > 0.0; ++k) {
    const bool is_last = k + 1 == pieces.size();
    cost += pieces[k].slope * (is_last ? residual : std::min(residual, pieces[k].length));
    residual -= pieces[k].length;
  }
  return cost;
}

std::optional<BinaryPart> binary_part_of(const MixedProgram& program,
                                         const ProgramParts& parts,
                                         const ProgramPart& part) {
  if (part.has_continuous) return std::nullopt;
  BinaryPart own;
  for (const AtomId atom : part.atoms) {
    own.cost.push_back(program.cost[atom]);
    own.lower.push_back(program.lower[atom] > 0.5 ? 1 : 0);
    own.upper.push_back(program.upper[atom] > 0.5 ? 1 : 0);
  }
  std::vector<RowEntry> entries;
  for (const std::uint32_t r : part.rows) {
    const ProgramRow& from = program.rows[r];
    if (from.kind == TermKind::kSquaredHinge && from.shape == kNoShape) return std::nullopt;
    BinaryRow row{.offset = from.offset, .source = r};
    row.is_equality = from.kind == TermKind::kEqual;
    row.first_piece = row.end_piece = static_cast<std::uint32_t>(own.pieces.size());
    if (!is_hard(from.kind)) add_pieces(program, from, own, row);
    entries.clear();
    for (std::size_t k = 0; k < from.atoms.size(); ++k) {
      entries.push_back({parts.place[from.atoms[k]], from.coefficients[k]});
    }
    add_row(own, row, entries);
  }
  add_columns(own);
  return own;
}

}  // namespace sorites
