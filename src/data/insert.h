// One row into a database, checked.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic_code.h"
#include "base/diagnostics.h"
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

// The same for a unary potential.
std::optional<RowMistake> insert_potential(Database& database,
                                           PredicateId predicate,
                                           std::span<const std::string_view> arguments,
                                           double log_odds,
                                           const Span& at);

// A row whose constants are in the dictionaries and which is known to be right and new.
void insert_codes(Database& database,
                  PredicateId predicate,
                  Partition partition,
                  std::span<const Code> arguments,
                  double value,
                  const Span& at);
void insert_potential_codes(Database& database,
                            PredicateId predicate,
                            std::span<const Code> arguments,
                            double log_odds,
                            const Span& at);

// The unary potentials of a predicate, instead of those it has: rows of codes that are right, each
// once.
void replace_potentials(Database& database,
                        PredicateId predicate,
                        std::span<const std::pair<std::vector<Code>, double>> rows);

// An error for a constant that is not in the list of a closed domain.
RowMistake unlisted_mistake(const Database& database,
                            PredicateId predicate,
                            std::size_t argument,
                            std::string_view constant);

// A row that stands in a model file, at `at`; true if it has no value.
struct LiteralRow {
  PredicateId predicate = 0;
  Partition partition = Partition::kObserved;
  std::span<const std::string_view> arguments;
  std::optional<double> value;
  Span at;
};

// Adds the row; a mistake goes to the sink, and the row is not added.
void add_row(Database& database, const LiteralRow& row, Diagnostics& sink);

// The message and notes for an atom that is there already, in row `first`.
RowMistake duplicate_mistake(const Database& database,
                             PredicateId predicate,
                             RowId first,
                             Partition second);

}  // namespace sorites
