#include "hinge/presolve/merge_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace sorites {
namespace {

constexpr std::uint32_t kEmpty = ~std::uint32_t{0};

const std::uint32_t* row_at(const RowList& rows, std::size_t row) {
  return rows.variables + row * rows.width;
}

bool are_equal(const RowList& rows, std::size_t a, std::size_t b) {
  return rows.offset[a] == rows.offset[b] &&
         std::memcmp(row_at(rows, a), row_at(rows, b), rows.width * sizeof(std::uint32_t)) == 0;
}

std::uint64_t hash_of(const RowList& rows, std::size_t row) {
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
  std::uint64_t hash = std::bit_cast<std::uint64_t>(rows.offset[row]) * kMultiplier;
  const std::uint32_t* variables = row_at(rows, row);
  for (std::size_t k = 1; k < rows.width; ++k) {
    hash = (std::rotl(hash, 29) ^ variables[k]) * kMultiplier;  // 29: odd, near half the bits
  }
  return hash ^ (hash >> 32);
}

// By sorting: for lists that are short beside the number of variables.
std::vector<std::uint32_t> by_sorting(const RowList& rows) {
  std::vector<std::uint32_t> order(rows.num_rows), first(rows.num_rows);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto *x = row_at(rows, a), *y = row_at(rows, b);
    const auto [p, q] = std::mismatch(x, x + rows.width, y);
    return p != x + rows.width ? *p < *q : rows.offset[a] < rows.offset[b];
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool repeats = i > 0 && are_equal(rows, order[i - 1], order[i]);
    first[order[i]] = repeats ? first[order[i - 1]] : order[i];
  }
  return first;
}

// A hash table in which the slots of a row lie within a range of its first variable: rows that
// follow each other mostly share variables, so the table is walked nearly in order.
std::vector<std::uint32_t> by_hashing(const RowList& rows,
                                      std::size_t num_variables,
                                      ThreadPool& pool) {
  std::vector<std::uint32_t> begin(num_variables + 1, 0), first(rows.num_rows);
  for (std::size_t row = 0; row < rows.num_rows; ++row) ++begin[*row_at(rows, row) + 1];
  for (std::size_t i = 0; i < num_variables; ++i) begin[i + 1] += begin[i];
  std::vector<std::uint32_t> slots(2 * rows.num_rows, kEmpty);

  const std::size_t parts = pool.num_threads();
  pool.for_each(parts,
                [&](std::size_t p) {  // a part: the rows whose first variable is in its range
                  const auto from = static_cast<std::uint32_t>(rows.num_rows * p / parts);
                  const auto to = static_cast<std::uint32_t>(rows.num_rows * (p + 1) / parts);
                  for (std::size_t row = 0; row < rows.num_rows; ++row) {
                    const std::uint32_t variable = *row_at(rows, row), start = begin[variable];
                    if (start < from || start >= to) continue;
                    const std::size_t size = 2 * std::size_t{begin[variable + 1] - start};
                    std::uint32_t* range = slots.data() + 2 * std::size_t{start};
                    std::size_t at = hash_of(rows, row) % size;
                    while (range[at] != kEmpty && !are_equal(rows, range[at], row))
                      at = at + 1 < size ? at + 1 : 0;
                    if (range[at] == kEmpty) range[at] = static_cast<std::uint32_t>(row);
                    first[row] = range[at];
                  }
                });
  return first;
}

}  // namespace

std::vector<std::uint32_t> first_equal_rows(const RowList& rows,
                                            std::size_t num_variables,
                                            ThreadPool& pool) {
  // The table needs a pass over all variables; sorting n rows costs about 8 such steps per row.
  constexpr std::size_t kVariablesPerRow = 8;
  return rows.num_rows < num_variables / kVariablesPerRow ? by_sorting(rows)
                                                          : by_hashing(rows, num_variables, pool);
}

}  // namespace sorites
