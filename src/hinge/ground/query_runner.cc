#include "hinge/ground/query_runner.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#include "join/join_tasks.h"

namespace sorites {
namespace {

// Makes a result ready to be filled again. Keeps blocks, without terms, since the next task will
// have the same ones, and their memory, so that it need not be asked for anew; all of these blocks
// are among those of the rule, so their order here is of no matter.
void empty(TaskResult& result) {
  constexpr std::size_t kFew = 8;  // most rules have fewer; more would hold memory for nothing
  result.counts = {};
  if (result.blocks.blocks().size() > kFew) result.blocks = {};
  for (TermBlock& block : result.blocks.blocks()) {
    block.num_terms = 0;
    block.atoms.clear();
    block.outputs.clear();
    block.offsets.clear();
  }
}

// What a task gave, and where its terms go in the blocks of the rule.
struct Placed {
  struct Copy {
    std::size_t to;  // number of the block
    std::size_t first = 0;
    const TermBlock* from;
  };
  struct Worker* worker = nullptr;  // that filled the result
  TaskResult result;
  std::vector<Copy> copies;
};

// One thread's means to ground a rule: a walk, and what makes terms of its bindings. A worker
// copies what it made itself, and fills the same memory again: fetching what another processor has
// just written takes longer than to make it.
struct alignas(kOwnLines) Worker {
  Join join;
  std::unique_ptr<Emitter> emitter;
  std::vector<TaskResult> spare = {};  // to be filled again
  std::vector<Placed*> made = {};      // of the wave before, not copied yet

  std::uint32_t batches = 0;  // between looks at memory

  TaskResult run(const JoinTask& task, MemoryWatch& memory) {
    TaskResult result;  // apart from other threads' until it is complete
    if (!spare.empty()) {
      result = std::move(spare.back());
      spare.pop_back();
    }
    emitter->begin(result);
    join.run(
        task,
        [&](const JoinBatch& batch) {
          emitter->add(batch);
          memory.look(batches);
        },
        memory.stop());
    return result;
  }

  void copy_made(BlockSet& blocks) {
    for (Placed* placed : made) {
      for (const Placed::Copy& copy : placed->copies) {
        copy_terms(blocks.blocks()[copy.to], copy.first, *copy.from);
      }
      empty(placed->result);
      spare.push_back(std::move(placed->result));
    }
    made.clear();
  }
};

// A worker for each thread that asks.
class Workers {
 public:
  Workers(const PlannedQuery& planned, const EmitContext& context)
      : planned_(planned), context_(context) {}

  Worker& of_this_thread() {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Worker>& worker = workers_[std::this_thread::get_id()];
    if (!worker) {
      const Rule& rule = context_.program.rules[planned_.rule];
      worker = std::make_unique<Worker>(
          Worker{Join(planned_.plan, context_.database),
                 make_emitter(context_, rule, planned_.query, planned_.plan)});
    }
    return *worker;
  }
  // For workers whose threads did not come to it.
  void copy_made(BlockSet& blocks) {
    for (auto& [thread, worker] : workers_) worker->copy_made(blocks);
  }

