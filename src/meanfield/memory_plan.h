// Which nodes share memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "meanfield/expression.h"

namespace sorites {

inline constexpr std::uint32_t kNoSlot = 0xffffffff;

struct MemoryPlan {
  std::vector<std::uint32_t> slot_of;   // by node
  std::vector<std::size_t> slot_sizes;  // in elements
};

// Slots for the nodes of `order`, which are computed in this order from those in `reads` (by node).
// A node that is not to be kept leaves its slot to others of its size after the last that reads it.
MemoryPlan plan_memory(const Expression& expression,
                       std::span<const NodeId> order,
                       const std::vector<std::vector<NodeId>>& reads,
                       const std::vector<bool>& keep);

}  // namespace sorites
