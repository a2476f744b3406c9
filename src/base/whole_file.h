// Text files that are there whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace sorites {

// Writes a file beside `path` and renames it. Throws IoError.
void write_whole_file(const std::string& path, std::string_view text);

// Throws IoError if a file could not be written to this path: for long runs, before they begin. The
// file, if there is one, stays as it is.
void check_can_write(const std::string& path);

}  // namespace sorites
