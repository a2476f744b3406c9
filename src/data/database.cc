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
    closed_domains_.push_back(domain.closed ? 1 : 0);
    Dictionary& dictionary = dictionaries_.emplace_back(domain.type);
    for (const std::string& constant : domain.constants) dictionary.intern(constant);
  }
  relations_.reserve(predicates_.size());
  for (const Predicate& predicate : predicates_) relations_.emplace_back(predicate.arity());
}

void Database::add(Partition partition,
                   std::string_view predicate,
                   std::span<const std::string_view> arguments,
                   double value) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const auto found =
      std::find_if(predicates_.begin(), predicates_.end(), [&](const Predicate& candidate) {
        return std::equal(candidate.name.begin(),
                          candidate.name.end(),
                          predicate.begin(),
                          predicate.end(),
                          [&](char a, char b) { return lower(a) == lower(b); });
      });
  if (found == predicates_.end()) {
    throw std::invalid_argument(fmt::format("there is no predicate {}", predicate));
  }
  const auto id = static_cast<PredicateId>(found - predicates_.begin());
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

Span Database::origin(PredicateId predicate, RowId row) const {
  const auto& segments = DataAccess::origins(relation(predicate), row.partition);
  const auto after = std::upper_bound(
      segments.begin(), segments.end(), row.row, [](std::uint32_t r, const OriginSegment& s) {
        return r < s.first_row;
      });
  if (after == segments.begin()) return {};
  const OriginSegment& segment = *std::prev(after);
  if (segment.file == kNoFile) return {};
  return {files_[segment.file], segment.first_line + (row.row - segment.first_row), 0, 0};
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
  std::size_t total = relations_.capacity() * sizeof(Relation);
  for (const Relation& relation : relations_) total += relation.memory_bytes();
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
