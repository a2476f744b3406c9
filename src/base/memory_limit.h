// How much memory this process may take, so that it can say no before the system kills it.
#pragma once

#include <cstdint>
#include <limits>

namespace sorites {

inline constexpr std::uint64_t kNoMemoryLimit = std::numeric_limits<std::uint64_t>::max();

// What was set, or else what the machine has left with what this process holds already, within the
// limits of its control group and of `ulimit`. The limit is one of the process, as memory is:
// sessions side by side share both.
std::uint64_t memory_limit_bytes();
void set_memory_limit(std::uint64_t bytes);

// What this process holds now; of its addresses, where `ulimit -v` limits these.
std::uint64_t memory_in_use_bytes();

}  // namespace sorites
