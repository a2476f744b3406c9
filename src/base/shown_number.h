// Numbers as people read them: what is rounded to nothing has no sign.
//
//   fmt::format("{:.4f}", Shown{-0.00001});  // "0.0000"
#pragma once

#include <fmt/format.h>

#include <algorithm>

namespace sorites {

struct Shown {
  double value = 0.0;
};

inline constexpr double kExactCount = 1e15;  // a double knows no more digits

}  // namespace sorites

// Takes the formats of a double.
template <>
struct fmt::formatter<sorites::Shown> : fmt::formatter<double> {
  template <class Context>
  auto format(sorites::Shown number, Context& context) const {
    fmt::memory_buffer text;
    fmt::basic_format_context<fmt::appender, char> rounded(fmt::appender(text), {});
    fmt::formatter<double>::format(number.value, rounded);
    const bool is_nothing = std::none_of(
        text.begin(), text.end(), [](char c) { return (c >= '1' && c <= '9') || c == 'n'; });
    return fmt::formatter<double>::format(is_nothing ? 0.0 : number.value, context);
  }
};
