#include "data/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <stdexcept>

#include "base/thread_pool.h"
#include "data/access.h"
#include "data/index.h"
#include "data/insert.h"
#include "data/origin.h"
#include "data/unused_constants.h"

namespace sorites {
namespace {

std::string describe(const Database& database, const RowChange& change) {
  std::string text;
  for (const std::string& argument : change.arguments) {
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", argument);
  }
  return fmt::format("{}({})", database.predicates()[change.predicate].name, text);
}

std::vector<Code> codes_of(Database& database, const RowChange& change) {
  if (change.predicate >= database.predicates().size()) {
    throw std::invalid_argument(fmt::format("there is no predicate {}", change.predicate));
  }
  const Predicate& predicate = database.predicates()[change.predicate];
  if (change.arguments.size() != predicate.arity()) {
    throw std::invalid_argument(
        fmt::format("{} takes {} arguments", predicate.name, predicate.arity()));
  }
  std::vector<Code> codes;
  for (std::size_t i = 0; i < predicate.arity(); ++i) {
    Dictionary& dictionary = DataAccess::dictionary(database, predicate.domain(i));
    if (DataAccess::is_closed(database, predicate.domain(i)) &&
        !dictionary.find(change.arguments[i])) {
      throw std::invalid_argument(
          unlisted_mistake(database, change.predicate, i, change.arguments[i]).message);
    }
    codes.push_back(dictionary.intern(change.arguments[i]));
  }
  return codes;
}

// The origins of the rows that stay, at their new places.
std::vector<OriginSegment> origins_without(const Relation& relation,
                                           Partition partition,
                                           const std::set<std::uint32_t>& gone) {
  const auto& old = DataAccess::origins(relation, partition);
  std::vector<OriginSegment> kept;
  std::uint32_t next = 0;
  for (std::size_t s = 0; s < old.size(); ++s) {
    const auto num_rows = static_cast<std::uint32_t>(relation.table(partition).num_rows);
    const std::uint32_t end = s + 1 < old.size() ? old[s + 1].first_row : num_rows;
    for (std::uint32_t row = old[s].first_row; row < end; ++row) {
      if (gone.count(row) != 0) continue;
      const std::uint32_t line = old[s].first_line + (row - old[s].first_row);
      add_origin(kept, {next++, old[s].file, line});
    }
  }
  return kept;
}

// Leaves out some rows of a table.
void remove_rows(Relation& relation, Partition partition, const std::set<std::uint32_t>& gone) {
  DataAccess::origins(relation, partition) = origins_without(relation, partition, gone);
  Table& table = DataAccess::table(relation, partition);
  const auto compact = [&](auto& column) {
    std::size_t kept = 0;
    for (std::uint32_t row = 0; row < table.num_rows; ++row) {
      if (gone.count(row) == 0) column[kept++] = column[row];
    }
    column.resize(kept);
  };
  for (auto& column : table.columns) compact(column);
  if (!table.values.empty()) compact(table.values);
  table.num_rows -= gone.size();
}

using AtomKeys = std::set<std::pair<PredicateId, std::vector<Code>>>;

// Throws if a change cannot be made after those that were seen before it.
void check_change(const Database& database,
                  const RowChange& change,
                  const std::vector<Code>& codes,
                  AtomKeys& removed,
                  AtomKeys& added) {
  const auto row = database.relation(change.predicate).find(codes);
  const std::pair key{change.predicate, codes};
  const auto refuse = [&](const char* why) {
    throw std::invalid_argument(fmt::format("{} {}", describe(database, change), why));
  };
  if (!change.value) {
    if (!row || row->partition != change.partition) {
      refuse(change.partition == Partition::kObserved ? "cannot be removed: it is not observed"
                                                      : "cannot be removed: it is no target");
    }
    if (!removed.insert(key).second) refuse("is removed twice");
  } else {
    if (!(*change.value >= 0.0 && *change.value <= 1.0)) refuse("needs a value in [0, 1]");
    if (row && removed.count(key) == 0) refuse("cannot be added: it is there already");
    if (!added.insert(key).second) refuse("is added twice");
  }
}

}  // namespace

std::map<PredicateId, Relation> changed_atoms(Database& database,
                                              std::span<const RowChange> changes) {
  const std::vector<std::size_t> before = num_constants(database);
  std::map<PredicateId, Relation> changed;
  AtomKeys removed, added;
  try {
    for (const RowChange& change : changes) {
      const std::vector<Code> codes = codes_of(database, change);
      check_change(database, change, codes, removed, added);
      auto [relation, is_new] = changed.try_emplace(change.predicate, codes.size());
      if (!relation->second.find(codes))
        append_row(relation->second, Partition::kObserved, codes, 1.0);
    }
  } catch (...) {
    forget_later_constants(database, before);
    throw;
  }
  return changed;
}

void apply_changes(Database& database, std::span<const RowChange> changes) {
  std::map<std::pair<PredicateId, Partition>, std::set<std::uint32_t>> gone;
  for (const RowChange& change : changes) {
    if (change.value) continue;
    gone[{change.predicate, change.partition}].insert(
        database.relation(change.predicate).find(codes_of(database, change))->row);
  }
  ThreadPool pool(1);
  for (const auto& [table, rows] : gone) {
    Relation& relation = DataAccess::relation(database, table.first);
    remove_rows(relation, table.second, rows);
    build_index(relation, table.second, 0, pool);
  }
  for (const RowChange& change : changes) {
    if (!change.value) continue;
    Relation& relation = DataAccess::relation(database, change.predicate);
    const auto row = static_cast<std::uint32_t>(relation.table(change.partition).num_rows);
    add_origin(DataAccess::origins(relation, change.partition), {row, kNoFile, 0});
    append_row(relation, change.partition, codes_of(database, change), *change.value);
  }
}

}  // namespace sorites
