#include "hinge/integer/binary_result.h"

namespace sorites {

std::optional<BinaryStatus> limit_reached(const BinaryLimits& limits,
                                          std::uint64_t nodes,
                                          std::uint64_t work) {
  if (limits.max_nodes > 0 && nodes >= limits.max_nodes) return BinaryStatus::kNodeLimit;
  if (work > limits.max_work) return BinaryStatus::kWorkLimit;
  return std::nullopt;
}

void conclude(bool is_open, double root, const BinaryLimits& limits, BinaryResult& result) {
  if (is_open) {
    result.bound = root;
  } else if (result.state.empty()) {
    result.status = BinaryStatus::kInfeasible;
  } else {
    result.bound = result.objective - limits.tolerance;
  }
}

}  // namespace sorites
