// Small files, whole.
#pragma once

#include <string>

namespace sorites {

// A FileReader for the real file system.
std::string read_text_file(const std::string& path, std::string& text);

}  // namespace sorites
