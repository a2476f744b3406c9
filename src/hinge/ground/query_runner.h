// Runs planned queries on all threads.
#pragma once

#include <cstdint>
#include <functional>

#include "base/thread_pool.h"
#include "hinge/ground/emitter.h"
#include "hinge/ground/memory_watch.h"
#include "sorites/ground.h"

namespace sorites {

// A clause or an arithmetic rule, ready to run.
struct PlannedQuery {
  std::uint32_t rule = 0;
  RuleQuery query;
  JoinPlan plan;
};

// Who runs it, who may end it, and who is told how much of it is done since the last call (in all:
// 1).
struct QueryControl {
  ThreadPool& pool;
  const std::stop_token& stop;
  MemoryWatch& memory;  // asked to stop when `stop` is
  std::function<void(double part)> progress;
};

// Adds the terms of all bindings to `blocks`, in the order of the plan, and counts what became of
// the bindings. Throws Interrupted, and InputError if memory does not suffice.
void run_query(const PlannedQuery& planned,
               const EmitContext& context,
               const QueryControl& control,
               BlockSet& blocks,
               GroundCounts& counts);

}  // namespace sorites
