// Rules whose bindings are the same: they are found once, and become terms of each.
#pragma once

#include <cstdint>
#include <vector>

#include "hinge/ground/rule_query.h"
#include "join/column_statistics.h"
#include "join/join_order.h"
#include "join/join_plan.h"

namespace sorites {

// A query of a rule.
struct QueryOfRule {
  std::uint32_t rule = 0;
  RuleQuery query;
};

// Queries that one join answers: their atoms are the same but for signs.
struct QueryGroup {
  std::vector<QueryOfRule> queries;
  JoinQuery join;
  JoinOrder order;
  JoinPlan plan;

  const RuleQuery& first() const { return queries.front().query; }
};

// Groups, in the order of their first queries, without plans yet. If `share`, queries that differ
// only in which values they leave out stand together where one join costs less than several.
std::vector<QueryGroup> grouped(std::vector<QueryOfRule> queries,
                                bool share,
                                ColumnStatistics& statistics);

}  // namespace sorites
