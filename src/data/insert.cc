#include "data/insert.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/constant.h"
#include "data/access.h"
#include "data/index.h"
#include "data/mistakes.h"
#include "data/origin.h"
#include "data/sources/load.h"

namespace sorites {
namespace {

std::optional<RowMistake> check_arguments(const Predicate& predicate,
                                          std::span<const std::string_view> arguments) {
  if (arguments.size() != predicate.arity()) {
    return RowMistake{DiagnosticCode::kColumnCount,
                      fmt::format("the row has {}, but {} has {}",
                                  counted(arguments.size(), "argument"),
                                  predicate.name,
                                  counted(predicate.arity(), "argument")),
                      {}};
  }
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (canonical_constant(constant_type(predicate.types[k]), arguments[k])) continue;
    return RowMistake{DiagnosticCode::kTypeMismatch,
                      type_mismatch_message(predicate, k, arguments[k]),
                      {{type_mismatch_hint(predicate.types[k], arguments[k]), {}}}};
  }
  return std::nullopt;
}

// The row that holds the atom already, where the partition allows it only once.
std::optional<RowId> find_row(const Database& database,
                              PredicateId predicate,
                              Partition partition,
                              std::span<const std::string_view> arguments) {
  std::vector<Code> codes;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const DomainId domain = database.predicates()[predicate].domain(k);
    const auto code = database.dictionary(domain).find(arguments[k]);
    if (!code) return std::nullopt;
    codes.push_back(*code);
  }
  const Relation& relation = database.relation(predicate);
  if (partition != Partition::kTruth) return relation.find(codes);
  const auto row = relation.find_truth(codes);
  return row ? std::optional(RowId{partition, *row}) : std::nullopt;
}

std::size_t num_indexed_rows(const Relation& relation, Partition partition) {
  if (partition == Partition::kTruth) return relation.table(partition).num_rows;
  return relation.table(Partition::kObserved).num_rows +
         relation.table(Partition::kTarget).num_rows;
}

std::optional<RowMistake> check_row(const Database& database,
                                    PredicateId predicate,
                                    Partition partition,
                                    std::span<const std::string_view> arguments,
                                    double value) {
  if (auto mistake = check_arguments(database.predicates()[predicate], arguments)) return mistake;
  if (!(value >= 0.0 && value <= 1.0)) {  // also false for NaN
    return RowMistake{DiagnosticCode::kValueRange,
                      fmt::format("the truth value {} is outside [0, 1]", to_text(value)),
                      {}};
  }
  if (const auto first = find_row(database, predicate, partition, arguments)) {
    return duplicate_mistake(database, predicate, *first, partition);
  }
  if (num_indexed_rows(database.relation(predicate), partition) >= kMaxRows) {
    return RowMistake{DiagnosticCode::kTooManyRows, too_many_rows_message(kMaxRows), {}};
  }
  return std::nullopt;
}

}  // namespace

RowMistake duplicate_mistake(const Database& database,
                             PredicateId predicate,
                             RowId first,
                             Partition second) {
  std::string atom = database.predicates()[predicate].name + "(";
  for (const std::string& argument : database.arguments(predicate, first)) {
    atom += (atom.ends_with('(') ? "'" : ", '") + argument + "'";
  }
  atom += ")";
  const Span place = database.origin(predicate, first);
  RowMistake mistake{DiagnosticCode::kDuplicateAtom, {}, {}};
  if (first.partition == second) {
    mistake.message = fmt::format("{} stands twice in the {}", shortened(atom), name_of(second));
    if (!place.file.empty()) mistake.notes.push_back({"it stands here first", place});
    mistake.notes.push_back({"delete one of the two rows", {}});
    return mistake;
  }
  mistake.code = DiagnosticCode::kObservedAndTarget;
  mistake.message = fmt::format("{} is both observed and a target", shortened(atom));
  if (!place.file.empty()) {
    mistake.notes.push_back(
        {first.partition == Partition::kTarget ? "it is a target here" : "it is observed here",
         place});
  }
  mistake.notes.push_back(
      {"an atom is either known or to be inferred: delete one of the two rows", {}});
  return mistake;
}

std::optional<RowMistake> insert_row(Database& database,
                                     PredicateId predicate,
                                     Partition partition,
                                     std::span<const std::string_view> arguments,
                                     double value,
                                     const Span& at) {
  if (auto mistake = check_row(database, predicate, partition, arguments, value)) return mistake;
  std::vector<Code> codes;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const DomainId domain = database.predicates()[predicate].domain(k);
    codes.push_back(DataAccess::dictionary(database, domain).intern(arguments[k]));
  }
  Relation& relation = DataAccess::relation(database, predicate);
  const auto row = static_cast<std::uint32_t>(relation.table(partition).num_rows);
  append_row(relation, partition, codes, value);
  const std::uint32_t file = at.file.empty() ? kNoFile : file_number(database, at.file);
  add_origin(DataAccess::origins(relation, partition), {row, file, at.line});
  return std::nullopt;
}

// NOLINTNEXTLINE(readability-function-size): one call per row of a model file, by its parts
void add_row(Database& database,
             PredicateId predicate,
             Partition partition,
             std::span<const std::string_view> arguments,
             std::optional<double> value,
             const Span& at,
             Diagnostics& sink) {
  auto mistake = insert_row(database, predicate, partition, arguments, value.value_or(1.0), at);
  if (!mistake) return;
  sink.error(mistake->code, at, std::move(mistake->message)).notes = std::move(mistake->notes);
}

}  // namespace sorites
