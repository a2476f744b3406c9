// The order of variables with the fewest expected bindings on the way.
#pragma once

#include <vector>

#include "join/column_statistics.h"
#include "join/join_plan.h"

namespace sorites {

struct JoinOrder {
  std::vector<std::uint32_t> variables;
  std::vector<double> sizes;  // per prefix: expected bindings
};

JoinOrder best_order(const JoinQuery& query, ColumnStatistics& statistics);

}  // namespace sorites
