#include "data/sources/number.h"

#include <charconv>

namespace sorites {

ValueStatus parse_value(std::string_view text, double& result) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    return ValueStatus::kNotANumber;
  }
  if (error != std::errc() || !(value >= 0.0 && value <= 1.0)) return ValueStatus::kOutOfRange;
  result = value == 0.0 ? 0.0 : value;  // one zero only
  return ValueStatus::kGood;
}

}  // namespace sorites
