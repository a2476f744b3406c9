#include "modelfile/class_rows.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "data/change.h"
#include "data/insert.h"

namespace sorites {
namespace {

std::vector<Code> codes_of_row(const Table& table, std::size_t row) {
  std::vector<Code> codes;
  for (const auto& column : table.columns) codes.push_back(column[row]);
  return codes;
}

std::size_t num_classes(const Database& database, PredicateId id) {
  const Predicate& predicate = database.predicates()[id];
  return database.dictionary(predicate.domain(predicate.arity() - 1)).size();
}

void report_two_classes(
    const Database& database, PredicateId id, RowId first, RowId second, Diagnostics& diagnostics) {
  std::vector<std::string> arguments = database.arguments(id, second);
  const std::string last = arguments.back();
  arguments.pop_back();
  Diagnostic& error = diagnostics.error(DiagnosticCode::kContradictingFacts,
                                        database.origin(id, second),
                                        fmt::format("`{}({})` is `{}` here, but `{}` before",
                                                    database.predicates()[id].name,
                                                    fmt::join(arguments, ", "),
                                                    last,
                                                    database.arguments(id, first).back()));
  const Span before = database.origin(id, first);
  if (!before.file.empty()) error.notes.push_back({"before", before});
}

// A row that is observed to be true, and comes before another.
std::optional<RowId> earlier_class(const Relation& relation,
                                   std::vector<Code> codes,
                                   std::uint32_t row,
                                   std::size_t count) {
  const Table& observed = relation.table(Partition::kObserved);
  for (codes.back() = 0; codes.back() < count; ++codes.back()) {
    const auto other = relation.find(codes);
    if (other && other->partition == Partition::kObserved && other->row < row &&
        observed.value(other->row) == 1.0) {
      return other;
    }
  }
  return std::nullopt;
}

void check_observed(const Database& database, PredicateId id, Diagnostics& diagnostics) {
  const Relation& relation = database.relation(id);
  const Table& observed = relation.table(Partition::kObserved);
  for (std::uint32_t row = 0; row < observed.num_rows; ++row) {
    if (observed.value(row) != 1.0) continue;
    const auto first =
        earlier_class(relation, codes_of_row(observed, row), row, num_classes(database, id));
    if (!first) continue;
    report_two_classes(database, id, *first, {Partition::kObserved, row}, diagnostics);
  }
}

void complete_targets(Database& database, PredicateId id) {
  const std::size_t num_rows = database.relation(id).table(Partition::kTarget).num_rows;
  const std::size_t count = num_classes(database, id);
  for (std::uint32_t row = 0; row < num_rows; ++row) {
    std::vector<Code> codes = codes_of_row(database.relation(id).table(Partition::kTarget), row);
    for (codes.back() = 0; codes.back() < count; ++codes.back()) {
      if (database.relation(id).find(codes)) continue;
      insert_codes(database,
                   id,
                   Partition::kTarget,
                   codes,
                   1.0,
                   database.origin(id, {Partition::kTarget, row}));
    }
  }
}

}  // namespace

void ClassTargets::complete(Database& database) {
  given_.clear();
  for (PredicateId id = 0; id < database.predicates().size(); ++id) {
    const Table& targets = database.relation(id).table(Partition::kTarget);
    given_.push_back(static_cast<std::uint32_t>(targets.num_rows));
    if (database.predicates()[id].has_classes) complete_targets(database, id);
  }
}

void ClassTargets::take_out(Database& database) const {
  std::vector<RowChange> completed;
  for (PredicateId id = 0; id < given_.size(); ++id) {
    const Predicate& predicate = database.predicates()[id];
    if (!predicate.has_classes || predicate.neural) continue;
    const std::size_t num_rows = database.relation(id).table(Partition::kTarget).num_rows;
    for (std::uint32_t row = given_[id]; row < num_rows; ++row) {
      const RowId target{Partition::kTarget, row};
      completed.push_back({id, database.arguments(id, target), {}, Partition::kTarget});
    }
  }
  if (!completed.empty()) apply_changes(database, completed);
}

ClassTargets settle_class_rows(Database& database, Diagnostics& diagnostics) {
  for (PredicateId id = 0; id < database.predicates().size(); ++id) {
    if (database.predicates()[id].has_classes) check_observed(database, id, diagnostics);
  }
  ClassTargets targets;
  targets.complete(database);
  return targets;
}

}  // namespace sorites
