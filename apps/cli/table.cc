#include "table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/shown_text.h"

namespace sorites {

std::string table_text(std::vector<std::vector<std::string>> rows, bool color) {
  for (auto& row : rows) {
    for (std::string& cell : row) cell = shown_text(cell);  // rules and names stand in them
  }
  std::vector<std::size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c + 1 < rows[r].size(); ++c) {
      line += fmt::format("  {:>{}}", rows[r][c], width[c]);
    }
    line += "  " + rows[r].back();
    text += r == 0 && color ? fmt::format("\x1b[2m{}\x1b[0m\n", line) : line + "\n";
  }
  return text;
}

}  // namespace sorites
