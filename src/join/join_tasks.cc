#include "join/join_tasks.h"

#include <algorithm>

namespace sorites {
namespace {

std::uint64_t weight_of(const Candidates& candidates, std::size_t c) {
  std::uint64_t largest = candidates.driver_ranges.empty() ? 1 : 0;
  for (const auto& ranges : candidates.driver_ranges) {
    largest = std::max<std::uint64_t>(largest, ranges[c].size());
  }
  return largest;
}

std::uint64_t weight_of(const Candidates& candidates) {
  std::uint64_t sum = 0;
  for (std::size_t c = 0; c < candidates.values.size(); ++c) sum += weight_of(candidates, c);
  return sum;
}

// Positions of the first variable's proposer, in parts that hold whole runs of a code; or its
// domain.
std::vector<Range> parts_of_first(const JoinPlan& plan) {
  // Rows of a part: fewer take less time than handing them out; more parts than threads have use
  // for.
  constexpr std::uint32_t kSmallest = 1U << 13U, kMostParts = 256;
  if (plan.depths.front().drivers.empty()) return {{0, plan.depths.front().domain_size}};
  const Participant& proposer = first_proposer(plan);
  const Trie& trie = *plan.tries[proposer.atom];
  const Range all = plan.start[proposer.atom];
  if (plan.depths.front().pinned) return {all};
  const std::uint32_t size = std::max(kSmallest, all.size() / kMostParts);
  std::vector<Range> parts;
  for (std::uint32_t begin = all.begin; begin < all.end; begin = parts.back().end) {
    std::uint32_t end = all.end;
    if (all.end - begin > size) end = trie.run_end(proposer.level, begin + size - 1, all.end);
    parts.push_back({begin, end});
  }
  return parts;
}

}  // namespace

Range all_of_first(const JoinPlan& plan) {
  if (plan.depths.front().drivers.empty()) return {0, plan.depths.front().domain_size};
  return plan.start[first_proposer(plan).atom];
}

JoinTasks::JoinTasks(const JoinPlan& plan, const Database& database, ThreadPool& pool) {
  if (plan.empty) return;
  if (plan.depths.empty()) {
    tasks_.push_back({.weight = 1});
    return;
  }
  find_first(plan, database, pool);
  cut(plan);
}

void JoinTasks::find_first(const JoinPlan& plan, const Database& database, ThreadPool& pool) {
  const std::vector<Range> parts = parts_of_first(plan);
  first_.resize(parts.size());
  pool.for_each(parts.size(), [&](std::size_t i) {
    Candidates found;  // apart from the other threads' until it is complete
    Join(plan, database).find_first(parts[i], found);
    first_[i] = std::move(found);
  });
}

// About as many tasks as the expected work is worth, but never so few that an estimate far too low
// would leave threads idle.
void JoinTasks::cut(const JoinPlan& plan) {
  // Bindings of a task: some tens of microseconds (ground_benchmark: about 10 million terms per
  // second and thread), as much as handing it out may cost a hundredth of.
  constexpr double kBindings = 2048, kFewestTasks = 256, kMostTasks = 4096;
  constexpr std::uint64_t kSmallest = 64;  // rows
  const double num_tasks = std::clamp(plan.estimated_cost / kBindings, kFewestTasks, kMostTasks);
  std::uint64_t total = 0;
  for (const Candidates& part : first_) total += weight_of(part);
  const std::uint64_t aim =
      std::max(kSmallest, static_cast<std::uint64_t>(static_cast<double>(total) / num_tasks));
  for (const Candidates& part : first_) {
    const auto size = static_cast<std::uint32_t>(part.values.size());
    JoinTask next{.first = &part};
    for (std::uint32_t c = 0; c < size; ++c) {
      next.weight += weight_of(part, c);
      next.first_end = c + 1;
      if (next.weight < aim && c + 1 < size) continue;
      tasks_.push_back(next);
      next = {.first = &part, .first_begin = c + 1};
    }
  }
}

}  // namespace sorites
