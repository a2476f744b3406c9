#include "hinge/ground/query_groups.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

namespace sorites {
namespace {

void append(std::string& key, std::uint64_t number) {
  key.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append(std::string& key, const JoinArgument& argument) {
  append(key, static_cast<std::uint64_t>(argument.kind) << 32U | argument.value);
}

// What must be equal for one walk to serve two queries: all but the limits of values.
std::string key_of(const JoinQuery& query) {
  std::string key;
  append(key, query.num_variables);
  for (const std::uint32_t size : query.domain_sizes) append(key, size);
  append(key, query.atoms.size());
  for (const JoinAtom& atom : query.atoms) {
    append(key,
           static_cast<std::uint64_t>(atom.predicate) << 8U |
               static_cast<std::uint64_t>(atom.rows.set) << 2U | (atom.optional ? 2U : 0U) |
               (atom.implied ? 1U : 0U));
    for (const JoinArgument& argument : atom.arguments) append(key, argument);
  }
  for (const JoinComparison& comparison : query.comparisons) {
    append(key,
           static_cast<std::uint64_t>(comparison.domain) << 8U |
               static_cast<std::uint64_t>(comparison.op) << 1U | (comparison.negated ? 1U : 0U));
    append(key, comparison.left);
    append(key, comparison.right);
    key += comparison.left_text + '\0' + comparison.right_text + '\0';
  }
  return key;
}

QueryGroup group_of(QueryOfRule query, ColumnStatistics& statistics) {
  QueryGroup group;
  group.join = query.query.query;
  group.order = best_order(group.join, statistics);
  group.queries.push_back(std::move(query));
  return group;
}

double cost_of(const JoinOrder& order) {
  return std::accumulate(order.sizes.begin(), order.sizes.end(), 0.0);
}

// Adds a query to a group if the join of both costs less than the two of them.
bool join_group(const QueryOfRule& query, QueryGroup& group, ColumnStatistics& statistics) {
  JoinQuery both = group.join;
  bool same = true;
  for (std::size_t a = 0; a < both.atoms.size(); ++a) {
    const RowChoice& own = query.query.query.atoms[a].rows;
    RowChoice& rows = both.atoms[a].rows;
    same &= own == rows;
    rows.above = std::min(rows.above, own.above);
    rows.below = std::max(rows.below, own.below);
    rows = statistics.plain(both.atoms[a].predicate, rows);
  }
  if (!same) {
    JoinOrder order = best_order(both, statistics);
    const double apart = cost_of(group.order) + cost_of(best_order(query.query.query, statistics));
    if (cost_of(order) > apart) return false;
    group.join = std::move(both);
    group.order = std::move(order);
  }
  group.queries.push_back(query);
  return true;
}

}  // namespace

std::vector<QueryGroup> grouped(std::vector<QueryOfRule> queries,
                                bool share,
                                ColumnStatistics& statistics) {
  std::vector<QueryGroup> groups;
  std::unordered_multimap<std::string, std::size_t> by_key;
  for (QueryOfRule& query : queries) {
    const std::string key = share ? key_of(query.query.query) : std::string();
    bool joined = false;
    if (share) {
      const auto [begin, end] = by_key.equal_range(key);
      for (auto it = begin; !joined && it != end; ++it) {
        joined = join_group(query, groups[it->second], statistics);
      }
    }
    if (joined) continue;
    if (share) by_key.emplace(key, groups.size());
    groups.push_back(group_of(std::move(query), statistics));
  }
  return groups;
}

}  // namespace sorites
