#include "sorites/ground.h"

#include <algorithm>
#include <chrono>
#include <new>

#include "base/thread_pool.h"
#include "data/same_predicates.h"
#include "hinge/ground/mistakes.h"
#include "hinge/ground/narrow.h"
#include "hinge/ground/query_runner.h"
#include "hinge/model/rule_numbers.h"
#include "join/join_order.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Grounder {
 public:
  Grounder(const Program& program, const Database& database, const GroundOptions& options)
      : program_(program),
        options_(options),
        context_{program,
                 database,
                 lay_out(program, database, model_),
                 options.on_missing_target,
                 options.plan == GroundPlan::kAllBindings},
        pool_(options.threads),
        statistics_(database),
        coverage_(statistics_),
        tries_(database),
        memory_(options.stop) {}

  Model run(GroundReport& report);

 private:
  static double work_of(const QueryGroup& group) { return 1.0 + group.plan.estimated_cost; }
  std::vector<QueryOfRule> queries_of_rules();
  std::vector<QueryGroup> plan_all();
  std::vector<QueryOutput> outputs_of(const QueryGroup& group, GroundReport& report);
  void run_large(const QueryGroup& group, GroundReport& report);
  void run_all_small(std::span<const QueryGroup> groups, GroundReport& report);
  void add_blocks(BlockSet& blocks, std::uint32_t rule);
  void report_progress(double work);
  void check_memory();

  const Program& program_;
  const GroundOptions& options_;
  Model model_;
  EmitContext context_;
  ThreadPool pool_;
  ColumnStatistics statistics_;
  Coverage coverage_;
  TrieStore tries_;
  MemoryWatch memory_;
  std::vector<BlockSet> blocks_;                // per rule
  double work_done_ = 0.0, work_in_all_ = 0.0;  // expected bindings
};

std::vector<QueryOfRule> Grounder::queries_of_rules() {
  std::vector<QueryOfRule> written, queries;
  std::vector<PredicateId> joined;
  for (std::uint32_t r = 0; r < program_.rules.size(); ++r) {
    for (RuleQuery& query : rule_queries(program_.rules[r], program_, context_.database)) {
      if (query.never) continue;
      for (const JoinAtom& atom : query.query.atoms) {
        if (!atom.optional) joined.push_back(atom.predicate);
      }
      written.push_back({r, std::move(query)});
    }
  }
  statistics_.count(joined, pool_);
  const NarrowContext narrow{context_, statistics_, coverage_, options_.plan};
  for (const auto& [rule, query] : written) {
    for (RuleQuery& part : narrowed(query, narrow)) queries.push_back({rule, std::move(part)});
  }
  return queries;
}

std::vector<QueryGroup> Grounder::plan_all() {
  std::vector<QueryGroup> all = grouped(queries_of_rules(), !context_.count_all, statistics_);
  for (const QueryGroup& group : all) want_tries(group.join, group.order, tries_);
  tries_.build_wanted(pool_, options_.stop);
  if (options_.stop.stop_requested()) throw Interrupted();
  for (QueryGroup& group : all) {
    group.plan = make_plan(group.join, group.order, tries_);
    group.plan.tables = !context_.count_all;
    work_in_all_ += work_of(group);
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

std::vector<QueryOutput> Grounder::outputs_of(const QueryGroup& group, GroundReport& report) {
  std::vector<QueryOutput> outputs;
  for (const QueryOfRule& query : group.queries) {
    outputs.push_back({&blocks_[query.rule], &report.rules[query.rule]});
  }
  return outputs;
}

void Grounder::run_large(const QueryGroup& group, GroundReport& report) {
  const Clock::time_point start = Clock::now();
  const auto progress = [&](double part) { report_progress(part * work_of(group)); };
  const std::vector<QueryOutput> outputs = outputs_of(group, report);
  try {
    run_group(group, context_, {pool_, options_.stop, memory_, progress}, outputs);
  } catch (const std::bad_alloc&) {
    throw_too_large(memory_, program_.rules[group.queries[0].rule], group.first(), group.plan);
  }
  const double share = seconds_since(start) / static_cast<double>(outputs.size());
  for (const QueryOutput& output : outputs) output.counts->seconds += share;
}

void Grounder::run_all_small(std::span<const QueryGroup> groups, GroundReport& report) {
  struct Done {
    std::vector<TaskResult> results;
    double seconds = 0.0;
  };
  std::vector<Done> done(groups.size());
  pool_.for_each(groups.size(), [&](std::size_t g) {
    const Clock::time_point start = Clock::now();
    done[g].results = run_small(groups[g], context_, memory_);
    done[g].seconds = seconds_since(start);
  });
  if (options_.stop.stop_requested()) throw Interrupted();
  if (memory_.is_over()) throw_too_large(memory_, program_.rules[groups[0].queries[0].rule]);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::vector<QueryOutput> outputs = outputs_of(groups[g], report);
    for (std::size_t q = 0; q < outputs.size(); ++q) {
      append(done[g].results[q], outputs[q]);
      outputs[q].counts->seconds += done[g].seconds / static_cast<double>(outputs.size());
    }
    report_progress(work_of(groups[g]));
  }
}

Model Grounder::run(GroundReport& report) {
  const Clock::time_point start = Clock::now();
  report.rules.resize(program_.rules.size());
  report.all_counted = context_.count_all;
  blocks_.resize(program_.rules.size());
  model_.rules = ground_rules_of(program_);
  const std::vector<QueryGroup> all = plan_all();
  report.plan_seconds = seconds_since(start);
  for (std::size_t g = 0; g < all.size();) {
    std::size_t end = g;
    while (end < all.size() && is_small(all[end])) ++end;
    if (end > g) {
      run_all_small({all.data() + g, end - g}, report);
    } else {
      run_large(all[end++], report);
    }
    g = end;
  }
  for (std::uint32_t r = 0; r < blocks_.size(); ++r) add_blocks(blocks_[r], r);
  check_memory();
  report.index_memory_bytes = tries_.memory_bytes();
  report.seconds = seconds_since(start);
  require_no_mistakes(program_, report.rules, options_.on_missing_target);
  return std::move(model_);
}

}  // namespace

Model ground(const Program& program,
             const Database& database,
             const GroundOptions& options,
             GroundReport* report) {
  require_same_predicates(program, database);
  GroundReport own;
  return Grounder(program, database, options).run(report != nullptr ? *report : own);
}

}  // namespace sorites
