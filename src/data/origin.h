// Where rows were read: per table a list of segments, each for rows on consecutive lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/access.h"

namespace sorites {

using OriginSegment = DataAccess::OriginSegment;

inline constexpr std::uint32_t kNoFile = ~std::uint32_t{0};  // of rows that add() made

// Says where `row` was read. Rows must come in order; a new segment begins only where the lines or
// the file do not just go on.
inline void add_origin(std::vector<OriginSegment>& segments, const OriginSegment& row) {
  if (!segments.empty()) {
    const OriginSegment& last = segments.back();
    const bool next_line =
        row.first_line - last.first_line == row.first_row - last.first_row || row.file == kNoFile;
    if (last.file == row.file && next_line) return;
  }
  segments.push_back(row);
}

// The number of a file name in the database's list.
std::uint32_t file_number(Database& database, const std::string& file);

}  // namespace sorites
