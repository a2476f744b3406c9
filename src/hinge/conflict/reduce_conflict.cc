#include "hinge/conflict/reduce_conflict.h"

#include <algorithm>
#include <numeric>

#include "hinge/conflict/propagation.h"
#include "hinge/conflict/rotate_witness.h"
#include "hinge/conflict/verdict.h"

namespace sorites {
namespace {

// QuickXplain: with B the active rows, which of C are needed to contradict B? Halves are added and
// taken back along the recursion. If neighbours in C depend on each other, little follows from a
// half that did not before, and all of it costs about log |C| propagations of all rows.
class Explanation {
 public:
  Explanation(std::span<const HardRow> rows, std::size_t num_atoms, const Deadline& deadline)
      : deadline_(deadline), propagation_(rows, num_atoms, deadline), is_needed_(rows.size(), 0) {}

  std::vector<std::uint32_t> explain(std::span<const std::uint32_t> rows) {
    if (rows.size() <= 1) {
      for (const std::uint32_t row : rows) is_needed_[row] = others_can_hold() ? 1 : 0;
      return {rows.begin(), rows.end()};
    }
    if (deadline_.passed()) return {rows.begin(), rows.end()};
    const auto first = rows.first(rows.size() / 2), second = rows.subspan(rows.size() / 2);
    const Propagation::Mark mark = propagation_.mark();
    std::vector<std::uint32_t> needed;
    if (propagation_.add(first)) needed = explain(second);
    propagation_.undo(mark);
    if (needed.empty() || propagation_.add(needed)) {
      const std::vector<std::uint32_t> more = explain(first);
      needed.insert(needed.end(), more.begin(), more.end());
    }
    propagation_.undo(mark);
    return needed;
  }

  // Per row, of the result: without it, a state is known that keeps all others.
  const std::vector<char>& is_needed() const { return is_needed_; }

  bool contradicts(std::span<const std::uint32_t> rows) {
    const Propagation::Mark mark = propagation_.mark();
    const bool contradictory = !propagation_.add(rows);
    propagation_.undo(mark);
    return contradictory;
  }

 private:
  bool others_can_hold() const {
    return propagation_.num_broken_at_lower() == 0 || propagation_.num_broken_at_upper() == 0;
  }

  const Deadline& deadline_;
  Propagation propagation_;
  std::vector<char> is_needed_;  // per row
};

// Leaves rows out one by one: for good if the others still contradict each other.
class DeletionFilter {
 public:
  // `is_needed` tells which rows of `local` are known to be.
  DeletionFilter(const LocalRows& local,
                 std::vector<std::uint32_t> rows,
                 std::vector<char> is_needed,
                 WatchedDeadline& deadline)
      : all_(local),
        rows_(std::move(rows)),
        is_needed_(std::move(is_needed)),
        deadline_(deadline) {}

  // False if it did not come to the end.
  bool run() {
    const Verdict first = judge(local_rows(all_.rows, rows_), std::nullopt, deadline_);
    if (first.can_hold != false) return false;
    keep(first.conflict);
    while (const std::optional<bool> shrunk = pass()) {
      if (!*shrunk) return true;
    }
    return false;
  }

  const std::vector<std::uint32_t>& rows() const { return rows_; }

 private:
  // Tries rows until some go (true), or none is left to try (false). Nothing if time is up.
  std::optional<bool> pass() {
    const LocalRows local = local_rows(all_.rows, rows_);
    WitnessRotation rotation(local);
    std::vector<char> is_needed;
    for (const std::uint32_t r : rows_) is_needed.push_back(is_needed_[r]);
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      if (is_needed[i] != 0) continue;
      Verdict others = judge(local, i, deadline_);
      if (!others.can_hold) return std::nullopt;
      if (!*others.can_hold) {
        for (std::size_t k = 0; k < rows_.size(); ++k) is_needed_[rows_[k]] = is_needed[k];
        keep(others.conflict);
        return true;
      }
      rotation.mark_needed(std::move(others.state), i, is_needed);
    }
    return false;
  }

  void keep(const std::vector<std::uint32_t>& chosen) {
    std::vector<std::uint32_t> kept;
    kept.reserve(chosen.size());
    for (const std::uint32_t i : chosen) kept.push_back(rows_[i]);
    rows_ = std::move(kept);
  }

  const LocalRows& all_;
  std::vector<std::uint32_t> rows_;  // of `all_` that are left
  std::vector<char> is_needed_;      // per row of `all_`
  WatchedDeadline& deadline_;
};

}  // namespace

ReducedConflict reduce_conflict(std::span<const HardRow> all_rows,
                                std::span<const std::uint32_t> rows,
                                double seconds,
                                const std::stop_token& stop) {
  WatchedDeadline deadline{Deadline(seconds, stop)};
  const LocalRows local = local_rows(all_rows, rows);
  std::vector<std::uint32_t> numbers(rows.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::vector<char> is_needed(rows.size(), 0);
  Explanation explanation(local.rows, local.num_atoms, deadline.deadline);
  if (explanation.contradicts(numbers)) {
    std::vector<std::uint32_t> fewer = explanation.explain(numbers);
    std::sort(fewer.begin(), fewer.end());
    if (explanation.contradicts(fewer)) {
      numbers = std::move(fewer);
      is_needed = explanation.is_needed();
    }
  }
  ReducedConflict result;
  result.irreducible = std::all_of(
      numbers.begin(), numbers.end(), [&](std::uint32_t i) { return is_needed[i] != 0; });
  if (!result.irreducible) {
    DeletionFilter filter(local, numbers, is_needed, deadline);
    result.irreducible = filter.run();
    numbers = filter.rows();
  }
  for (const std::uint32_t i : numbers) result.rows.push_back(rows[i]);
  std::sort(result.rows.begin(), result.rows.end());
  return result;
}

}  // namespace sorites
