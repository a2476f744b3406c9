#include "ground/column_statistics.h"

#include <vector>

namespace sorites {

double ColumnStatistics::num_rows(PredicateId predicate, RowSet rows) const {
  if (rows == RowSet::kChanged) return 1.0;  // few: begin with them
  const Relation& relation = database_.relation(predicate);
  const auto targets = static_cast<double>(relation.table(Partition::kTarget).num_rows);
  if (rows == RowSet::kTargets) return targets;
  return targets + static_cast<double>(relation.table(Partition::kObserved).num_rows);
}

double ColumnStatistics::num_distinct(PredicateId predicate, std::size_t column) {
  const auto [entry, added] = distinct_.try_emplace({predicate, column}, 0.0);
  if (!added) return entry->second;
  const Domain domain = domain_of(database_.predicates()[predicate].types[column]);
  std::vector<bool> seen(database_.dictionary(domain).size());
  std::size_t count = 0;
  for (const Partition partition : {Partition::kObserved, Partition::kTarget}) {
    for (const Code code : database_.relation(predicate).table(partition).columns[column]) {
      count += seen[code] ? 0 : 1;
      seen[code] = true;
    }
  }
  return entry->second = static_cast<double>(count);
}

}  // namespace sorites
