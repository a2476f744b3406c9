#include "sorites/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/constant.h"
#include "data/insert.h"
#include "data/origin.h"

namespace sorites {

Database::Database(std::vector<Predicate> predicates, std::span<const Domain> domains)
    : predicates_(std::move(predicates)) {
  const std::vector<Domain> builtin = builtin_domains();
  for (const Domain& domain : domains.empty() ? std::span(builtin) : domains) {
    Dictionary& dictionary = dictionaries_.emplace_back(domain.type);
    for (const std::string& constant : domain.constants) dictionary.intern(constant);
    domain_lists_.push_back({domain.name, dictionary.size(), domain.closed});
  }
  relations_.reserve(predicates_.size());
  potentials_.reserve(predicates_.size());
  for (const Predicate& predicate : predicates_) {
    relations_.emplace_back(predicate.arity());
    potentials_.emplace_back(predicate.arity());
  }
}

namespace {

// Throws std::invalid_argument if there is none of this name, whatever its case.
PredicateId predicate_named(const std::vector<Predicate>& predicates, std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const auto found =
      std::find_if(predicates.begin(), predicates.end(), [&](const Predicate& candidate) {
        return std::equal(candidate.name.begin(),
                          candidate.name.end(),
                          name.begin(),
                          name.end(),
                          [&](char a, char b) { return lower(a) == lower(b); });
      });
  if (found == predicates.end()) {
    throw std::invalid_argument(fmt::format("there is no predicate {}", name));
  }
  return static_cast<PredicateId>(found - predicates.begin());
}

Span origin_of(const std::vector<OriginSegment>& segments,
               const std::vector<std::string>& files,
               std::uint32_t row) {
  const auto after = std::upper_bound(
      segments.begin(), segments.end(), row, [](std::uint32_t r, const OriginSegment& s) {
        return r < s.first_row;
      });
  if (after == segments.begin()) return {};
  const OriginSegment& segment = *std::prev(after);
  if (segment.file == kNoFile) return {};
  return {files[segment.file], segment.first_line + (row - segment.first_row), 0, 0};
}

}  // namespace

void Database::add(Partition partition,
                   std::string_view predicate,
                   std::span<const std::string_view> arguments,
                   double value) {
  const PredicateId id = predicate_named(predicates_, predicate);
  if (const auto mistake = insert_row(*this, id, partition, arguments, value, {})) {
    throw std::invalid_argument(mistake->message);
  }
}

void Database::add(Partition partition,
                   std::string_view predicate,
                   std::initializer_list<std::string_view> arguments,
                   double value) {
  add(partition, predicate, std::span(arguments.begin(), arguments.size()), value);
}

void Database::add_potential(std::string_view predicate,
                             std::span<const std::string_view> arguments,
                             double log_odds) {
  const PredicateId id = predicate_named(predicates_, predicate);
  if (const auto mistake = insert_potential(*this, id, arguments, log_odds, {})) {
    throw std::invalid_argument(mistake->message);
  }
}

void Database::add_potential(std::string_view predicate,
                             std::initializer_list<std::string_view> arguments,
                             double log_odds) {
  add_potential(predicate, std::span(arguments.begin(), arguments.size()), log_odds);
}

Span Database::origin(PredicateId predicate, RowId row) const {
  return origin_of(DataAccess::origins(relation(predicate), row.partition), files_, row.row);
}

Span Database::potential_origin(PredicateId predicate, std::uint32_t row) const {
  return origin_of(DataAccess::origins(potentials_[predicate], Partition::kObserved), files_, row);
}

std::vector<std::string> Database::arguments(PredicateId predicate, RowId row) const {
  std::vector<std::string> result;
  const Predicate& declared = predicates_[predicate];
  const auto& columns = relation(predicate).table(row.partition).columns;
  for (std::size_t k = 0; k < declared.arity(); ++k) {
    result.push_back(dictionary(declared.domain(k)).text(columns[k][row.row]));
  }
  return result;
}

std::size_t Database::memory_bytes() const {
  std::size_t total = (relations_.capacity() + potentials_.capacity()) * sizeof(Relation);
  for (const Relation& relation : relations_) total += relation.memory_bytes();
  for (const Relation& relation : potentials_) total += relation.memory_bytes();
  for (const Dictionary& dictionary : dictionaries_) total += dictionary.memory_bytes();
  return total;
}

std::uint32_t file_number(Database& database, const std::string& file) {
  auto& files = DataAccess::files(database);
  const auto found = std::find(files.rbegin(), files.rend(), file);  // mostly the last one
  if (found != files.rend()) return static_cast<std::uint32_t>(files.rend() - found - 1);
  files.push_back(file);
  return static_cast<std::uint32_t>(files.size() - 1);
}

}  // namespace sorites
