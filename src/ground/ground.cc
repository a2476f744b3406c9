#include "sorites/ground.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <mutex>

#include "base/diagnostics.h"
#include "base/thread_pool.h"
#include "ground/emitter.h"
#include "ground/layout.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

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

void add_counts(const GroundCounts& from, GroundCounts& to) {
  to.terms += from.terms;
  to.observed += from.observed;
  to.satisfied += from.satisfied;
  to.missing += from.missing;
  for (const std::string& example : from.missing_examples) {
    if (to.missing_examples.size() < 10) to.missing_examples.push_back(example);
  }
}

class Grounder {
 public:
  Grounder(const Program& program, const Database& database, const GroundOptions& options)
      : program_(program),
        options_(options),
        context_{program, database, lay_out(program, database, model_), options.on_missing_target},
        pool_(options.threads),
        statistics_(database),
        tries_(database) {}

  Model run(GroundReport& report);

 private:
  void ground_rule(std::uint32_t number, GroundCounts& counts);
  void ground_query(const Rule& rule,
                    const RuleQuery& query,
                    BlockSet& blocks,
                    GroundCounts& counts);
  void take_results(std::vector<TaskResult>& results, BlockSet& blocks, GroundCounts& counts);

  const Program& program_;
  const GroundOptions& options_;
  Model model_;
  EmitContext context_;
  ThreadPool pool_;
  ColumnStatistics statistics_;
  TrieStore tries_;
  bool divided_by_zero_ = false;
};

// Copies the terms of the tasks, in their order, into the blocks of the rule.
void Grounder::take_results(std::vector<TaskResult>& results,
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
    divided_by_zero_ |= result.divided_by_zero;
    for (const TermBlock& from : result.blocks.blocks()) {
      TermBlock& to = blocks.find(from.kind, from.coefficients, from.output_coefficients);
      copies.push_back(
          {static_cast<std::size_t>(&to - blocks.blocks().data()), reserve_terms(to, from), &from});
    }
  }
  pool_.for_each(copies.size(), [&](std::size_t i) {
    copy_terms(blocks.blocks()[copies[i].to], copies[i].first, *copies[i].from);
  });
}

void Grounder::ground_query(const Rule& rule,
                            const RuleQuery& query,
                            BlockSet& blocks,
                            GroundCounts& counts) {
  if (query.never) return;
  const JoinPlan plan = make_plan(query.query, statistics_, tries_);
  const std::vector<JoinTask> tasks = Join(plan, context_.database).tasks();
  std::vector<std::unique_ptr<Worker>> idle;
  std::mutex mutex;
  const auto take_worker = [&] {
    const std::lock_guard lock(mutex);
    if (idle.empty()) {
      return std::make_unique<Worker>(
          Worker{Join(plan, context_.database), make_emitter(context_, rule, query, plan)});
    }
    auto worker = std::move(idle.back());
    idle.pop_back();
    return worker;
  };
  // In waves, so that results are moved to their place while they are few.
  constexpr std::size_t kWave = 64;
  for (std::size_t first = 0; first < tasks.size(); first += kWave) {
    std::vector<TaskResult> results(std::min(kWave, tasks.size() - first));
    pool_.for_each(results.size(), [&](std::size_t i) {
      auto worker = take_worker();
      worker->run(tasks[first + i], options_.stop, results[i]);
      const std::lock_guard lock(mutex);
      idle.push_back(std::move(worker));
    });
    if (options_.stop.stop_requested()) throw Interrupted();
    take_results(results, blocks, counts);
  }
}

void Grounder::ground_rule(std::uint32_t number, GroundCounts& counts) {
  const Clock::time_point start = Clock::now();
  const Rule& rule = program_.rules[number];
  BlockSet blocks;
  for (const RuleQuery& query : rule_queries(rule, program_, context_.database)) {
    ground_query(rule, query, blocks, counts);
  }
  for (TermBlock& block : blocks.blocks()) {
    block.rule = number;
    block.atoms.shrink_to_fit();
    block.outputs.shrink_to_fit();
    block.offsets.shrink_to_fit();
    model_.blocks.push_back(std::move(block));
  }
  counts.seconds = seconds_since(start);
}

Model Grounder::run(GroundReport& report) {
  const Clock::time_point start = Clock::now();
  report.rules.resize(program_.rules.size());
  for (std::uint32_t r = 0; r < program_.rules.size(); ++r) {
    const Rule& rule = program_.rules[r];
    model_.rules.push_back({rule.weight.value_or(0.0), !rule.weight, rule.text, rule.source});
    ground_rule(r, report.rules[r]);
    if (options_.progress) options_.progress(r + 1, program_.rules.size());
  }
  report.index_memory_bytes = tries_.memory_bytes();
  report.seconds = seconds_since(start);
  return std::move(model_);
}

}  // namespace

Model ground(const Program& program,
             const Database& database,
             const GroundOptions& options,
             GroundReport* report) {
  GroundReport own;
  return Grounder(program, database, options).run(report != nullptr ? *report : own);
}

}  // namespace sorites
