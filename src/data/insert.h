// One row into a database, checked.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic_code.h"
#include "sorites/database.h"

namespace sorites {

// Why a row is not taken.
struct RowMistake {
  DiagnosticCode code;
  std::string message;
  std::vector<Note> notes;
};

// Adds the row, or says why not and leaves the database as it was. `at` becomes its origin.
std::optional<RowMistake> insert_row(Database& database,
                                     PredicateId predicate,
                                     Partition partition,
                                     std::span<const std::string_view> arguments,
                                     double value,
                                     const Span& at);

// The message and notes for an atom that is there already, in row `first`.
RowMistake duplicate_mistake(const Database& database,
                             PredicateId predicate,
                             RowId first,
                             Partition second);

}  // namespace sorites
