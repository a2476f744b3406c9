// The numbers that an option takes.
#pragma once

#include <limits>
#include <string>

namespace sorites {

// Finite numbers, all of them if nothing else is said.
struct NumberRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool without_least = false;  // the end itself is out
  bool without_most = false;
  bool infinite = false;  // `inf` is in

  constexpr NumberRange or_infinite() const {
    NumberRange range = *this;
    range.infinite = true;
    return range;
  }
  bool holds(double number) const;
};

constexpr NumberRange at_least(double least) { return {.least = least}; }
constexpr NumberRange above(double least) { return {.least = least, .without_least = true}; }
constexpr NumberRange between(double least, double most) { return {.least = least, .most = most}; }
constexpr NumberRange from_to_below(double least, double most) {
  return {.least = least, .most = most, .without_most = true};
}

// Counts that memory must hold. The limit is one of slips, and not worth telling.
inline constexpr double kLargestCount = 2147483647.0;
constexpr NumberRange count_from(double least) { return between(least, kLargestCount); }

std::string describe_reals(const NumberRange& range);     // "a positive number", ...
std::string describe_integers(const NumberRange& range);  // "an integer of at least 2", ...

}  // namespace sorites
