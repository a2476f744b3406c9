// Scalars of YAML: what a plain one means, and where the bytes of a decoded one stand in the file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "config/config_node.h"

namespace sorites {

// Kind and text of a plain scalar, as the core schema has it.
void resolve_plain_scalar(std::string_view text, ConfigNode& node);

// Finds the decoded `text` in the bytes [begin, end) of the file, quotes and block headers included
// in them: exactly, except that bytes of rare escapes may be placed a little off. Ascending;
// text.size() + 1 entries.
std::vector<std::uint32_t> align_scalar(std::string_view file,
                                        std::uint32_t begin,
                                        std::uint32_t end,
                                        std::string_view text);

}  // namespace sorites
