#include "data/unused_constants.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/thread_pool.h"
#include "data/access.h"
#include "data/index.h"

namespace sorites {
namespace {

// Calls with the domain and the codes of every column.
template <class Use>
void for_each_column(const Database& database, const Use& use) {
  for (PredicateId p = 0; p < database.predicates().size(); ++p) {
    const Predicate& predicate = database.predicates()[p];
    for (std::size_t k = 0; k < predicate.arity(); ++k) {
      for (std::size_t partition = 0; partition < kNumPartitions; ++partition) {
        const Table& table = database.relation(p).table(static_cast<Partition>(partition));
        use(predicate.domain(k), table.columns[k]);
      }
      use(predicate.domain(k), database.potentials(p).columns[k]);
    }
  }
}

Dictionary with_constants(const Dictionary& old, const std::vector<bool>& kept) {
  Dictionary dictionary(old.type());
  for (Code code = 0; code < kept.size(); ++code) {
    if (kept[code]) dictionary.intern(old.text(code));
  }
  return dictionary;
}

void renumber(std::vector<Code>& column, const std::vector<Code>& new_codes) {
  for (Code& code : column) code = new_codes[code];
}

void renumber(Relation& relation, const Predicate& predicate, const NewCodes& new_codes) {
  for (std::size_t k = 0; k < predicate.arity(); ++k) {
    for (std::size_t partition = 0; partition < kNumPartitions; ++partition) {
      Table& table = DataAccess::table(relation, static_cast<Partition>(partition));
      renumber(table.columns[k], new_codes[predicate.domain(k)]);
    }
  }
  ThreadPool pool(1);
  build_index(relation, Partition::kObserved, 0, pool);  // of targets, too
  build_index(relation, Partition::kTruth, 0, pool);
}

}  // namespace

bool leave_unused_constants(const Database& database, std::span<const RowChange> changes) {
  std::map<std::pair<DomainId, Code>, std::ptrdiff_t> rows;  // of the constants that lose some
  const auto count = [&](const RowChange& change, std::ptrdiff_t more, bool all) {
    const Predicate& predicate = database.predicates()[change.predicate];
    for (std::size_t k = 0; k < predicate.arity(); ++k) {
      const DomainId domain = predicate.domain(k);
      const auto code = database.dictionary(domain).find(change.arguments[k]);
      if (!code || *code < DataAccess::num_listed(database, domain)) continue;
      if (all || rows.contains({domain, *code})) rows[{domain, *code}] += more;
    }
  };
  for (const RowChange& change : changes) {
    if (!change.value) count(change, -1, true);
  }
  for (const RowChange& change : changes) {
    if (change.value) count(change, 1, false);
  }
  if (rows.empty()) return false;
  for_each_column(database, [&](DomainId domain, const std::vector<Code>& column) {
    for (auto found = rows.lower_bound({domain, 0});
         found != rows.end() && found->first.first == domain;
         ++found) {
      found->second += std::count(column.begin(), column.end(), found->first.second);
    }
  });
  return std::any_of(rows.begin(), rows.end(), [](const auto& one) { return one.second == 0; });
}

NewCodes remove_unused_constants(Database& database) {
  std::vector<std::vector<bool>> used(database.num_domains());
  for (DomainId d = 0; d < used.size(); ++d) {
    used[d].assign(database.dictionary(d).size(), false);
    std::fill_n(used[d].begin(), DataAccess::num_listed(database, d), true);
  }
  for_each_column(database, [&](DomainId domain, const std::vector<Code>& column) {
    for (const Code code : column) used[domain][code] = true;
  });
  const auto all = [](const std::vector<bool>& of_domain) {
    return std::find(of_domain.begin(), of_domain.end(), false) == of_domain.end();
  };
  if (std::all_of(used.begin(), used.end(), all)) return {};
  NewCodes new_codes(used.size());
  for (DomainId d = 0; d < used.size(); ++d) {
    Code next = 0;
    for (const bool is_used : used[d]) new_codes[d].push_back(is_used ? next++ : kNoCode);
    if (all(used[d])) continue;
    Dictionary& dictionary = DataAccess::dictionary(database, d);
    dictionary = with_constants(dictionary, used[d]);
  }
  for (PredicateId p = 0; p < database.predicates().size(); ++p) {
    const Predicate& predicate = database.predicates()[p];
    renumber(DataAccess::relation(database, p), predicate, new_codes);
    renumber(DataAccess::potentials(database, p), predicate, new_codes);
  }
  return new_codes;
}

std::vector<std::size_t> num_constants(const Database& database) {
  std::vector<std::size_t> result;
  for (DomainId d = 0; d < database.num_domains(); ++d) {
    result.push_back(database.dictionary(d).size());
  }
  return result;
}

void forget_later_constants(Database& database, std::span<const std::size_t> num_constants) {
  for (DomainId d = 0; d < num_constants.size(); ++d) {
    Dictionary& dictionary = DataAccess::dictionary(database, d);
    if (dictionary.size() == num_constants[d]) continue;
    dictionary = with_constants(dictionary, std::vector<bool>(num_constants[d], true));
  }
}

}  // namespace sorites
