#include "ground/query_runner.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "ground/join_tasks.h"

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

// Results of a wave of tasks, and where their terms go in the blocks of the rule.
struct Wave {
  struct Copy {
    std::size_t to;  // number of the block
    std::size_t first = 0;
    const TermBlock* from;
  };
  std::vector<TaskResult> results;
  std::vector<Copy> copies;
};

// An empty array takes room for `count` elements. Not too much: arrays larger than this grow by
// moving pages, not by copying.
template <class T>
void make_room(GrowingArray<T>& array, double count) {
  constexpr double kMostBytes = 1U << 26U;
  if (array.capacity() > 0) return;
  array.extend(static_cast<std::size_t>(std::min(count, kMostBytes / sizeof(T))));
  array.clear();
}

// Makes room for the terms of a rule, so that they are seldom moved when more come: as many as there
// will be if the tasks to come are like those of this wave, `part` of all. What is never written
// takes no memory.
void make_room(const Wave& wave, double part, BlockSet& blocks) {
  constexpr double kMargin = 1.1;
  std::vector<double> num_terms(blocks.blocks().size());
  for (const Wave::Copy& copy : wave.copies) {
    num_terms[copy.to] += static_cast<double>(copy.from->num_terms) * kMargin / part;
  }
  for (std::size_t b = 0; b < num_terms.size(); ++b) {
    TermBlock& block = blocks.blocks()[b];
    make_room(block.atoms, num_terms[b] * static_cast<double>(block.width()));
    make_room(block.outputs,
              num_terms[b] * static_cast<double>(block.output_coefficients.size()));
    make_room(block.offsets, num_terms[b]);
  }
}

// Gives the terms of a wave places in the blocks of the rule, in the order of the tasks. The wave is
// `part` of all.
void place(Wave& wave, double part, BlockSet& blocks, GroundCounts& counts) {
  for (TaskResult& result : wave.results) {
    add_counts(result.counts, counts);
    for (const TermBlock& from : result.blocks.blocks()) {
      TermBlock& to = blocks.find(from.kind, from.coefficients, from.output_coefficients);
      wave.copies.push_back(
          {.to = static_cast<std::size_t>(&to - blocks.blocks().data()), .from = &from});
    }
  }
  make_room(wave, part, blocks);
  for (Wave::Copy& copy : wave.copies) {
    copy.first = reserve_terms(blocks.blocks()[copy.to], *copy.from);
  }
}

}  // namespace

void run_query(const PlannedQuery& planned,
               const EmitContext& context,
               ThreadPool& pool,
               const std::stop_token& stop,
               const std::function<void(double part)>& progress,
               BlockSet& blocks,
               GroundCounts& counts) {
  const JoinTasks join_tasks(planned.plan, context.database, pool);
  const std::vector<JoinTask>& tasks = join_tasks.all();
  Workers workers(planned, context);
  // In waves, so that results are moved to their place while they are few; those of one wave along
  // with the tasks of the next, so that no thread waits for the other.
  const std::size_t most = std::max<std::size_t>(64, 16 * pool.num_threads());
  Wave last;
  for (std::size_t first = 0; first < tasks.size() || !last.copies.empty(); first += most) {
    Wave wave;
    wave.results.resize(std::min(most, tasks.size() - std::min(first, tasks.size())));
    pool.for_each(last.copies.size() + wave.results.size(), [&](std::size_t i) {
      if (i < last.copies.size()) {
        const Wave::Copy& copy = last.copies[i];
        copy_terms(blocks.blocks()[copy.to], copy.first, *copy.from);
        return;
      }
      const std::size_t number = i - last.copies.size();
      TaskResult result;  // apart from the other threads' until it is complete
      auto worker = workers.take();
      worker->run(tasks[first + number], stop, result);
      workers.give_back(std::move(worker));
      wave.results[number] = std::move(result);
    });
    if (stop.stop_requested()) throw Interrupted();
    const double part = static_cast<double>(wave.results.size()) / static_cast<double>(tasks.size());
    place(wave, part, blocks, counts);
    progress(part);
    last = std::move(wave);
  }
}

}  // namespace sorites
