#include "ground/query_runner.h"

#include <algorithm>
#include <memory>
#include <mutex>

namespace sorites {
namespace {

// One thread's means to ground a rule: a walk, and what makes terms of its bindings.
struct Worker {
  Join join;
  std::unique_ptr<Emitter> emitter;

  void run(const JoinTask& task, const std::stop_token& stop, TaskResult& result) {
    emitter->begin(result);
    join.run(
        task, [&](const JoinBatch& batch) { emitter->add(batch); }, stop);
  }
};

// Workers that wait for a task; as many are made as run at once.
class Workers {
 public:
  Workers(const PlannedQuery& planned, const EmitContext& context)
      : planned_(planned), context_(context) {}

  std::unique_ptr<Worker> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      const Rule& rule = context_.program.rules[planned_.rule];
      return std::make_unique<Worker>(
          Worker{Join(planned_.plan, context_.database),
                 make_emitter(context_, rule, planned_.query, planned_.plan)});
    }
    auto worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  }
  void give_back(std::unique_ptr<Worker> worker) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(worker));
  }

 private:
  const PlannedQuery& planned_;
  const EmitContext& context_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

// Copies the terms of the tasks, in their order, into the blocks of the rule.
void take_results(std::vector<TaskResult>& results,
                  ThreadPool& pool,
                  BlockSet& blocks,
                  GroundCounts& counts) {
  struct Copy {
    std::size_t to;
    std::size_t first;
    const TermBlock* from;
  };
  std::vector<Copy> copies;
  for (TaskResult& result : results) {
    add_counts(result.counts, counts);
    for (const TermBlock& from : result.blocks.blocks()) {
      TermBlock& to = blocks.find(from.kind, from.coefficients, from.output_coefficients);
      const auto number = static_cast<std::size_t>(&to - blocks.blocks().data());
      copies.push_back({number, reserve_terms(to, from), &from});
    }
  }
  pool.for_each(copies.size(), [&](std::size_t i) {
    copy_terms(blocks.blocks()[copies[i].to], copies[i].first, *copies[i].from);
  });
}

}  // namespace

void run_query(const PlannedQuery& planned,
               const EmitContext& context,
               ThreadPool& pool,
               const std::stop_token& stop,
               const std::function<void(double part)>& progress,
               BlockSet& blocks,
               GroundCounts& counts) {
  const std::vector<JoinTask> tasks = Join(planned.plan, context.database).tasks();
  Workers workers(planned, context);
  // In waves, so that results are moved to their place while they are few.
  constexpr std::size_t kWave = 64;
  for (std::size_t first = 0; first < tasks.size(); first += kWave) {
    std::vector<TaskResult> results(std::min(kWave, tasks.size() - first));
    pool.for_each(results.size(), [&](std::size_t i) {
      auto worker = workers.take();
      worker->run(tasks[first + i], stop, results[i]);
      workers.give_back(std::move(worker));
    });
    if (stop.stop_requested()) throw Interrupted();
    take_results(results, pool, blocks, counts);
    progress(static_cast<double>(results.size()) / static_cast<double>(tasks.size()));
  }
}

}  // namespace sorites
