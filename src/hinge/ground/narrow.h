// From a query for all bindings of a rule to queries for those that can matter.
//
// A binding of a weighted rule matters if one of its atoms is unknown, and if the observed ones
// leave room for a violation. So a query is cut by which unknown atom is the first: the others
// before it are observed, and the join begins with rows that are targets. Rows whose values satisfy
// the rule alone are left out of the indexes, and atoms that the others imply are not joined.
#pragma once

#include <vector>

#include "hinge/ground/coverage.h"
#include "hinge/ground/emitter.h"
#include "hinge/ground/rule_query.h"
#include "sorites/ground.h"

namespace sorites {

struct NarrowContext {
  const EmitContext& data;
  ColumnStatistics& statistics;
  Coverage& coverage;
  GroundPlan plan = GroundPlan::kCheapest;
};

// Queries that together give the same terms and missing atoms as `query`, each binding once.
std::vector<RuleQuery> narrowed(const RuleQuery& query, const NarrowContext& context);
// Those of all queries of a rule, in the order in which grounding runs them.
std::vector<RuleQuery> narrowed_queries(const Rule& rule, const NarrowContext& context);

}  // namespace sorites
