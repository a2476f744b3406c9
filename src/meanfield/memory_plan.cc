#include "meanfield/memory_plan.h"

#include <map>

namespace sorites {

MemoryPlan plan_memory(const Expression& expression,
                       std::span<const NodeId> order,
                       const std::vector<std::vector<NodeId>>& reads,
                       const std::vector<bool>& keep) {
  std::vector<NodeId> last_reader(reads.size(), kNoNode);
  for (const NodeId node : order) {
    for (const NodeId operand : reads[node]) last_reader[operand] = node;
  }
  MemoryPlan plan;
  plan.slot_of.assign(reads.size(), kNoSlot);
  std::multimap<std::size_t, std::uint32_t> free;  // by size
  for (const NodeId node : order) {
    const std::size_t size = num_elements(expression[node].shape);
    if (const auto at = free.find(size); at != free.end()) {
      plan.slot_of[node] = at->second;
      free.erase(at);
    } else {
      plan.slot_of[node] = static_cast<std::uint32_t>(plan.slot_sizes.size());
      plan.slot_sizes.push_back(size);
    }
    for (const NodeId operand : reads[node]) {
      const bool is_ours = plan.slot_of[operand] != kNoSlot && !keep[operand];
      if (!is_ours || last_reader[operand] != node) continue;
      last_reader[operand] = kNoNode;  // an operand may be there twice
      free.emplace(num_elements(expression[operand].shape), plan.slot_of[operand]);
    }
  }
  return plan;
}

}  // namespace sorites
