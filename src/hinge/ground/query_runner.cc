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
  constexpr std::size_t kMostKept = 8;  // most rules have fewer; more would hold memory for nothing
  result.counts = {};
  if (result.blocks.blocks().size() > kMostKept) result.blocks = {};
  for (TermBlock& block : result.blocks.blocks()) {
    block.num_terms = 0;
    block.atoms.clear();
    block.outputs.clear();
    block.offsets.clear();
  }
}

double bytes_of(const BlockSet& blocks) {
  double bytes = 0.0;
  for (const TermBlock& block : blocks.blocks()) {
    bytes += static_cast<double>((block.atoms.size() + block.outputs.size()) * sizeof(AtomId) +
                                 block.offsets.size() * sizeof(double));
  }
  return bytes;
}

using TaskResults = std::vector<TaskResult>;  // per query of the group

double bytes_of(const TaskResults& results) {
  double bytes = 0.0;
  for (const TaskResult& result : results) bytes += bytes_of(result.blocks);
  return bytes;
}

double bytes_of(std::span<const QueryOutput> outputs) {
  double bytes = 0.0;
  for (const QueryOutput& output : outputs) bytes += bytes_of(*output.blocks);
  return bytes;
}

// What a task gave, and where its terms go in the blocks of the rules.
struct Placed {
  struct Copy {
    BlockSet* blocks;
    std::size_t to;  // number of the block
    std::size_t first = 0;
    const TermBlock* from;
  };
  struct Worker* worker = nullptr;  // that filled the results
  TaskResults results;
  std::vector<Copy> copies;
};

std::vector<std::unique_ptr<Emitter>> emitters_of(const QueryGroup& group,
                                                  const EmitContext& context) {
  std::vector<std::unique_ptr<Emitter>> emitters;
  for (const QueryOfRule& query : group.queries) {
    emitters.push_back(
        make_emitter(context, context.program.rules[query.rule], query.query, group.plan));
  }
  return emitters;
}

// Whether the number of bindings is a product of numbers of rows: no two atoms share a variable,
// and nothing chooses among their rows.
bool is_product(const QueryGroup& group) {
  const auto is_variable = [](const JoinArgument& argument) {
    return argument.kind == JoinArgument::Kind::kVariable;
  };
  for (const JoinAtom& atom : group.join.atoms) {
    if (atom.optional || atom.implied) continue;
    if (!std::all_of(atom.arguments.begin(), atom.arguments.end(), is_variable)) return false;
  }
  return std::all_of(
      group.plan.depths.begin(), group.plan.depths.end(), [](const JoinDepth& depth) {
        return depth.comparisons.empty() && !depth.pinned && depth.drivers.size() <= 1 &&
               (depth.drivers.empty() || depth.drivers[0].num_levels == 1);
      });
}

BindingsSoFar no_bindings_yet(const QueryGroup& group) {
  const JoinPlan& plan = group.plan;
  return {.estimated_count = plan.depths.empty() ? 1.0 : plan.depths.back().estimated_size,
          .exact = is_product(group)};
}

// One thread's means to ground rules: a walk, and what makes terms of its bindings. A worker
// copies what it made itself, and fills the same memory again: fetching what another processor has
// just written takes longer than to make it.
struct alignas(kOwnLines) Worker {
  Join join;
  std::vector<std::unique_ptr<Emitter>> emitters;  // per query of the group
  BindingsSoFar begin;                             // what is known before the first task
  std::vector<TaskResults> spare = {};             // to be filled again
  std::vector<Placed*> made = {};                  // of the wave before, not copied yet

  std::uint32_t batches = 0;  // between looks at memory

  // The task is `part` of all.
  TaskResults run(const JoinTask& task, double part, MemoryWatch& memory) {
    BindingsSoFar so_far = begin;
    TaskResults results;  // apart from other threads' until they are complete
    if (spare.empty()) {
      results.resize(emitters.size());
    } else {
      results = std::move(spare.back());
      spare.pop_back();
    }
    for (std::size_t q = 0; q < emitters.size(); ++q) emitters[q]->begin(results[q]);
    join.run(
        task,
        [&](const JoinBatch& batch) {
          for (const auto& emitter : emitters) emitter->add(batch);
          so_far.count += static_cast<double>(batch.selected().size());
          if (!memory.look(batches)) return;
          so_far.bytes = bytes_of(results);
          so_far.share = part * join.share_done();
          memory.guess(so_far);
        },
        memory.stop());
    return results;
  }

  void copy_made() {
    for (Placed* placed : made) {
      for (const Placed::Copy& copy : placed->copies) {
        copy_terms(copy.blocks->blocks()[copy.to], copy.first, *copy.from);
      }
      for (TaskResult& result : placed->results) empty(result);
      spare.push_back(std::move(placed->results));
    }
    made.clear();
  }
};

// A worker for each thread that asks.
class Workers {
 public:
  Workers(const QueryGroup& group, const EmitContext& context) : group_(group), context_(context) {}

  Worker& of_this_thread() {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Worker>& worker = workers_[std::this_thread::get_id()];
    if (!worker) {
      worker = std::make_unique<Worker>(Worker{Join(group_.plan, context_.database),
                                               emitters_of(group_, context_),
                                               no_bindings_yet(group_)});
    }
    return *worker;
  }
  // For workers whose threads did not come to it.
  void copy_made() {
    for (auto& [thread, worker] : workers_) worker->copy_made();
  }

