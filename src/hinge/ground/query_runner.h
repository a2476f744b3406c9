// Runs planned queries on all threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "hinge/ground/emitter.h"
#include "hinge/ground/memory_watch.h"
#include "hinge/ground/query_groups.h"
#include "sorites/ground.h"

namespace sorites {

// Who runs it, who may end it, and who is told how much of it is done since the last call (in all:
// 1).
struct QueryControl {
  ThreadPool& pool;
  const std::stop_token& stop;
  MemoryWatch& memory;  // asked to stop when `stop` is
  std::function<void(double part)> progress;
};

// Where the terms of a query go, and what became of its bindings.
struct QueryOutput {
  BlockSet* blocks = nullptr;
  GroundCounts* counts = nullptr;
};

// Adds the terms of all bindings to the outputs, one per query of the group, in the order of the
// plan. Throws Interrupted, and std::bad_alloc if memory does not suffice.
void run_group(const QueryGroup& group,
               const EmitContext& context,
               const QueryControl& control,
               std::span<const QueryOutput> outputs);

// Whether a group is so small that one thread alone had better run it, beside others that do the
// same with other groups.
bool is_small(const QueryGroup& group);
// What a small group gives, per query. Ends early if memory does not suffice.
std::vector<TaskResult> run_small(const QueryGroup& group,
                                  const EmitContext& context,
                                  MemoryWatch& memory);
void append(TaskResult& result, const QueryOutput& output);

}  // namespace sorites
