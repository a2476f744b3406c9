#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace sorites {

// The most memory that the program has had resident.
inline std::uint64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts kB
}

}  // namespace sorites
