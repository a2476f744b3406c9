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

Minimum minimise(std::span<const Segment> segments,
                 double upper,
                 double linear,
                 double quadratic,
                 std::uint32_t& hint) {
  const auto derivative = [&](std::size_t k, double x) {
    return segments[k].slope + linear + (segments[k].curvature + quadratic) * x;
  };
  const std::size_t last = segments.size() - 1;
  std::size_t k = std::min<std::size_t>(hint, last);
  // The segment sought is the first whose derivative at its end is not negative.
  while (k > 0 && derivative(k - 1, segments[k].start) >= 0.0) --k;
  while (k < last && derivative(k, segments[k + 1].start) < 0.0) ++k;
  hint = static_cast<std::uint32_t>(k);

  const Segment& segment = segments[k];
  const double end = k < last ? segments[k + 1].start : upper;
  if (derivative(k, segment.start) >= 0.0) return {segment.start, 0.0};
  const double curvature = segment.curvature + quadratic;
  if (curvature <= 0.0) return {end, 0.0};
  const double x = -(segment.slope + linear) / curvature;
  return x < end ? Minimum{x, 1.0 / curvature} : Minimum{end, 0.0};
}

}  // namespace sorites
