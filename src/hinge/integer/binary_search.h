// Depth-first branch and bound over a binary part: propagation (binary_domains.h), a dual bound
// that follows every fixed variable (binary_bound.h), variables that the bound fixes by their
// reduced costs, and branching where the state that all variables prefer breaks a hard row.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "hinge/integer/binary_part.h"
#include "hinge/problem/deadline.h"

namespace sorites {

enum class BinaryStatus : std::uint8_t { kSolved, kInfeasible, kStopped, kNodeLimit, kWorkLimit };

struct BinaryLimits {
  double tolerance = 0.0;       // what is this close to the best state need not be found
  std::uint64_t max_nodes = 0;  // 0: any number
  std::uint64_t max_work = std::numeric_limits<std::uint64_t>::max();  // entries looked at
};

// Values are those of the part: its cost and soft rows.
struct BinaryResult {
  BinaryStatus status = BinaryStatus::kSolved;
  std::vector<char> state;  // the best, per variable; empty if none was found
  double objective = std::numeric_limits<double>::infinity();
  double bound = -std::numeric_limits<double>::infinity();
  std::uint64_t nodes = 0;
};

// `start` is a state to begin with, or empty; if it keeps the hard rows, nothing worse is looked
// at.
BinaryResult search_binary(const BinaryPart& part,
                           std::span<const char> start,
                           const BinaryLimits& limits,
                           const Deadline& deadline);

}  // namespace sorites
