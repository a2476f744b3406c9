#include "join/trie.h"

#include <algorithm>
#include <numeric>

namespace sorites {
namespace {

// The code of a row in a column, over observed and target rows together.
struct ColumnView {
  const std::vector<Code>* observed;
  const std::vector<Code>* target;

  Code operator[](std::uint32_t row) const {
    return row < observed->size() ? (*observed)[row] : (*target)[row - observed->size()];
  }
};

// Arrays over codes pay where codes are dense: 32 bytes per row at most, or so few that they do not
// matter.
bool are_dense(std::size_t num_codes, std::size_t num_rows) {
  constexpr std::size_t kMostPerRow = 8, kFew = 1024;  // of 4 bytes
  return num_codes <= kMostPerRow * num_rows + kFew;
}

// Sorts rows by their codes in one column, keeping the order of equal ones: counting sort where
// codes are dense enough, comparison sort where they are not.
void sort_by_column(std::vector<std::uint32_t>& rows,
                    const ColumnView& column,
                    std::size_t num_codes) {
  const auto less = [&](std::uint32_t a, std::uint32_t b) { return column[a] < column[b]; };
  if (std::is_sorted(rows.begin(), rows.end(), less)) return;
  if (!are_dense(num_codes, rows.size())) {
    std::stable_sort(rows.begin(), rows.end(), less);
    return;
  }
  std::vector<std::uint32_t> next(num_codes + 1, 0);
  for (const std::uint32_t row : rows) ++next[column[row] + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> sorted(rows.size());
  for (const std::uint32_t row : rows) sorted[next[column[row]]++] = row;
  rows.swap(sorted);
}

// The chosen rows of a relation, ascending.
std::vector<std::uint32_t> rows_of(const Relation& relation, const RowChoice& choice) {
  const Table& observed = relation.table(Partition::kObserved);
  const auto num_observed = static_cast<std::uint32_t>(observed.num_rows);
  const auto end =
      num_observed + static_cast<std::uint32_t>(relation.table(Partition::kTarget).num_rows);
  const std::uint32_t first = choice.set == RowSet::kTargets ? num_observed : 0;
  std::vector<std::uint32_t> rows((choice.set == RowSet::kObserved ? num_observed : end) - first);
  std::iota(rows.begin(), rows.end(), first);
  if (choice.takes(0.0) && choice.takes(1.0)) return rows;  // all values
  std::erase_if(rows, [&](std::uint32_t row) {
    return row < num_observed && !choice.takes(observed.value(row));
  });
  return rows;
}

}  // namespace

std::uint32_t seek_far(const Code* codes, std::uint32_t begin, std::uint32_t end, Code code) {
  std::uint64_t step = 1;
  std::uint64_t low = begin;
  while (low < end && codes[low] < code) {
    begin = static_cast<std::uint32_t>(low) + 1;
    low += step;
    step *= 2;
  }
  return static_cast<std::uint32_t>(
      std::lower_bound(codes + begin, codes + std::min<std::uint64_t>(low, end), code) - codes);
}

Trie::Trie(const Relation& relation,
           RowChoice choice,
           const std::vector<std::uint32_t>& columns,
           const std::vector<std::size_t>& num_codes)
    : rows_(rows_of(relation, choice)) {
  const Table& observed = relation.table(Partition::kObserved);
  const Table& target = relation.table(Partition::kTarget);
  const auto column_view = [&](std::uint32_t column) {
    return ColumnView{&observed.columns[column], &target.columns[column]};
  };
  for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
    sort_by_column(rows_, column_view(*column), num_codes[*column]);
  }
  codes_.resize(columns.size());
  for (std::size_t level = 0; level < columns.size(); ++level) {
    const ColumnView column = column_view(columns[level]);
    codes_[level].resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) codes_[level][i] = column[rows_[i]];
  }
  if (!observed.values.empty()) all_values_ = observed.values.data();
  if (all_values_ != nullptr && target.num_rows > 0) {
    values_.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i] < observed.num_rows) values_[i] = all_values_[rows_[i]];
    }
  }
  if (!columns.empty()) index_first_level(num_codes[columns[0]]);
}

