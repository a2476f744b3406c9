#include "join/column_statistics.h"

#include <vector>

namespace sorites {

double ColumnStatistics::num_rows(PredicateId predicate, RowSet rows) const {
  if (rows == RowSet::kChanged) return 1.0;  // few: begin with them
  const Relation& relation = database_.relation(predicate);
  const auto targets = static_cast<double>(relation.table(Partition::kTarget).num_rows);
  if (rows == RowSet::kTargets) return targets;
  return targets + static_cast<double>(relation.table(Partition::kObserved).num_rows);
}

double ColumnStatistics::count_distinct(PredicateId predicate, std::size_t column) const {
  const DomainId domain = database_.predicates()[predicate].domain(column);
  std::vector<bool> seen(database_.dictionary(domain).size());
  std::size_t count = 0;
  for (const Partition partition : {Partition::kObserved, Partition::kTarget}) {
    for (const Code code : database_.relation(predicate).table(partition).columns[column]) {
      count += seen[code] ? 0 : 1;
      seen[code] = true;
    }
  }
  return static_cast<double>(count);
}

double ColumnStatistics::num_distinct(PredicateId predicate, std::size_t column) {
  const auto [entry, added] = distinct_.try_emplace({predicate, column}, 0.0);
  if (added) entry->second = count_distinct(predicate, column);
  return entry->second;
}

void ColumnStatistics::count(const std::vector<PredicateId>& predicates, ThreadPool& pool) {
  std::vector<std::pair<const std::pair<PredicateId, std::size_t>, double>*> uncounted;
  for (const PredicateId predicate : predicates) {
    for (std::size_t c = 0; c < database_.predicates()[predicate].types.size(); ++c) {
      const auto [entry, added] = distinct_.try_emplace({predicate, c}, 0.0);
      if (added) uncounted.push_back(&*entry);
    }
  }
  pool.for_each(uncounted.size(), [&](std::size_t i) {
    const auto& [predicate, column] = uncounted[i]->first;
    uncounted[i]->second = count_distinct(predicate, column);
  });
}

}  // namespace sorites
