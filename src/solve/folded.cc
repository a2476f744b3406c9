#include "solve/folded.h"

#include <algorithm>

namespace sorites {

std::size_t segment_at(std::span<const Segment> segments, double x) {
  const auto after = std::upper_bound(
      segments.begin() + 1, segments.end(), x, [](double value, const Segment& segment) {
        return value < segment.start;
      });
  return static_cast<std::size_t>(after - segments.begin()) - 1;
}

}  // namespace sorites
