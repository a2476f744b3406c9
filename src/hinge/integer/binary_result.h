// What searches over binary parts are told, and what they say.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

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

// The limit that a search has come to; nothing if it may go on.
std::optional<BinaryStatus> limit_reached(const BinaryLimits& limits,
                                          std::uint64_t nodes,
                                          std::uint64_t work);

// The end of a search: whether something is left open tells what its best state is worth. `root` is
// the bound from before the first decision.
void conclude(bool is_open, double root, const BinaryLimits& limits, BinaryResult& result);

}  // namespace sorites