void Trie::index_first_level(std::size_t num_codes) {
  const std::vector<Code>& codes = codes_[0];
  for (std::size_t i = 0; i < codes.size(); ++i) {
    num_distinct_first_ += i == 0 || codes[i] != codes[i - 1] ? 1 : 0;
  }
  if (!are_dense(num_codes, codes.size())) return;  // binary search is good enough
  first_.assign(num_codes + 1, 0);
  for (const Code code : codes) ++first_[code + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

Range Trie::find(std::size_t level, Range range, Code code) const {
  if (level == 0 && !first_.empty()) {
    if (code + 1 >= first_.size()) return {};
    return {first_[code], first_[code + 1]};
  }
  const Code* codes = codes_[level].data();
  const std::uint32_t begin = seek(codes, range.begin, range.end, code);
  if (begin == range.end || codes[begin] != code) return {};
  return {begin, run_end(level, begin, range.end)};
}

std::uint32_t Trie::run_end(std::size_t level, std::uint32_t begin, std::uint32_t end) const {
  if (level + 1 == codes_.size()) return begin + 1;  // rows differ
  const Code code = codes_[level][begin];
  if (level == 0 && !first_.empty()) return first_[code + 1];
  return seek(codes_[level].data(), begin + 1, end, code + 1);
}

std::size_t Trie::memory_bytes() const {
  std::size_t bytes = (rows_.capacity() + first_.capacity()) * sizeof(std::uint32_t);
  for (const auto& level : codes_) bytes += level.capacity() * sizeof(Code);
  bytes += values_.capacity() * sizeof(double);
  return bytes;
}

const Relation& TrieStore::relation_of(const Key& key) const {
  const auto& [predicate, rows, columns] = key;
  return rows.set == RowSet::kChanged ? changed_->at(predicate) : database_.relation(predicate);
}

std::unique_ptr<Trie> TrieStore::build(const Key& key) const {
  const auto& [predicate, rows, columns] = key;
  std::vector<std::size_t> num_codes;
  const Predicate& declared = database_.predicates()[predicate];
  for (std::size_t k = 0; k < declared.arity(); ++k) {
    num_codes.push_back(database_.dictionary(declared.domain(k)).size());
  }
  return std::make_unique<Trie>(relation_of(key), rows, columns, num_codes);
}

const Trie& TrieStore::get(PredicateId predicate,
                           RowChoice rows,
                           const std::vector<std::uint32_t>& columns) {
  const auto entry = tries_.try_emplace({predicate, rows, columns}).first;
  if (!entry->second) entry->second = build(entry->first);
  return *entry->second;
}

void TrieStore::want(PredicateId predicate,
                     RowChoice rows,
                     const std::vector<std::uint32_t>& columns) {
  tries_.try_emplace({predicate, rows, columns});
}

void TrieStore::build_wanted(ThreadPool& pool, const std::stop_token& stop) {
  std::vector<std::pair<const Key, std::unique_ptr<Trie>>*> wanted;
  for (auto& entry : tries_) {
    if (!entry.second) wanted.push_back(&entry);
  }
  const auto cost = [&](const Key& key) {
    const Relation& relation = relation_of(key);
    return (relation.table(Partition::kObserved).num_rows +
            relation.table(Partition::kTarget).num_rows) *
           std::get<2>(key).size();
  };
  // The largest first, so that no thread is left alone with one of them.
  std::stable_sort(wanted.begin(), wanted.end(), [&](const auto* a, const auto* b) {
    return cost(a->first) > cost(b->first);
  });
  pool.for_each(wanted.size(), [&](std::size_t i) {
    if (!stop.stop_requested()) wanted[i]->second = build(wanted[i]->first);
  });
}

std::size_t TrieStore::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [key, trie] : tries_) bytes += trie ? trie->memory_bytes() : 0;
  return bytes;
}

}  // namespace sorites
