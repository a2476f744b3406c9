// Forecasts: grounds a sample of every rule and extrapolates.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "data/same_predicates.h"
#include "hinge/ground/emitter.h"
#include "hinge/ground/memory_watch.h"
#include "hinge/ground/narrow.h"
#include "join/join_tasks.h"
#include "sorites/ground.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

// What a sample of tasks gave.
struct Sample {
  double terms = 0.0, bytes = 0.0;
  double weight = 0.0;        // of the tasks done
  double total_weight = 0.0;  // of all tasks
};

// Runs tasks in random order until the deadline. A task that the deadline cuts off counts nothing.
Sample sample_tasks(Join& join,
                    std::vector<JoinTask> tasks,
                    Emitter& emitter,
                    const GroundOptions& options,
                    Clock::time_point deadline) {
  Sample sample;
  for (const JoinTask& task : tasks) sample.total_weight += static_cast<double>(task.weight);
  std::shuffle(tasks.begin(), tasks.end(), std::mt19937(1));
  for (const JoinTask& task : tasks) {
    TaskResult result;
    emitter.begin(result);
    std::stop_source late;
    join.run(
        task,
        [&](const JoinBatch& batch) {
          emitter.add(batch);
          if (Clock::now() > deadline || options.stop.stop_requested()) late.request_stop();
        },
        late.get_token());
    if (options.stop.stop_requested()) throw Interrupted();
    if (late.stop_requested()) break;
    sample.weight += static_cast<double>(task.weight);
    sample.terms += static_cast<double>(result.counts.terms);
    for (const TermBlock& block : result.blocks.blocks()) {
      const std::size_t offset = block.offsets.empty() ? 0 : sizeof(double);
      const std::size_t term = block.width() * sizeof(AtomId) + offset +
                               block.output_coefficients.size() * sizeof(std::uint32_t);
      sample.bytes += static_cast<double>(block.num_terms * term);
    }
  }
  return sample;
}

class Forecaster {
 public:
  Forecaster(const Program& program, const Database& database, const GroundOptions& options)
      : program_(program),
        options_(options),
        context_{
            program, database, lay_out(program, database, numbering_), options.on_missing_target},
        pool_(1),
        statistics_(database),
        coverage_(statistics_),
        tries_(database) {}

  RuleForecast forecast(const Rule& rule, double seconds);
  double num_atoms() const { return static_cast<double>(numbering_.num_atoms); }
  std::size_t index_memory_bytes() const { return tries_.memory_bytes(); }

 private:
  const Program& program_;
  const GroundOptions& options_;
  Model numbering_;
  EmitContext context_;
  ThreadPool pool_;
  ColumnStatistics statistics_;
  Coverage coverage_;
  TrieStore tries_;
};

RuleForecast Forecaster::forecast(const Rule& rule, double seconds) {
  RuleForecast forecast{.exact = true};
  const std::vector<RuleQuery> queries =
      narrowed_queries(rule, {context_, statistics_, coverage_, options_.plan});
  double largest = -1.0;
  for (const RuleQuery& query : queries) {
    const JoinPlan plan = make_plan(query.query, statistics_, tries_);
    Join join(plan, context_.database);
    const JoinTasks tasks(plan, context_.database, pool_);
    const auto emitter = make_emitter(context_, rule, query, plan);
    const auto share = std::chrono::duration<double>(seconds / static_cast<double>(queries.size()));
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(share);
    const Sample sample = sample_tasks(join, tasks.all(), *emitter, options_, deadline);
    double terms = sample.terms, bytes = sample.bytes;
    if (sample.weight < sample.total_weight) {
      forecast.exact = false;
      const double factor = sample.weight > 0 ? sample.total_weight / sample.weight : 0.0;
      terms *= factor;
      bytes *= factor;
      if (sample.weight == 0 &&
          !plan.depths.empty()) {  // not one task was done: what the plan expects
        terms = plan.depths.back().estimated_size;
        bytes = terms * static_cast<double>(sizeof(double) + query.atoms.size() * sizeof(AtomId));
      }
    }
    forecast.terms += terms;
    forecast.bytes += bytes;
    if (terms > largest) {
      largest = terms;
      forecast.reason = reason_of(query, plan, rule);
    }
  }
  return forecast;
}

}  // namespace

Forecast estimate(const Program& program,
                  const Database& database,
                  const GroundOptions& options,
                  double time_limit_seconds) {
  require_same_predicates(program, database);
  const Clock::time_point start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  Forecaster forecaster(program, database, options);
  Forecast forecast;
  for (std::size_t r = 0; r < program.rules.size(); ++r) {
    const double rest = std::max(0.0, time_limit_seconds - elapsed());
    const double share = rest / static_cast<double>(program.rules.size() - r);
    forecast.rules.push_back(forecaster.forecast(program.rules[r], share));
  }
  forecast.atoms = forecaster.num_atoms();
  forecast.index_memory_bytes = forecaster.index_memory_bytes();
  forecast.seconds = elapsed();
  return forecast;
}

}  // namespace sorites
