#include "hinge/problem/problem.h"

#include <algorithm>

namespace sorites {

Columns columns_of(const Problem& problem) {
  Columns columns;
  columns.begin.assign(problem.num_variables + 1, 0);
  for (const std::uint32_t variable : problem.variables) ++columns.begin[variable + 1];
  for (std::size_t i = 0; i < problem.num_variables; ++i) columns.begin[i + 1] += columns.begin[i];
  columns.row.resize(problem.variables.size());
  columns.slot.resize(problem.variables.size());

  std::vector<std::size_t> next(columns.begin.begin(), columns.begin.end() - 1);
  for (const RowBlock& block : problem.blocks) {
    const auto first_slot = static_cast<std::uint32_t>(columns.coefficients.size());
    const std::uint32_t* entry = problem.variables.data() + block.first_entry;
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      for (std::uint32_t k = 0; k < block.width(); ++k) {
        const std::size_t at = next[*entry++]++;
        columns.row[at] = static_cast<std::uint32_t>(row);
        columns.slot[at] = first_slot + k;
      }
    }
    columns.coefficients.insert(
        columns.coefficients.end(), block.coefficients.begin(), block.coefficients.end());
  }
  return columns;
}

Problem with_groups_as_rows(const Problem& problem) {
  Problem rows = problem;
  rows.groups.clear();
  rows.group_variables.clear();
  for (const Group& group : problem.groups) {
    if (rows.blocks.empty() || rows.blocks.back().kind != TermKind::kEqual ||
        rows.blocks.back().first_row < problem.num_rows() ||
        rows.blocks.back().width() != group.count) {
      rows.blocks.push_back({.kind = TermKind::kEqual,
                             .coefficients = std::vector<double>(group.count, 1.0),
                             .norm2 = static_cast<double>(group.count),
                             .first_row = rows.num_rows(),
                             .first_entry = rows.variables.size()});
    }
    ++rows.blocks.back().num_rows;
    const auto first = problem.group_variables.begin() + group.first;
    rows.variables.insert(rows.variables.end(), first, first + group.count);
    rows.weight.push_back(0.0);
    rows.offset.push_back(-group.total);
  }
  return rows;
}

}  // namespace sorites
