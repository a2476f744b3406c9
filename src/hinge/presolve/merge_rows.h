// Presolve: rows that are equal become one row.
#pragma once

#include <cstdint>
#include <vector>

#include "base/thread_pool.h"

namespace sorites {

// Rows of one width, each an ascending or otherwise canonical list of variables, with offsets.
struct RowList {
  const std::uint32_t* variables = nullptr;
  const double* offset = nullptr;
  std::size_t num_rows = 0;
  std::size_t width = 0;
};

// For every row the first that is equal to it (itself, if none before is).
std::vector<std::uint32_t> first_equal_rows(const RowList& rows,
                                            std::size_t num_variables,
                                            ThreadPool& pool);

}  // namespace sorites
