#include "hinge/integer/flow_network.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace sorites {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool has_unit_entries(const BinaryPart& part, const BinaryRow& row) {
  const auto entries = part.entries_of(row);
  return row.offset == std::round(row.offset) &&
         std::all_of(entries.begin(), entries.end(), [](const RowEntry& entry) {
           return std::abs(entry.coefficient) == 1.0;
         });
}

// The sign with which every row is to be taken so that a variable enters one of its two rows and
// leaves the other; empty if there is none.
std::vector<int> signs_of(const BinaryPart& part, const std::vector<char>& is_node) {
  std::vector<int> sign(part.rows.size(), 0);
  std::vector<std::uint32_t> open;
  for (std::uint32_t first = 0; first < sign.size(); ++first) {
    if (is_node[first] == 0 || sign[first] != 0) continue;
    sign[first] = 1;
    open = {first};
    while (!open.empty()) {
      const std::uint32_t r = open.back();
      open.pop_back();
      for (const auto& [i, a] : part.entries_of(part.rows[r])) {
        for (const auto& [other, b] : part.column_of(i)) {
          if (other == r || is_node[other] == 0) continue;
          const int needed = (a > 0.0) == (b > 0.0) ? -sign[r] : sign[r];
          if (sign[other] == -needed) return {};
          if (sign[other] == 0) open.push_back(other);
          sign[other] = needed;
        }
      }
    }
  }
  return sign;
}

void add_neighbours(FlowNetwork& network) {
  network.begin.assign(network.num_nodes() + 1, 0);
  const auto touches = [](const FlowArc& arc) { return arc.tail != arc.head; };
  for (const FlowArc& arc : network.arcs) {
    if (!touches(arc)) continue;
    ++network.begin[arc.tail + 1];
    ++network.begin[arc.head + 1];
  }
  for (std::size_t v = 0; v < network.num_nodes(); ++v) network.begin[v + 1] += network.begin[v];
  network.around.resize(network.begin.back());
  std::vector<std::uint32_t> next(network.begin.begin(), network.begin.end() - 1);
  for (std::uint32_t i = 0; i < network.arcs.size(); ++i) {
    if (!touches(network.arcs[i])) continue;
    network.around[next[network.arcs[i].tail]++] = i;
    network.around[next[network.arcs[i].head]++] = i;
  }
}

}  // namespace

std::optional<FlowNetwork> flow_network_of(const BinaryPart& part) {
  FlowNetwork network;
  std::vector<char> is_node(part.rows.size(), 0);
  std::vector<std::uint32_t> node_of(part.rows.size(), 0);
  std::uint32_t num_nodes = 0;
  for (std::uint32_t r = 0; r < part.rows.size(); ++r) {
    const BinaryRow& row = part.rows[r];
    if (!row.is_hard() || (row.is_equality && !has_unit_entries(part, row))) return std::nullopt;
    is_node[r] = row.is_equality ? 1 : 0;
    if (row.is_equality) node_of[r] = num_nodes++;
    if (!row.is_equality) network.side.push_back(r);
  }
  if (num_nodes == 0) return std::nullopt;
  for (std::uint32_t i = 0; i < part.num_variables(); ++i) {
    std::size_t count = 0;
    for (const ColumnEntry& entry : part.column_of(i)) count += is_node[entry.row] != 0 ? 1 : 0;
    if (count > 2) return std::nullopt;
  }
  const std::vector<int> sign = signs_of(part, is_node);
  if (sign.empty()) return std::nullopt;
  const std::uint32_t outside = num_nodes;  // the other end of arcs that have only one
  network.demand.assign(num_nodes + 1, 0);
  for (std::uint32_t r = 0; r < part.rows.size(); ++r) {
    if (is_node[r] == 0) continue;
    network.demand[node_of[r]] = -sign[r] * static_cast<int>(part.rows[r].offset);
    network.demand[outside] -= network.demand[node_of[r]];
  }
  for (std::uint32_t i = 0; i < part.num_variables(); ++i) {
    FlowArc arc{outside, outside};
    for (const auto& [r, a] : part.column_of(i)) {
      if (is_node[r] == 0) continue;
      ((a > 0.0) == (sign[r] > 0) ? arc.head : arc.tail) = node_of[r];
    }
    network.arcs.push_back(arc);
  }
  add_neighbours(network);
  return network;
}

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
