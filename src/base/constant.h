// Constants of the three types, as text and as numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sorites/program.h"

namespace sorites {

ConstantType constant_type(ArgumentType type);
std::string_view name_of(ConstantType type);  // for messages: "text", "integer", "real"

// An optional sign and decimal digits that fit 64 bits.
std::optional<std::int64_t> parse_integer(std::string_view text);

// Any finite decimal number, with or without exponent; a leading `+` is accepted.
std::optional<double> parse_real(std::string_view text);

// The shortest text that reads back as the same number, in the form of the rule language (1e20, not
// 1e+20).
std::string to_text(double number);

// One text for each constant: "7" for "007" as an integer, "0.5" for ".50" as a real. None if the
// text is no constant of the type.
std::optional<std::string> canonical_constant(ConstantType type, std::string_view text);

}  // namespace sorites
