#include "base/psl_number.h"

#include <fmt/format.h>

#include <cmath>

namespace sorites {

std::string psl_number(double value) {
  const auto number = static_cast<float>(value);
  if (number == 0.0F) return "0.0";
  const float size = std::fabs(number);
  constexpr float kLeastPlain = 1e-3F, kMostPlain = 1e7F;  // as Java's Float.toString() has it
  if (size >= kLeastPlain && size < kMostPlain) {
    std::string text = fmt::format("{}", number);
    return text.find('.') == std::string::npos ? text + ".0" : text;
  }
  // Shortest digits d.ddde-05, and from them d.dddE-5.
  std::string digits;
  for (int precision = 0; precision <= 8; ++precision) {
    digits = fmt::format("{:.{}e}", number, precision);
    if (std::stof(digits) == number) break;
  }
  const std::size_t at = digits.find('e');
  std::string mantissa = digits.substr(0, at);
  if (mantissa.find('.') == std::string::npos) mantissa += ".0";
  return fmt::format("{}E{}", mantissa, std::stoi(digits.substr(at + 1)));
}

}  // namespace sorites
