#include "hinge/integer/cheapest_flow.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace sorites {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

CheapestFlow::CheapestFlow(const BinaryPart& part, const FlowNetwork& network)
    : part_(part),
      network_(network),
      state_(part.num_variables()),
      is_free_(part.num_variables()),
      excess_(network.num_nodes()),
      potential_(network.num_nodes()),
      distance_(network.num_nodes(), kInfinity),
      arrived_by_(network.num_nodes(), kNone),
      is_settled_(network.num_nodes(), 0) {}

// Every free arc as its own cost likes it: no residual arc has a negative cost then.
void CheapestFlow::begin(const BinaryDomains& domains) {
  std::fill(potential_.begin(), potential_.end(), 0.0);
  for (std::size_t v = 0; v < excess_.size(); ++v) excess_[v] = -network_.demand[v];
  for (std::uint32_t i = 0; i < part_.num_variables(); ++i) {
    is_free_[i] = domains.is_fixed(i) ? 0 : 1;
    const bool is_full = domains.is_fixed(i) ? domains.value(i) == 1 : part_.cost[i] < 0.0;
    state_[i] = is_full ? 1 : 0;
    if (!is_full) continue;
    --excess_[network_.arcs[i].tail];
    ++excess_[network_.arcs[i].head];
  }
}

void CheapestFlow::relax(std::uint32_t node, double distance) {
  const std::uint32_t first = network_.begin[node], end = network_.begin[node + 1];
  work_ += end - first;
  for (std::uint32_t k = first; k < end; ++k) {
    const std::uint32_t i = network_.around[k];
    const FlowArc& arc = network_.arcs[i];
    // An empty arc can be filled along its direction, a full one emptied against it.
    const bool leaves = state_[i] == 0 ? arc.tail == node : arc.head == node;
    if (is_free_[i] == 0 || !leaves) continue;
    const std::uint32_t next = arc.tail == node ? arc.head : arc.tail;
    if (is_settled_[next] != 0) continue;
    const double cost = state_[i] == 0 ? part_.cost[i] : -part_.cost[i];
    const double reduced = std::max(cost + potential_[node] - potential_[next], 0.0);
    if (distance + reduced >= distance_[next]) continue;
    if (distance_[next] == kInfinity) touched_.push_back(next);
    distance_[next] = distance + reduced;
    arrived_by_[next] = i;
    heap_.push_back({distance_[next], next});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
}

// The nearest node that lacks inflow, from all that have too much of it.
std::uint32_t CheapestFlow::search() {
  for (const std::uint32_t v : touched_) {
    distance_[v] = kInfinity;
    arrived_by_[v] = kNone;
    is_settled_[v] = 0;
  }
  touched_.clear();
  settled_.clear();
  heap_.clear();
  for (std::uint32_t v = 0; v < excess_.size(); ++v) {
    if (excess_[v] <= 0) continue;
    distance_[v] = 0.0;
    touched_.push_back(v);
    heap_.push_back({0.0, v});
  }
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const Reached reached = heap_.back();
    heap_.pop_back();
    if (is_settled_[reached.node] != 0) continue;
    is_settled_[reached.node] = 1;
    settled_.push_back(reached.node);
    if (excess_[reached.node] < 0) return reached.node;
    relax(reached.node, reached.distance);
  }
  return kNone;
}

// One unit from where there is too much to where there is too little.
bool CheapestFlow::augment() {
  const std::uint32_t target = search();
  if (target == kNone) return false;
  const double farthest = distance_[target];
  for (const std::uint32_t v : settled_) potential_[v] += distance_[v] - farthest;
  ++excess_[target];
  std::uint32_t at = target;
  while (arrived_by_[at] != kNone) {
    const std::uint32_t i = arrived_by_[at];
    state_[i] = state_[i] == 0 ? 1 : 0;
    at = network_.arcs[i].tail == at ? network_.arcs[i].head : network_.arcs[i].tail;
  }
  --excess_[at];
  return true;
}

bool CheapestFlow::solve(const BinaryDomains& domains) {
  begin(domains);
  int surplus = 0;
  for (const int excess : excess_) surplus += std::max(excess, 0);
  for (; surplus > 0; --surplus) {
    if (!augment()) return false;
  }
  cost_ = 0.0;
  for (std::size_t i = 0; i < state_.size(); ++i) cost_ += state_[i] != 0 ? part_.cost[i] : 0.0;
  return true;
}

}  // namespace sorites
