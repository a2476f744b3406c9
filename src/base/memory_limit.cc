#include "base/memory_limit.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <optional>
#include <string>

namespace sorites {
namespace {

std::atomic<std::uint64_t> g_limit = 0;  // 0: not set

std::uint64_t limit_of(int resource) {
  rlimit limit{};
  const bool known = ::getrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0;
  return known && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : kNoMemoryLimit;
}

std::uint64_t kilobytes_in(const char* path, const std::string& key) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == key && file >> kilobytes) return kilobytes;
  }
  return 0;
}

// Version 2 and version 1 of control groups; a container sees its own at the root.
std::uint64_t limit_of_group() {
  std::uint64_t least = kNoMemoryLimit;
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::uint64_t bytes = 0;
    if (std::ifstream(path) >> bytes) least = std::min(least, bytes);
  }
  return least;
}

struct Pages {
  std::uint64_t addresses = 0, resident = 0;
};

Pages bytes_of_process() {
  Pages pages;
  std::ifstream("/proc/self/statm") >> pages.addresses >> pages.resident;
  static const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return {pages.addresses * page, pages.resident * page};
}

std::uint64_t what_is_allowed() {
  constexpr std::uint64_t kKilo = 1024;  // proc(5) means it by kB
  const std::uint64_t left = kilobytes_in("/proc/meminfo", "MemAvailable:") * kKilo;
  const std::uint64_t machine = left == 0 ? kNoMemoryLimit : left + bytes_of_process().resident;
  return std::min({machine, limit_of_group(), limit_of(RLIMIT_AS), limit_of(RLIMIT_DATA)});
}

}  // namespace

std::uint64_t memory_limit_bytes() {
  const std::uint64_t set = g_limit;
  return set != 0 ? set : what_is_allowed();
}

void set_memory_limit(std::uint64_t bytes) { g_limit = bytes; }

std::uint64_t memory_in_use_bytes() {
  static const bool by_addresses = limit_of(RLIMIT_AS) != kNoMemoryLimit;
  const Pages pages = bytes_of_process();
  return by_addresses ? pages.addresses : pages.resident;
}

}  // namespace sorites