 private:
  const QueryGroup& group_;
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

// Makes room for the terms of a group, so that they are seldom moved when more come: as many as
// there will be if the tasks to come are like those of this wave, `part` of all. What is never
// written takes no memory.
void make_room(const std::vector<Placed>& wave, double part) {
  constexpr double kMargin = 1.1;  // tasks differ by less, as a rule
  std::map<std::pair<BlockSet*, std::size_t>, double> num_terms;
  for (const Placed& placed : wave) {
    for (const Placed::Copy& copy : placed.copies) {
      num_terms[{copy.blocks, copy.to}] +=
          static_cast<double>(copy.from->num_terms) * kMargin / part;
    }
  }
  for (const auto& [place, expected] : num_terms) {
    TermBlock& block = place.first->blocks()[place.second];
    make_room(block.atoms, expected * static_cast<double>(block.width()));
    make_room(block.outputs, expected * static_cast<double>(block.output_coefficients.size()));
    make_room(block.offsets, expected);
  }
}

// Gives the terms of a wave of tasks places in the blocks of their rules, in the order of the
// tasks. The wave is `part` of all.
void place(std::vector<Placed>& wave, double part, std::span<const QueryOutput> outputs) {
  for (Placed& placed : wave) {
    for (std::size_t q = 0; q < outputs.size(); ++q) {
      TaskResult& result = placed.results[q];
      BlockSet& blocks = *outputs[q].blocks;
      add_counts(result.counts, *outputs[q].counts);
      for (const TermBlock& from : result.blocks.blocks()) {
        if (from.num_terms == 0) continue;
        TermBlock& to = blocks.find(from.kind, from.coefficients, from.output_coefficients);
        placed.copies.push_back({.blocks = &blocks,
                                 .to = static_cast<std::size_t>(&to - blocks.blocks().data()),
                                 .from = &from});
      }
    }
  }
  make_room(wave, part);
  for (Placed& placed : wave) {
    for (Placed::Copy& copy : placed.copies) {
      copy.first = reserve_terms(copy.blocks->blocks()[copy.to], *copy.from);
    }
  }
}

}  // namespace

void run_group(const QueryGroup& group,
               const EmitContext& context,
               const QueryControl& control,
               std::span<const QueryOutput> outputs) {
  const auto& [pool, stop, memory, progress] = control;
  const JoinTasks join_tasks(group.plan, context.database, pool);
  const std::vector<JoinTask>& tasks = join_tasks.all();
  Workers workers(group, context);
  // In waves, so that results are copied to their place while they are few. Each thread does so
  // before its first task of the next wave, so that none waits for the other.
  constexpr std::size_t kFewestPerWave = 64, kPerThread = 16;  // so that threads end together
  const std::size_t most = std::max<std::size_t>(kFewestPerWave, kPerThread * pool.num_threads());
  std::vector<Placed> last;
  double done = 0.0, weight = 0.0;
  for (const JoinTask& task : tasks) weight += static_cast<double>(task.weight);
  const double bytes_before = bytes_of(outputs);
  for (std::size_t first = 0; first < tasks.size(); first += most) {
    std::vector<Placed> wave(std::min(most, tasks.size() - first));
    pool.for_each(wave.size(), [&, &memory = memory](std::size_t i) {
      Worker& worker = workers.of_this_thread();
      worker.copy_made();
      const JoinTask& task = tasks[first + i];
      wave[i] = {&worker, worker.run(task, static_cast<double>(task.weight) / weight, memory), {}};
    });
    workers.copy_made();
    if (stop.stop_requested()) throw Interrupted();
    if (memory.is_over()) throw std::bad_alloc();
    const double part = static_cast<double>(wave.size()) / static_cast<double>(tasks.size());
    place(wave, part, outputs);
    progress(part);
    done += part;
    memory.forecast(bytes_of(outputs) - bytes_before, done);
    last = std::move(wave);
    for (Placed& placed : last) placed.worker->made.push_back(&placed);
  }
  pool.for_each(pool.num_threads(), [&](std::size_t) { workers.of_this_thread().copy_made(); });
  workers.copy_made();
}

bool is_small(const QueryGroup& group) {
  // A few tenths of a millisecond: handing its tasks out to threads would take as long.
  constexpr double kFewBindings = 10'000, kFewRows = 20'000;
  double rows = 0.0;
  for (std::size_t a = 0; a < group.plan.tries.size(); ++a) {
    if (!group.join.atoms[a].optional) rows += group.plan.start[a].size();
  }
  return group.plan.estimated_cost < kFewBindings && rows < kFewRows;
}

std::vector<TaskResult> run_small(const QueryGroup& group,
                                  const EmitContext& context,
                                  MemoryWatch& memory) {
  const JoinPlan& plan = group.plan;
  std::vector<TaskResult> results(group.queries.size());
  if (plan.empty) return results;
  Worker worker{Join(plan, context.database), emitters_of(group, context), no_bindings_yet(group)};
  Candidates first;
  JoinTask task;
  if (!plan.depths.empty()) {
    worker.join.find_first(all_of_first(plan), first);
    task = {.first = &first, .first_end = static_cast<std::uint32_t>(first.values.size())};
  }
  return worker.run(task, 1.0, memory);
}

void append(TaskResult& result, const QueryOutput& output) {
  add_counts(result.counts, *output.counts);
  if (output.blocks->blocks().empty()) {
    *output.blocks = std::move(result.blocks);
    return;
  }
  for (const TermBlock& from : result.blocks.blocks()) {
    TermBlock& to = output.blocks->find(from.kind, from.coefficients, from.output_coefficients);
    copy_terms(to, reserve_terms(to, from), from);
  }
}

}  // namespace sorites
