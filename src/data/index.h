// The hash index of a relation: which row holds an atom.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "base/thread_pool.h"
#include "sorites/database.h"

namespace sorites {

// Of observed and target rows together, and of truth rows. Ids of atoms below fill 32 bits then.
inline constexpr std::size_t kMaxRows = (std::size_t{1} << 31U) - 1;

// The id of a row in the slots of its relation: observed and target rows share one index.
constexpr std::uint32_t id_of(RowId row) {
  return row.partition == Partition::kTruth
             ? row.row
             : (row.row << 1U) | (row.partition == Partition::kTarget ? 1U : 0U);
}

// The atom of row `second` stands already in row `first`.
struct Duplicate {
  RowId first, second;
};

// Builds the index over all rows of `partition` (observed and target: both) anew. It gets room for
// `capacity` rows, or for just those there are. Of equal atoms only the first is entered, observed
// before target; the others are returned in the order of the rows. The result does not depend on
// the number of threads. Throws Interrupted.
std::vector<Duplicate> build_index(Relation& relation,
                                   Partition partition,
                                   std::size_t capacity,
                                   ThreadPool& pool,
                                   const std::stop_token& stop = {});

// Adds a row that is in no table yet; the caller has looked.
void append_row(Relation& relation,
                Partition partition,
                std::span<const Code> arguments,
                double value);

}  // namespace sorites
