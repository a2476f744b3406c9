#include "base/bytes_text.h"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>

namespace sorites {

std::string bytes_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(kUnits)) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 10 ? 0 : 1, kUnits[unit]);
}

}  // namespace sorites
