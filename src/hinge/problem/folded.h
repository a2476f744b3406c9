// All terms that touch one variable alone, as one convex piecewise quadratic per variable.
//
// On a segment f(x) = constant + slope x + curvature x^2 / 2; segments stand in ascending order,
// the first starts at the variable's lower bound, the last ends at its upper bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sorites {

struct Segment {
  double start = 0.0;
  double constant = 0.0;
  double slope = 0.0;
  double curvature = 0.0;

  double value(double x) const { return constant + (slope + 0.5 * curvature * x) * x; }
  double derivative(double x) const { return slope + curvature * x; }
};

struct FoldedTerms {
  std::vector<std::size_t> begin;  // per variable, and the end; at least one segment each
  std::vector<Segment> segments;

  std::span<const Segment> of(std::size_t variable) const {
    return {segments.data() + begin[variable], begin[variable + 1] - begin[variable]};
  }
};

// The segment that x lies in: the last that starts at or before x.
std::size_t segment_at(std::span<const Segment> segments, double x);

// The slopes of f at x, from the left and from the right: without limit where a bound ends it.
struct Interval {
  double low, high;
};
Interval slopes_at(std::span<const Segment> segments, double upper, double x);

struct Minimum {
  double x;
  double inverse_curvature;  // dx / d(-linear): 0 at a kink or bound
};

// argmin over [segments.front().start, upper] of f(x) + linear x + quadratic x^2 / 2, the smallest
// if there are several. `hint` is a segment to start the search from, and becomes the one found.
// Inline: it is the innermost loop of every proximal step.
inline Minimum minimise(std::span<const Segment> segments,
                        double upper,
                        double linear,
                        double quadratic,
                        std::uint32_t& hint) {
  const auto derivative = [&](std::size_t k, double x) {
    return segments[k].slope + linear + (segments[k].curvature + quadratic) * x;
  };
  const std::size_t last = segments.size() - 1;
  std::size_t k = hint < last ? hint : last;
  // The segment sought is the first whose derivative at its end is not negative.
  while (k > 0 && derivative(k - 1, segments[k].start) >= 0.0) --k;
  while (k < last && derivative(k, segments[k + 1].start) < 0.0) ++k;
  hint = static_cast<std::uint32_t>(k);

  const Segment& segment = segments[k];
  const double end = k < last ? segments[k + 1].start : upper;
  if (derivative(k, segment.start) >= 0.0) return {segment.start, 0.0};
  const double curvature = segment.curvature + quadratic;
  if (curvature <= 0.0) return {end, 0.0};
  const double inverse = 1.0 / curvature;
  const double x = -(segment.slope + linear) * inverse;
  return x < end ? Minimum{x, inverse} : Minimum{end, 0.0};
}

// min over [segments.front().start, upper] of f(x) + linear x.
inline double lowest(std::span<const Segment> segments, double upper, double linear) {
  auto hint = static_cast<std::uint32_t>(segments.size() / 2);
  const double x = minimise(segments, upper, linear, 0.0, hint).x;
  return segments[hint].value(x) + linear * x;
}

}  // namespace sorites
