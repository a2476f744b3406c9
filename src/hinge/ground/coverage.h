// Whether data leave an atom of a query no choice: it is there wherever others are.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "join/column_statistics.h"
#include "join/join_plan.h"
#include "sorites/database.h"

namespace sorites {

// Answers are remembered, since rules of a program mostly ask the same.
class Coverage {
 public:
  explicit Coverage(ColumnStatistics& statistics)
      : database_(statistics.database()), statistics_(statistics) {}

  // Whether the relation of `atom` has, for every row of `by`, the row that the arguments of the
  // atom then name. False if `by` lacks one of its variables.
  bool covers(const JoinAtom& by, const JoinAtom& atom);
  // Whether every binding of the query's drivers has a row of `atom`: because one of them covers
  // it, or because its relation holds all combinations of what they leave its arguments.
  bool is_always_there(const JoinQuery& query, const JoinAtom& atom);

 private:
  // Where an argument of the covered atom comes from: a column, or a constant.
  using Source = std::pair<JoinArgument::Kind, std::uint32_t>;
  using Key = std::tuple<PredicateId, PredicateId, std::vector<Source>>;

  bool check(const Key& key) const;
  bool check_column(const Key& key);
  bool is_product_of(const JoinQuery& query, const JoinAtom& atom);
  bool has_codes_of(const JoinQuery& query, const JoinAtom& atom, std::size_t column);
  const std::vector<bool>& codes_of(PredicateId predicate, std::size_t column);

  const Database& database_;
  ColumnStatistics& statistics_;
  std::map<Key, bool> covered_;
  std::map<std::pair<PredicateId, std::size_t>, std::vector<bool>>
      codes_;  // per column: of its rows
};

}  // namespace sorites
