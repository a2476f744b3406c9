// Aligned columns of text.
#pragma once

#include <string>
#include <vector>

namespace sorites {

// Rows of cells; the first row is the head. The last column is flush left, all others flush right.
std::string table_text(const std::vector<std::vector<std::string>>& rows, bool color);

}  // namespace sorites
