#include "data/insert.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constant.h"
#include "data/access.h"
#include "data/index.h"
#include "data/mistakes.h"
#include "data/origin.h"

namespace sorites {
namespace {

std::optional<RowMistake> check_arguments(const Database& database,
                                          PredicateId id,
                                          std::span<const std::string_view> arguments) {
  const Predicate& predicate = database.predicates()[id];
  if (arguments.size() != predicate.arity()) {
    return RowMistake{DiagnosticCode::kColumnCount,
                      fmt::format("the row has {}, but {} has {}",
                                  counted(arguments.size(), "argument"),
                                  predicate.name,
                                  counted(predicate.arity(), "argument")),
                      {}};
  }
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (canonical_constant(constant_type(predicate.types[k]), arguments[k])) {
      const DomainId domain = predicate.domain(k);
      if (!DataAccess::is_closed(database, domain)) continue;
      if (database.dictionary(domain).find(arguments[k])) continue;
      return unlisted_mistake(database, id, k, arguments[k]);
    }
    return RowMistake{DiagnosticCode::kTypeMismatch,
                      type_mismatch_message(predicate, k, arguments[k]),
                      {{type_mismatch_hint(predicate.types[k], arguments[k]), {}}}};
  }
  return std::nullopt;
}

// None if one of the constants is new.
std::optional<std::vector<Code>> find_codes(const Database& database,
                                            PredicateId predicate,
                                            std::span<const std::string_view> arguments) {
  std::vector<Code> codes;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const DomainId domain = database.predicates()[predicate].domain(k);
    const auto code = database.dictionary(domain).find(arguments[k]);
    if (!code) return std::nullopt;
    codes.push_back(*code);
  }
  return codes;
}

std::vector<Code> intern_all(Database& database,
                             PredicateId predicate,
                             std::span<const std::string_view> arguments) {
  std::vector<Code> codes;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const DomainId domain = database.predicates()[predicate].domain(k);
    codes.push_back(DataAccess::dictionary(database, domain).intern(arguments[k]));
  }
  return codes;
}

// The row that holds the atom already, where the partition allows it only once.
std::optional<RowId> find_row(const Database& database,
                              PredicateId predicate,
                              Partition partition,
                              std::span<const std::string_view> arguments) {
  const auto codes = find_codes(database, predicate, arguments);
  if (!codes) return std::nullopt;
  const Relation& relation = database.relation(predicate);
  if (partition != Partition::kTruth) return relation.find(*codes);
  const auto row = relation.find_truth(*codes);
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
  if (auto mistake = check_arguments(database, predicate, arguments)) return mistake;
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

template <class Texts>
std::string atom_name(const Database& database, PredicateId predicate, const Texts& arguments) {
  std::string atom = database.predicates()[predicate].name + "(";
  for (const auto& argument : arguments) {
    atom += atom.ends_with('(') ? "'" : ", '";
    atom += argument;
    atom += "'";
  }
  return atom + ")";
}

// The relation is one of the database, which knows the files.
void append_with_origin(Relation& relation,
                        Partition partition,
                        std::span<const Code> arguments,
                        double value,
                        const Span& at,
                        Database& database) {
  const auto row = static_cast<std::uint32_t>(relation.table(partition).num_rows);
  append_row(relation, partition, arguments, value);
  const std::uint32_t file = at.file.empty() ? kNoFile : file_number(database, at.file);
  add_origin(DataAccess::origins(relation, partition), {row, file, at.line});
}

}  // namespace

RowMistake duplicate_mistake(const Database& database,
                             PredicateId predicate,
                             RowId first,
                             Partition second) {
  const std::string atom = atom_name(database, predicate, database.arguments(predicate, first));
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
  insert_codes(
      database, predicate, partition, intern_all(database, predicate, arguments), value, at);
  return std::nullopt;
}

void insert_codes(Database& database,
                  PredicateId predicate,
                  Partition partition,
                  std::span<const Code> arguments,
                  double value,
                  const Span& at) {
  append_with_origin(
      DataAccess::relation(database, predicate), partition, arguments, value, at, database);
}

std::optional<RowMistake> insert_potential(Database& database,
                                           PredicateId predicate,
                                           std::span<const std::string_view> arguments,
                                           double log_odds,
                                           const Span& at) {
  if (auto mistake = check_arguments(database, predicate, arguments)) return mistake;
  if (!std::isfinite(log_odds)) {
    return RowMistake{DiagnosticCode::kBadValue, "a unary potential is a finite number", {}};
  }
  const Relation& relation = DataAccess::potentials(database, predicate);
  const auto codes = find_codes(database, predicate, arguments);
  if (const auto first = codes ? relation.find(*codes) : std::nullopt) {
    RowMistake mistake{DiagnosticCode::kDuplicateAtom,
                       fmt::format("{} has a unary potential already",
                                   shortened(atom_name(database, predicate, arguments))),
                       {}};
    const Span place = database.potential_origin(predicate, first->row);
    if (!place.file.empty()) mistake.notes.push_back({"before", place});
    return mistake;
  }
  insert_potential_codes(
      database, predicate, intern_all(database, predicate, arguments), log_odds, at);
  return std::nullopt;
}

void insert_potential_codes(Database& database,
                            PredicateId predicate,
                            std::span<const Code> arguments,
                            double log_odds,
                            const Span& at) {
  append_with_origin(DataAccess::potentials(database, predicate),
                     Partition::kObserved,
                     arguments,
                     log_odds,
                     at,
                     database);
}

void replace_potentials(Database& database,
                        PredicateId predicate,
                        std::span<const std::pair<std::vector<Code>, double>> rows) {
  Relation& relation = DataAccess::potentials(database, predicate);
  relation = Relation(relation.arity());
  for (const auto& [codes, log_odds] : rows) {
    insert_potential_codes(database, predicate, codes, log_odds, {});
  }
}

RowMistake unlisted_mistake(const Database& database,
                            PredicateId predicate,
                            std::size_t argument,
                            std::string_view constant) {
  const Predicate& declared = database.predicates()[predicate];
  const bool is_class = declared.has_classes && argument + 1 == declared.arity();
  RowMistake mistake{
      is_class ? DiagnosticCode::kUnknownClass : DiagnosticCode::kUnknownConstant,
      is_class ? fmt::format("`{}` is no class of {}", shortened(constant), declared.name)
               : fmt::format("`{}` is no {}",
                             shortened(constant),
                             DataAccess::domain_name(database, declared.domain(argument))),
      {}};
  const Dictionary& dictionary = database.dictionary(declared.domain(argument));
  std::vector<std::string> listed;
  for (Code code = 0; code < dictionary.size(); ++code) {
    if (DataAccess::is_unlisted(database, declared.domain(argument), code)) break;
    listed.push_back(dictionary.text(code));
  }
  const std::vector<std::string_view> views(listed.begin(), listed.end());
  const std::string_view near = nearest_name(constant, views);
  mistake.notes.push_back(
      {near.empty() ? fmt::format("there are {} of them, and all are listed", listed.size())
                    : fmt::format("did you mean `{}`?", near),
       {}});
  return mistake;
}

void add_row(Database& database, const LiteralRow& row, Diagnostics& sink) {
  auto mistake = insert_row(
      database, row.predicate, row.partition, row.arguments, row.value.value_or(1.0), row.at);
  if (!mistake) return;
  sink.error(mistake->code, row.at, std::move(mistake->message)).notes = std::move(mistake->notes);
}

}  // namespace sorites
