// Constants in quotes, in every language of rules.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace sorites {

// Appends what the escape at the backslash at `begin` stands for, and returns the place behind it.
// What is no escape is reported and left out, as is a backslash at the end of its line.
std::size_t read_escape(const Source& source,
                        std::size_t begin,
                        std::string& value,
                        Diagnostics& sink);

// With escapes where they are needed; the quote is ' or ".
std::string in_quotes(std::string_view text, char quote);

}  // namespace sorites
