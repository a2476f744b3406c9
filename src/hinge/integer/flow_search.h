// Branch and bound over a binary part that is a flow with other rows beside it: every node is a
// cheapest flow (cheapest_flow.h), and branching takes a variable of a row that the flow breaks.
#pragma once

#include <optional>
#include <span>

#include "hinge/integer/binary_part.h"
#include "hinge/integer/binary_result.h"
#include "hinge/problem/deadline.h"

namespace sorites {

// As search_binary; nothing if the part is no flow.
std::optional<BinaryResult> search_flow(const BinaryPart& part,
                                        std::span<const char> start,
                                        const BinaryLimits& limits,
                                        const Deadline& deadline);

}  // namespace sorites
