// What plans know of the data.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/thread_pool.h"
#include "join/trie.h"
#include "sorites/database.h"

namespace sorites {

// How many different codes each column of each relation has; counted once, when first asked.
class ColumnStatistics {
 public:
  explicit ColumnStatistics(const Database& database) : database_(database) {}
  double num_distinct(PredicateId predicate, std::size_t column);
  double num_rows(PredicateId predicate, RowSet rows) const;
  // Counts all columns of some predicates at once; repetitions do no harm.
  void count(const std::vector<PredicateId>& predicates, ThreadPool& pool);

 private:
  double count_distinct(PredicateId predicate, std::size_t column) const;

  const Database& database_;
  std::map<std::pair<PredicateId, std::size_t>, double> distinct_;
};

}  // namespace sorites
