// Lenient JSON: `//`, `/* */` and `#` comments, single quotes, trailing commas, leading zeros and
// `+` of numbers, a byte order mark. Written here because the rules inside the strings need the
// place of every byte, which no packaged reader gives.
#pragma once

#include <optional>
#include <stop_token>

#include "base/diagnostics.h"
#include "config/config_node.h"

namespace sorites {

// Mistakes that leave the structure clear (a missing comma, a word without quotes, a key that
// stands twice) are reported and mended; after any other the result is none.
// Throws Interrupted.
std::optional<ConfigNode> read_json(const Source& source,
                                    Diagnostics& diagnostics,
                                    const std::stop_token& stop = {});

}  // namespace sorites
