#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace sorites {

// The most memory that the program has had resident. From /proc: getrusage counts the program that
// started this one, too.
inline std::uint64_t peak_memory_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key;) {
    std::uint64_t kilobytes = 0;
    if (key == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

}  // namespace sorites
