// Runs planned queries on all threads.
#pragma once

#include <cstdint>
#include <functional>

#include "base/thread_pool.h"
#include "hinge/ground/emitter.h"
#include "sorites/ground.h"

namespace sorites {

// A clause or an arithmetic rule, ready to run.
struct PlannedQuery {
  std::uint32_t rule = 0;
  RuleQuery query;
  JoinPlan plan;
};

// Adds the terms of all bindings to `blocks`, in the order of the plan, and counts what became of
// the bindings. `progress` is told how much of the query is done since the last call (in all: 1).
// Throws Interrupted.
void run_query(const PlannedQuery& planned,
               const EmitContext& context,
               ThreadPool& pool,
               const std::stop_token& stop,
               const std::function<void(double part)>& progress,
               BlockSet& blocks,
               GroundCounts& counts);

}  // namespace sorites
