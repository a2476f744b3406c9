// Decimal numbers of model files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sorites {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A number of JSON, but with `+` and leading zeros allowed in front and left out of the result.
// None if `word` is no such number.
std::optional<std::string> canonical_number(std::string_view word);

}  // namespace sorites
