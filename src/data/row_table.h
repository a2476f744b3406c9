// Rows that somebody else holds in memory, column by column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sorites {

// The constants of one argument, a row each: numbers as they are, or texts, each of which stands
// once and is named by its place.
struct RowColumn {
  std::span<const std::int64_t> numbers;  // per row; empty: texts
  std::span<const std::uint32_t> codes;   // per row: which of the texts
  std::vector<std::string_view> texts;
};

// Views: what they look at must stay as it is.
struct RowTable {
  std::string name;  // for messages, as a file's
  std::size_t num_rows = 0;
  std::vector<RowColumn> columns;  // per argument
  std::span<const double> values;  // per row; empty: all 1
};

}  // namespace sorites
