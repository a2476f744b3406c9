#include "options/number_range.h"

#include <fmt/format.h>

#include <cmath>

namespace sorites {
namespace {

// "a number" and "an integer" differ in their first words alone.
std::string describe(const NumberRange& range, std::string_view article, std::string_view noun) {
  std::string numbers = fmt::format("{} {}", article, noun);
  if (std::isinf(range.least) && std::isinf(range.most)) return numbers;
  if (std::isinf(range.least)) return fmt::format("{} of at most {}", numbers, range.most);
  if (std::isfinite(range.most)) {
    return fmt::format(
        "{} from {} to {}{}", numbers, range.least, range.without_most ? "below " : "", range.most);
  }
  if (range.without_least) {
    return range.least == 0.0 ? fmt::format("a positive {}", noun)
                              : fmt::format("{} above {}", numbers, range.least);
  }
  return range.least == 0.0 ? fmt::format("{} that is not negative", numbers)
                            : fmt::format("{} of at least {}", numbers, range.least);
}

}  // namespace

bool NumberRange::holds(double number) const {
  if (std::isinf(number)) return infinite && number > 0.0;
  const bool high_enough = without_least ? number > least : number >= least;
  const bool low_enough = without_most ? number < most : number <= most;
  return high_enough && low_enough;
}

std::string describe_reals(const NumberRange& range) {
  const bool any = std::isinf(range.least) && std::isinf(range.most);
  return describe(range, "a", any ? "finite number" : "number") + (range.infinite ? " or inf" : "");
}

std::string describe_integers(const NumberRange& range) {
  NumberRange told = range;
  if (told.most == kLargestCount) told.most = NumberRange{}.most;
  if (told.least == 1.0 && std::isinf(told.most)) return "a positive integer";
  return describe(told, "an", "integer");
}

}  // namespace sorites
