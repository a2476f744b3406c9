// Rows in memory into a database: what load_files() does for files.
#pragma once

#include <span>

#include "base/diagnostics.h"
#include "data/sources/load.h"
#include "sorites/database.h"

namespace sorites {

struct TableSource {
  PredicateId predicate = 0;
  Partition partition = Partition::kObserved;
  const RowTable* rows = nullptr;
};

// All mistakes go to the sink, with the name of the table and the number of the row (from 1) as
// their place; then the database must be thrown away. Throws Interrupted, and
// std::invalid_argument if a table does not have a column per argument.
void load_tables(Database& database,
                 std::span<const TableSource> tables,
                 const LoadOptions& options,
                 Diagnostics& sink);

}  // namespace sorites
