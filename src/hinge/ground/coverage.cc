#include "hinge/ground/coverage.h"

#include <algorithm>

namespace sorites {
namespace {

using Kind = JoinArgument::Kind;

constexpr Partition kBoth[] = {Partition::kObserved, Partition::kTarget};

// The column of an atom in which a variable stands first; its arity if none.
std::size_t column_of(const JoinAtom& atom, std::uint32_t variable) {
  const auto at =
      std::find_if(atom.arguments.begin(), atom.arguments.end(), [&](const JoinArgument& argument) {
        return argument.kind == Kind::kVariable && argument.value == variable;
      });
  return static_cast<std::size_t>(at - atom.arguments.begin());
}

}  // namespace

// Of every row: is the other there?
bool Coverage::check(const Key& key) const {
  const auto& [by, covered, sources] = key;
  const Relation& relation = database_.relation(covered);
  std::vector<Code> row(sources.size());
  for (const Partition partition : kBoth) {
    const Table& table = database_.relation(by).table(partition);
    for (std::size_t r = 0; r < table.num_rows; ++r) {
      for (std::size_t c = 0; c < sources.size(); ++c) {
        const auto& [kind, value] = sources[c];
        row[c] = kind == Kind::kVariable ? table.columns[value][r] : value;
      }
      if (!relation.find(row)) return false;
    }
  }
  return true;
}

// The same of a relation with one column, whose rows are codes.
bool Coverage::check_column(const Key& key) {
  const auto& [by, covered, sources] = key;
  const std::vector<bool>& there = codes_of(covered, 0);
  const auto& [kind, value] = sources[0];
  if (kind == Kind::kConstant) return value < there.size() && there[value];
  const std::vector<bool>& wanted = codes_of(by, value);
  for (std::size_t code = 0; code < wanted.size(); ++code) {
    if (wanted[code] && !there[code]) return false;
  }
  return true;
}

bool Coverage::covers(const JoinAtom& by, const JoinAtom& atom) {
  Key key{by.predicate, atom.predicate, {}};
  auto& sources = std::get<2>(key);
  for (const JoinArgument& argument : atom.arguments) {
    switch (argument.kind) {
      case Kind::kSummed:
        return false;
      case Kind::kConstant:
        if (argument.value == kNoCode) return false;
        sources.emplace_back(Kind::kConstant, argument.value);
        break;
      case Kind::kVariable: {
        const std::size_t column = column_of(by, argument.value);
        if (column == by.arguments.size()) return false;
        sources.emplace_back(Kind::kVariable, static_cast<std::uint32_t>(column));
        break;
      }
    }
  }
  const auto [entry, added] = covered_.try_emplace(key, false);
  if (added) entry->second = sources.size() == 1 ? check_column(key) : check(key);
  return entry->second;
}

const std::vector<bool>& Coverage::codes_of(PredicateId predicate, std::size_t column) {
  const auto [entry, added] = codes_.try_emplace({predicate, column});
  if (!added) return entry->second;
  const DomainId domain = database_.predicates()[predicate].domain(column);
  entry->second.resize(database_.dictionary(domain).size());
  for (const Partition partition : kBoth) {
    for (const Code code : database_.relation(predicate).table(partition).columns[column]) {
      entry->second[code] = true;
    }
  }
  return entry->second;
}

// Whether a column of an atom has all codes that some driver leaves its argument.
bool Coverage::has_codes_of(const JoinQuery& query, const JoinAtom& atom, std::size_t column) {
  const JoinArgument& argument = atom.arguments[column];
  const std::vector<bool>& there = codes_of(atom.predicate, column);
  if (argument.kind == Kind::kConstant)
    return argument.value < there.size() && there[argument.value];
  if (argument.kind == Kind::kSummed) return false;
  return std::any_of(query.atoms.begin(), query.atoms.end(), [&](const JoinAtom& driver) {
    if (driver.optional) return false;
    const std::size_t at = column_of(driver, argument.value);
    if (at == driver.arguments.size()) return false;
    const std::vector<bool>& wanted = codes_of(driver.predicate, at);
    for (std::size_t code = 0; code < wanted.size(); ++code) {
      if (wanted[code] && !there[code]) return false;
    }
    return true;
  });
}

bool Coverage::is_product_of(const JoinQuery& query, const JoinAtom& atom) {
  double combinations = 1.0;
  for (std::size_t c = 0; c < atom.arguments.size(); ++c) {
    combinations *= statistics_.num_distinct(atom.predicate, RowSet::kAll, c);
  }
  if (statistics_.num_rows(atom.predicate, RowSet::kAll) != combinations) return false;
  for (std::size_t c = 0; c < atom.arguments.size(); ++c) {
    if (!has_codes_of(query, atom, c)) return false;
  }
  return true;
}

bool Coverage::is_always_there(const JoinQuery& query, const JoinAtom& atom) {
  return std::any_of(query.atoms.begin(),
                     query.atoms.end(),
                     [&](const JoinAtom& by) { return !by.optional && covers(by, atom); }) ||
         is_product_of(query, atom);
}

}  // namespace sorites
