#include "eval/identifiers.h"

#include <algorithm>
#include <numeric>

namespace sorites {

IdentifierGroups group_by_identifier(const Relation& relation,
                                     std::span<const RowId> rows,
                                     const std::vector<bool>& is_category) {
  const auto compare = [&](std::uint32_t left, std::uint32_t right) {
    const Table& left_table = relation.table(rows[left].partition);
    const Table& right_table = relation.table(rows[right].partition);
    for (std::size_t k = 0; k < is_category.size(); ++k) {
      if (is_category[k]) continue;
      const Code a = left_table.columns[k][rows[left].row];
      const Code b = right_table.columns[k][rows[right].row];
      if (a != b) return a < b ? -1 : 1;
    }
    return 0;
  };
  IdentifierGroups groups;
  groups.members.resize(rows.size());
  std::iota(groups.members.begin(), groups.members.end(), 0U);
  std::sort(groups.members.begin(), groups.members.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int order = compare(a, b);
    return order < 0 || (order == 0 && a < b);
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || compare(groups.members[i - 1], groups.members[i]) != 0) {
      groups.begin.push_back(i);
    }
  }
  groups.begin.push_back(rows.size());
  return groups;
}

}  // namespace sorites
