#include "hinge/problem/folded.h"

#include <algorithm>
#include <limits>

namespace sorites {

std::size_t segment_at(std::span<const Segment> segments, double x) {
  const auto after = std::upper_bound(
      segments.begin() + 1, segments.end(), x, [](double value, const Segment& segment) {
        return value < segment.start;
      });
  return static_cast<std::size_t>(after - segments.begin()) - 1;
}

Interval slopes_at(std::span<const Segment> segments, double upper, double x) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::size_t k = segment_at(segments, x);
  Interval slopes{segments[k].derivative(x), segments[k].derivative(x)};
  if (x <= segments[k].start) slopes.low = k > 0 ? segments[k - 1].derivative(x) : -kInfinity;
  if (x >= upper) slopes.high = kInfinity;
  return slopes;
}

}  // namespace sorites
