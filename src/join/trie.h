// Sorted indexes over relations.
//
// A trie holds the rows of a relation sorted by some order of its columns: level 0 is the first of
// them. The rows that agree on the first l levels are a range of positions, and going down one
// level means to find a code within that range. Joins walk down several tries at once (join.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <tuple>
#include <vector>

#include "base/thread_pool.h"
#include "sorites/database.h"

namespace sorites {

// Positions [begin, end) of a trie.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool empty() const { return begin >= end; }
  std::uint32_t size() const { return end - begin; }
};

// A row number counts the observed rows first, then the targets. kChanged are the atoms that an
// update adds or removes, which need not be in the database (update.cc).
enum class RowSet : std::uint8_t { kAll, kTargets, kObserved, kChanged };

// Which rows a trie holds: those of a set; of the observed ones, those with a value within limits.
struct RowChoice {
  RowChoice(RowSet rows = RowSet::kAll) : set(rows) {}  // NOLINT: a set is a choice without limits

  RowSet set;
  double above = -1.0, below = 2.0;  // what observed values must be; these admit all

  bool takes(double value) const { return value > above && value < below; }
  auto operator<=>(const RowChoice&) const = default;
};

class Trie {
 public:
  // `columns` is a permutation of the relation's columns. `num_codes` is per column: an upper bound
  // of its codes.
  Trie(const Relation& relation,
       RowChoice rows,
       const std::vector<std::uint32_t>& columns,
       const std::vector<std::size_t>& num_codes);

  std::size_t num_levels() const { return codes_.size(); }
  Range all() const { return {0, static_cast<std::uint32_t>(rows_.size())}; }
  const Code* codes(std::size_t level) const { return codes_[level].data(); }
  std::uint32_t row(std::uint32_t position) const { return rows_[position]; }
  // The value of an observed row at a position. Of relations with targets, which are looked at for
  // every binding, values stand in the order of positions.
  double value(std::uint32_t position) const {
    return values_.empty() ? (all_values_ == nullptr ? 1.0 : all_values_[rows_[position]])
                           : values_[position];
  }
  std::size_t num_distinct_first() const { return num_distinct_first_; }

  // The positions of `code` at `level` within `range`, whose rows agree on all levels before.
  Range find(std::size_t level, Range range, Code code) const;

  // The end of the run of equal codes at `level` that begins at `begin`.
  std::uint32_t run_end(std::size_t level, std::uint32_t begin, std::uint32_t end) const;

  std::size_t memory_bytes() const;

 private:
  void index_first_level(std::size_t num_codes);

  std::vector<std::vector<Code>> codes_;  // per level, per position
  std::vector<std::uint32_t> rows_;       // per position
  std::vector<double> values_;            // per position; may be empty
  const double* all_values_ = nullptr;    // per observed row; null while all are 1
  std::vector<std::uint32_t> first_;      // per code: its first position at level 0; may be empty
  std::size_t num_distinct_first_ = 0;
};

// The first position in [begin, end) whose code is not less than `code`. Looks near `begin` first,
// so that a sweep over ascending codes costs one step each.
std::uint32_t seek_far(const Code* codes, std::uint32_t begin, std::uint32_t end, Code code);
inline std::uint32_t seek(const Code* codes, std::uint32_t begin, std::uint32_t end, Code code) {
  constexpr std::uint32_t kNear = 4;  // steps that cost less than a call
  const std::uint32_t near = end - begin < kNear ? end : begin + kNear;
  while (begin < near && codes[begin] < code) ++begin;
  return begin < near || begin == end ? begin : seek_far(codes, begin, end, code);
}

// All tries of one grounding, each built once, when a plan asks for it.
class TrieStore {
 public:
  explicit TrieStore(const Database& database) : database_(database) {}
  // `changed` holds the changed atoms of some predicates.
  TrieStore(const Database& database, const std::map<PredicateId, Relation>& changed)
      : database_(database), changed_(&changed) {}

  const Trie& get(PredicateId predicate, RowChoice rows, const std::vector<std::uint32_t>& columns);
  // Says that a trie will be asked for, so that build_wanted() builds it along with others.
  void want(PredicateId predicate, RowChoice rows, const std::vector<std::uint32_t>& columns);
  void build_wanted(ThreadPool& pool, const std::stop_token& stop);
  std::size_t memory_bytes() const;

 private:
  using Key = std::tuple<PredicateId, RowChoice, std::vector<std::uint32_t>>;

  std::unique_ptr<Trie> build(const Key& key) const;
  const Relation& relation_of(const Key& key) const;

  const Database& database_;
  const std::map<PredicateId, Relation>* changed_ = nullptr;
  std::map<Key, std::unique_ptr<Trie>> tries_;  // null while only wanted
};

}  // namespace sorites
