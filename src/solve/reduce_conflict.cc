#include "solve/reduce_conflict.h"

#include <algorithm>

#include "solve/elastic_program.h"
#include "solve/propagation.h"

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

  // Without this row of the result, a state is known that keeps all others.
  bool is_needed(std::uint32_t row) const { return is_needed_[row] != 0; }

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

// Lets rows go one by one, for good if the others still contradict each other.
class DeletionFilter {
 public:
  DeletionFilter(std::span<const HardRow> all_rows,
                 std::span<const std::uint32_t> rows,
                 std::vector<char> is_needed,
                 WatchedDeadline& deadline)
      : program_(
            all_rows,
            rows,
            [](AtomId) {
              return ElasticProgram::Bounds{0.0, 1.0};
            },
            deadline),
        is_needed_(std::move(is_needed)),
        is_gone_(rows.size(), 0) {}

  // False if it did not come to the end.
  bool run() {
    if (!program_.solve() || !program_.is_contradictory()) return false;
    drop_idle();
    for (std::size_t i = 0; i < is_gone_.size(); ++i) {
      if (is_gone_[i] != 0 || is_needed_[i] != 0) continue;
      program_.let_go(i);
      if (!program_.solve()) return false;
      if (program_.is_contradictory()) {
        is_gone_[i] = 1;
        drop_idle();
      } else {
        is_needed_[i] = 1;
        program_.take_back(i);
      }
    }
    return true;
  }

  bool is_gone(std::size_t i) const { return is_gone_[i] != 0; }

 private:
  // The rows with multipliers contradict each other without the rest.
  void drop_idle() {
    for (std::size_t i = 0; i < is_gone_.size(); ++i) {
      if (is_gone_[i] != 0 || is_needed_[i] != 0 || program_.has_multiplier(i)) continue;
      is_gone_[i] = 1;
      program_.let_go(i);
    }
  }

  ElasticProgram program_;
  std::vector<char> is_needed_, is_gone_;  // per row
};

}  // namespace

ReducedConflict reduce_conflict(std::span<const HardRow> all_rows,
                                std::vector<std::uint32_t> rows,
                                std::size_t num_atoms,
                                double seconds,
                                const std::stop_token& stop) {
  WatchedDeadline deadline{Deadline(seconds, stop)};
  std::vector<HardRow> own;
  for (const std::uint32_t r : rows) own.push_back(all_rows[r]);
  std::vector<std::uint32_t> numbers(own.size());
  for (std::uint32_t i = 0; i < own.size(); ++i) numbers[i] = i;

  std::vector<char> is_needed(own.size(), 0);
  Explanation explanation(own, num_atoms, deadline.deadline);
  if (explanation.contradicts(numbers)) {
    std::vector<std::uint32_t> fewer = explanation.explain(numbers);
    std::sort(fewer.begin(), fewer.end());
    if (explanation.contradicts(fewer)) {
      numbers = std::move(fewer);
      is_needed.clear();
      for (const std::uint32_t i : numbers) is_needed.push_back(explanation.is_needed(i) ? 1 : 0);
    }
  }
  ReducedConflict result;
  result.irreducible =
      std::all_of(is_needed.begin(), is_needed.end(), [](char n) { return n != 0; });
  if (!result.irreducible) {
    DeletionFilter filter(own, numbers, is_needed, deadline);
    result.irreducible = filter.run();
    std::vector<std::uint32_t> left;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (!filter.is_gone(i)) left.push_back(numbers[i]);
    }
    numbers = std::move(left);
  }
  for (const std::uint32_t i : numbers) result.rows.push_back(rows[i]);
  std::sort(result.rows.begin(), result.rows.end());
  return result;
}

}  // namespace sorites
