// UTF-8, as far as diagnostics and loaders need it.
#pragma once

#include <cstddef>
#include <string_view>

namespace sorites {

// The offset of the first byte that is not part of well-formed UTF-8, or text.size() if there is
// none.
std::size_t find_invalid_utf8(std::string_view text);

// Code points of well-formed text; of other text, bytes that do not continue a code point.
std::size_t num_characters(std::string_view text);

}  // namespace sorites
