#include "join/column_statistics.h"

#include <algorithm>
#include <vector>

namespace sorites {
namespace {

std::size_t num_rows_of(const Database& database, PredicateId predicate, Partition partition) {
  return database.relation(predicate).table(partition).num_rows;
}

bool takes_all_values(const RowChoice& rows) { return rows.takes(0.0) && rows.takes(1.0); }

}  // namespace

double ColumnStatistics::count_rows(PredicateId predicate, const RowChoice& rows) const {
  const auto targets = static_cast<double>(num_rows_of(database_, predicate, Partition::kTarget));
  if (rows.set == RowSet::kTargets) return targets;
  const Table& observed = database_.relation(predicate).table(Partition::kObserved);
  auto taken = static_cast<double>(observed.num_rows);
  if (!takes_all_values(rows)) {
    if (observed.values.empty()) {
      taken = rows.takes(1.0) ? taken : 0.0;
    } else {
      taken = static_cast<double>(std::count_if(observed.values.begin(),
                                                observed.values.end(),
                                                [&](double value) { return rows.takes(value); }));
    }
  }
  return taken + (rows.set == RowSet::kObserved ? 0.0 : targets);
}

double ColumnStatistics::num_rows(PredicateId predicate, const RowChoice& rows) {
  if (rows.set == RowSet::kChanged) return 1.0;  // few: begin with them
  if (takes_all_values(rows)) return count_rows(predicate, rows);
  const auto [entry, added] = rows_.try_emplace({predicate, rows}, 0.0);
  if (added) entry->second = count_rows(predicate, rows);
  return entry->second;
}

ValueRange ColumnStatistics::observed_values(PredicateId predicate) {
  const auto [entry, added] = values_.try_emplace(predicate);
  const Table& observed = database_.relation(predicate).table(Partition::kObserved);
  if (!added || observed.num_rows == 0) return entry->second;
  if (observed.values.empty()) {
    entry->second = {1.0, 1.0};
  } else {
    const auto [least, largest] =
        std::minmax_element(observed.values.begin(), observed.values.end());
    entry->second = {*least, *largest};
  }
  return entry->second;
}

RowChoice ColumnStatistics::plain(PredicateId predicate, RowChoice rows) {
  if (rows.set == RowSet::kChanged) return rows;
  const bool no_observed = num_rows_of(database_, predicate, Partition::kObserved) == 0;
  const bool no_targets = num_rows_of(database_, predicate, Partition::kTarget) == 0;
  const ValueRange values = observed_values(predicate);
  if (no_observed || rows.set == RowSet::kTargets || values.least > rows.above) rows.above = -1.0;
  if (no_observed || rows.set == RowSet::kTargets || values.largest < rows.below) rows.below = 2.0;
  if (rows.set == RowSet::kTargets && no_observed && !no_targets) rows.set = RowSet::kAll;
  if (rows.set == RowSet::kObserved && no_targets && !no_observed) rows.set = RowSet::kAll;
  return rows;
}

double ColumnStatistics::count_distinct(const Key& key) const {
  const auto& [predicate, rows, column] = key;
  const DomainId domain = database_.predicates()[predicate].domain(column);
  std::vector<bool> seen(database_.dictionary(domain).size());
  std::size_t count = 0;
  for (const Partition partition : {Partition::kObserved, Partition::kTarget}) {
    const bool observed = partition == Partition::kObserved;
    if (rows.set == (observed ? RowSet::kTargets : RowSet::kObserved)) continue;
    const Table& table = database_.relation(predicate).table(partition);
    const bool all = !observed || takes_all_values(rows);
    for (std::size_t row = 0; row < table.num_rows; ++row) {
      const Code code = table.columns[column][row];
      if (seen[code] || (!all && !rows.takes(table.value(row)))) continue;
      seen[code] = true;
      ++count;
    }
  }
  return static_cast<double>(count);
}

double ColumnStatistics::num_distinct(PredicateId predicate,
                                      const RowChoice& rows,
                                      std::size_t column) {
  if (rows.set == RowSet::kChanged) return 1.0;
  const auto [entry, added] = distinct_.try_emplace({predicate, rows, column}, 0.0);
  if (added) entry->second = count_distinct(entry->first);
  return entry->second;
}

void ColumnStatistics::count(const std::vector<PredicateId>& predicates, ThreadPool& pool) {
  std::vector<std::pair<const Key, double>*> uncounted;
  for (const PredicateId predicate : predicates) {
    for (std::size_t c = 0; c < database_.predicates()[predicate].types.size(); ++c) {
      const auto [entry, added] = distinct_.try_emplace({predicate, RowSet::kAll, c}, 0.0);
      if (added) uncounted.push_back(&*entry);
    }
  }
  pool.for_each(uncounted.size(),
                [&](std::size_t i) { uncounted[i]->second = count_distinct(uncounted[i]->first); });
}

}  // namespace sorites
