// What plans know of the data.
#pragma once

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "base/thread_pool.h"
#include "join/trie.h"
#include "sorites/database.h"

namespace sorites {

// The least and the largest value of observed rows; if there are none, least > largest.
struct ValueRange {
  double least = 1.0, largest = 0.0;
};

// How many rows there are to choose from, and how many different codes they have in each column;
// counted once, when first asked.
class ColumnStatistics {
 public:
  explicit ColumnStatistics(const Database& database) : database_(database) {}

  const Database& database() const { return database_; }
  double num_distinct(PredicateId predicate, const RowChoice& rows, std::size_t column);
  double num_rows(PredicateId predicate, const RowChoice& rows);
  ValueRange observed_values(PredicateId predicate);
  // The plainest choice that takes the same rows, so that indexes over them are shared.
  RowChoice plain(PredicateId predicate, RowChoice rows);
  // Counts all columns of some predicates at once; repetitions do no harm.
  void count(const std::vector<PredicateId>& predicates, ThreadPool& pool);

 private:
  using Key = std::tuple<PredicateId, RowChoice, std::size_t>;

  double count_distinct(const Key& key) const;
  double count_rows(PredicateId predicate, const RowChoice& rows) const;

  const Database& database_;
  std::map<Key, double> distinct_;
  std::map<std::pair<PredicateId, RowChoice>, double> rows_;  // of choices with limits
  std::map<PredicateId, ValueRange> values_;
};

}  // namespace sorites
