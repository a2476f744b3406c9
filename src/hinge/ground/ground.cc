#include "sorites/ground.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "base/diagnostics.h"
#include "base/thread_pool.h"
#include "hinge/ground/query_runner.h"
#include "join/join_order.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// "1 ground rule needs", "3 ground rules need"
std::string counted(std::uint64_t count, const char* verb) {
  return fmt::format(
      "{} ground rule{} {}{}", count, count == 1 ? "" : "s", verb, count == 1 ? "s" : "");
}

class Grounder {
 public:
  Grounder(const Program& program, const Database& database, const GroundOptions& options)
      : program_(program),
        options_(options),
        context_{program, database, lay_out(program, database, model_), options.on_missing_target},
        pool_(options.threads),
        statistics_(database),
        tries_(database),
        memory_(options.stop) {}

  Model run(GroundReport& report);

 private:
  std::vector<PlannedQuery> plan_all();
  void add_blocks(BlockSet& blocks, std::uint32_t rule);
  void report_progress(double work);
  void check_memory();
  void throw_mistakes(const GroundReport& report) const;

  const Program& program_;
  const GroundOptions& options_;
  Model model_;
  EmitContext context_;
  ThreadPool pool_;
  ColumnStatistics statistics_;
  TrieStore tries_;
  MemoryWatch memory_;
  double work_done_ = 0.0, work_in_all_ = 0.0;  // expected bindings
};

std::vector<PlannedQuery> Grounder::plan_all() {
  std::vector<PlannedQuery> all;
  std::vector<PredicateId> joined;
  for (std::uint32_t r = 0; r < program_.rules.size(); ++r) {
    for (RuleQuery& query : rule_queries(program_.rules[r], program_, context_.database)) {
      if (query.never) continue;
      for (const JoinAtom& atom : query.query.atoms) {
        if (!atom.optional) joined.push_back(atom.predicate);
      }
      all.push_back({r, std::move(query), {}});
    }
  }
  statistics_.count(joined, pool_);
  std::vector<JoinOrder> orders;
  for (const PlannedQuery& planned : all) {
    orders.push_back(best_order(planned.query.query, statistics_));
    want_tries(planned.query.query, orders.back(), tries_);
  }
  tries_.build_wanted(pool_, options_.stop);
  if (options_.stop.stop_requested()) throw Interrupted();
  for (std::size_t q = 0; q < all.size(); ++q) {
    all[q].plan = make_plan(all[q].query.query, orders[q], tries_);
    work_in_all_ += 1.0 + all[q].plan.estimated_cost;
  }
  return all;
}

void Grounder::report_progress(double work) {
  constexpr double kSteps = 10'000;  // of a progress bar, hundredths of a percent
  work_done_ += work;
  if (!options_.progress) return;
  const double part = std::min(1.0, work_done_ / work_in_all_);
  options_.progress(static_cast<std::uint64_t>(kSteps * part), static_cast<std::uint64_t>(kSteps));
}

void Grounder::add_blocks(BlockSet& blocks, std::uint32_t rule) {
  for (TermBlock& block : blocks.blocks()) {
    block.rule = rule;
    block.atoms.shrink_to_fit();
    block.outputs.shrink_to_fit();
    block.offsets.shrink_to_fit();
    model_.blocks.push_back(std::move(block));
  }
}

void Grounder::throw_mistakes(const GroundReport& report) const {
  Diagnostics sink;
  for (std::size_t r = 0; r < report.rules.size(); ++r) {
    const GroundCounts& counts = report.rules[r];
    const Rule& rule = program_.rules[r];
    if (counts.divided_by_zero > 0) {
      sink.error(DiagnosticCode::kDivisionByZero,
                 rule.source,
                 fmt::format("{} by a cardinality that is 0",
                             counted(counts.divided_by_zero, "divide")))
          .notes = {{"write `@Max[|V|, 1]` instead of `|V|`", {}}};
    }
    if (counts.missing == 0 || options_.on_missing_target != OnMissingTarget::kError) continue;
    std::string examples;
    for (const std::string& atom : counts.missing_examples) {
      examples += (examples.empty() ? "" : ", ") + atom;
    }
    const bool all = counts.missing_examples.size() < kMostMissingExamples;
    sink.error(DiagnosticCode::kMissingTarget,
               rule.source,
               fmt::format("{} an atom that is neither observed nor a target: {}{}",
                           counted(counts.missing, "need"),
                           examples,
                           all ? "" : ", ..."))
        .notes = {
        {"add these atoms to the targets or observations, or choose "
         "`--on-missing-target=skip` or `zero`",
         {}}};
  }
  if (sink.has_errors()) throw InputError(sink.take_sorted());
}

// All rules together may be too much, where none of them is.
void Grounder::check_memory() {
  memory_.look_now();
  if (!memory_.is_over() || model_.blocks.empty()) return;
  const auto largest = std::max_element(
      model_.blocks.begin(), model_.blocks.end(), [](const TermBlock& a, const TermBlock& b) {
        return a.memory_bytes() < b.memory_bytes();
      });
  throw_too_large(memory_, program_.rules[largest->rule]);
}

Model Grounder::run(GroundReport& report) {
  const Clock::time_point start = Clock::now();
  report.rules.resize(program_.rules.size());
  for (const Rule& rule : program_.rules) {
    model_.rules.push_back(
        {rule.weight.value_or(0.0), !rule.weight, rule.text, rule.source, rule.id});
  }
  const std::vector<PlannedQuery> all = plan_all();
  report.plan_seconds = seconds_since(start);
  BlockSet blocks;
  for (std::size_t q = 0; q < all.size(); ++q) {
    const Clock::time_point query_start = Clock::now();
    GroundCounts& counts = report.rules[all[q].rule];
    const double work = 1.0 + all[q].plan.estimated_cost;
    const auto progress = [&](double part) { report_progress(part * work); };
    try {
      run_query(all[q], context_, {pool_, options_.stop, memory_, progress}, blocks, counts);
    } catch (const std::bad_alloc&) {
      throw_too_large(memory_, program_.rules[all[q].rule], all[q].query, all[q].plan);
    }
    if (q + 1 == all.size() || all[q + 1].rule != all[q].rule) {
      add_blocks(blocks, all[q].rule);
      blocks = {};
    }
    counts.seconds += seconds_since(query_start);
  }
  check_memory();
  report.index_memory_bytes = tries_.memory_bytes();
  report.seconds = seconds_since(start);
  throw_mistakes(report);
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