 private:
  const PlannedQuery& planned_;
  const EmitContext& context_;
  std::mutex mutex_;
  std::map<std::thread::id, std::unique_ptr<Worker>> workers_;
};

// A new array takes room for `count` elements. Not too much: arrays larger than this grow by moving
// pages, not by copying.
template <class T>
void make_room(GrowingArray<T>& array, double count) {
  constexpr double kMostBytes = 1U << 26U;  // 64 MB
  if (array.capacity() > 0) return;
  array.extend(static_cast<std::size_t>(std::min(count, kMostBytes / sizeof(T))));
  array.clear();
}

// Makes room for the terms of a rule, so that they are seldom moved when more come: as many as
// there will be if the tasks to come are like those of this wave, `part` of all. What is never
// written takes no memory.
void make_room(const std::vector<Placed>& wave, double part, BlockSet& blocks) {
  constexpr double kMargin = 1.1;  // tasks differ by less, as a rule
  std::vector<double> num_terms(blocks.blocks().size());
  for (const Placed& placed : wave) {
    for (const Placed::Copy& copy : placed.copies) {
      num_terms[copy.to] += static_cast<double>(copy.from->num_terms) * kMargin / part;
    }
  }
  for (std::size_t b = 0; b < num_terms.size(); ++b) {
    TermBlock& block = blocks.blocks()[b];
    make_room(block.atoms, num_terms[b] * static_cast<double>(block.width()));
    make_room(block.outputs, num_terms[b] * static_cast<double>(block.output_coefficients.size()));
    make_room(block.offsets, num_terms[b]);
  }
}

// Gives the terms of a wave of tasks places in the blocks of the rule, in the order of the tasks.
// The wave is `part` of all.
void place(std::vector<Placed>& wave, double part, BlockSet& blocks, GroundCounts& counts) {
  for (Placed& placed : wave) {
    add_counts(placed.result.counts, counts);
    for (const TermBlock& from : placed.result.blocks.blocks()) {
      if (from.num_terms == 0) continue;
      TermBlock& to = blocks.find(from.kind, from.coefficients, from.output_coefficients);
      placed.copies.push_back(
          {.to = static_cast<std::size_t>(&to - blocks.blocks().data()), .from = &from});
    }
  }
  make_room(wave, part, blocks);
  for (Placed& placed : wave) {
    for (Placed::Copy& copy : placed.copies) {
      copy.first = reserve_terms(blocks.blocks()[copy.to], *copy.from);
    }
  }
}

double bytes_of(BlockSet& blocks) {
  double bytes = 0.0;
  for (const TermBlock& block : blocks.blocks()) {
    bytes += static_cast<double>((block.atoms.size() + block.outputs.size()) * sizeof(AtomId) +
                                 block.offsets.size() * sizeof(double));
  }
  return bytes;
}

}  // namespace

void run_query(const PlannedQuery& planned,
               const EmitContext& context,
               const QueryControl& control,
               BlockSet& blocks,
               GroundCounts& counts) {
  const auto& [pool, stop, memory, progress] = control;
  const JoinTasks join_tasks(planned.plan, context.database, pool);
  const std::vector<JoinTask>& tasks = join_tasks.all();
  Workers workers(planned, context);
  // In waves, so that results are copied to their place while they are few. Each thread does so
  // before its first task of the next wave, so that none waits for the other.
  constexpr std::size_t kFewestPerWave = 64, kPerThread = 16;  // so that threads end together
  const std::size_t most = std::max<std::size_t>(kFewestPerWave, kPerThread * pool.num_threads());
  std::vector<Placed> last;
  double done = 0.0;
  const double bytes_before = bytes_of(blocks);
  for (std::size_t first = 0; first < tasks.size(); first += most) {
    std::vector<Placed> wave(std::min(most, tasks.size() - first));
    pool.for_each(wave.size(), [&, &memory = memory](std::size_t i) {
      Worker& worker = workers.of_this_thread();
      worker.copy_made(blocks);
      wave[i] = {&worker, worker.run(tasks[first + i], memory), {}};
    });
    workers.copy_made(blocks);
    if (stop.stop_requested()) throw Interrupted();
    if (memory.is_over()) throw std::bad_alloc();
    const double part = static_cast<double>(wave.size()) / static_cast<double>(tasks.size());
    place(wave, part, blocks, counts);
    progress(part);
    done += part;
    memory.forecast(bytes_of(blocks) - bytes_before, done);
    last = std::move(wave);
    for (Placed& placed : last) placed.worker->made.push_back(&placed);
  }
  pool.for_each(pool.num_threads(),
                [&](std::size_t) { workers.of_this_thread().copy_made(blocks); });
  workers.copy_made(blocks);
}

}  // namespace sorites
