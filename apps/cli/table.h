// Aligned columns of text.
#pragma once

#include <string>
#include <vector>

namespace sorites {

// Rows of cells; the first row is the head. The last column is flush left, all others flush right.
// Control characters in cells are shown, not obeyed.
std::string table_text(std::vector<std::vector<std::string>> rows, bool color);

}  // namespace sorites
