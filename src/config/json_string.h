// Quoted strings of lenient JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace sorites {

struct JsonString {
  std::string text;
  TextRange range;                         // with its quotes
  std::vector<std::uint32_t> file_offset;  // empty while the text stands in the file as it is
};

// Decodes the string whose opening quote, single or double, is at `begin`. Unknown escapes are
// reported and their character kept; none if the string is not closed on its line.
std::optional<JsonString> read_json_string(const Source& source,
                                           std::uint32_t begin,
                                           Diagnostics& diagnostics);

}  // namespace sorites
