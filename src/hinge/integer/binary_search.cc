#include "hinge/integer/binary_search.h"

#include <algorithm>
#include <cmath>

#include "hinge/integer/binary_bound.h"
#include "hinge/integer/binary_domains.h"
#include "hinge/integer/mixed_program.h"

namespace sorites {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Passes over all rows before the search, of which most end sooner, and what they must gain of the
// largest cost.
constexpr int kRootPasses = 40;
constexpr double kLeastGain = 1e-3;
constexpr std::uint64_t kWorkPerNode = 16;     // beside the entries that it looks at
constexpr std::uint64_t kWatchPeriod = 64;     // nodes between two looks at the clock
constexpr std::uint64_t kRefreshPeriod = 256;  // nodes between two sums without rounding errors

class BinarySearch {
 public:
  BinarySearch(const BinaryPart& part, const BinaryLimits& limits, const Deadline& deadline)
      : part_(part), limits_(limits), deadline_(deadline), domains_(part), bound_(part, domains_) {
    for (const double c : part.cost) size_ = std::max(size_, std::abs(c));
    for (const BinaryPiece& piece : part.pieces) size_ = std::max(size_, piece.slope);
    std::vector<char> has_price(part.num_variables(), 0);
    for (std::size_t i = 0; i < part.num_variables(); ++i)
      has_price[i] = part.cost[i] != 0.0 ? 1 : 0;
    for (const BinaryRow& row : part.rows) {
      if (row.is_hard()) continue;
      for (const RowEntry& entry : part.entries_of(row)) has_price[entry.variable] = 1;
    }
    for (std::uint32_t i = 0; i < part.num_variables(); ++i) {
      if (has_price[i] != 0) priced_.push_back(i);
      floor_ += std::min(part.cost[i], 0.0);
    }
    // The bound knows what the bounds of the part have fixed.
    for (const std::uint32_t i : domains_.trail()) floor_ += regret(i);
    num_counted_ = domains_.num_fixed();
  }

  void try_state(std::span<const char> state);
  BinaryResult run();

 private:
  struct Decision {
    std::uint32_t variable = 0;
    int value = 0;
    std::size_t num_fixed = 0;  // before it
  };
  struct Choice {
    std::uint32_t variable = 0;
    int value = 0;
    bool is_needed = false;
  };

  double cutoff() const { return result_.objective - limits_.tolerance; }
  // By the dual bound, or by the costs of what is fixed: where all that costs is fixed, these are
  // all there is, while multipliers may still see a difference between states that are equally
  // good.
  bool is_pruned() const { return std::max(bound_.value(), floor_) >= cutoff(); }
  double regret(std::uint32_t variable) const;
  void count_fixed();
  bool deduce();
  bool fix_by_cost();
  void ascend_touched(std::size_t num_fixed);
  bool descend();
  bool backtrack();
  bool is_over();
  void undo(std::size_t num_fixed);
  void take_preferred();
  bool is_settled_by_preferred();
  Choice choose();
  Choice choose_in(const BinaryRow& row) const;

  const BinaryPart& part_;
  const BinaryLimits& limits_;
  const Deadline& deadline_;
  BinaryDomains domains_;
  BinaryBound bound_;
  double size_ = 0.0;            // the largest cost
  double floor_ = 0.0;           // the costs of what is fixed, and the least of what is free
  std::size_t num_counted_ = 0;  // of the trail: those that the bound knows
  std::vector<Decision> decisions_;
  std::vector<std::uint32_t> priced_;   // variables with a cost, or in soft rows
  std::vector<std::uint32_t> touched_;  // scratch: rows
  BinaryResult result_;
  std::uint64_t work_ = 0;
};

void BinarySearch::try_state(std::span<const char> state) {
  double objective = 0.0;
  for (std::size_t i = 0; i < state.size(); ++i) objective += state[i] != 0 ? part_.cost[i] : 0.0;
  for (const BinaryRow& row : part_.rows) {
    double residual = row.offset;
    for (const auto& [i, a] : part_.entries_of(row)) residual += state[i] != 0 ? a : 0.0;
    if (!row.is_hard()) {
      objective += cost_of(part_.pieces_of(row), residual);
    } else if (residual > kFeasible || (row.is_equality && residual < -kFeasible)) {
      return;
    }
  }
  if (objective >= result_.objective) return;
  result_.objective = objective;
  result_.state.assign(state.begin(), state.end());
}

void BinarySearch::take_preferred() {
  std::vector<char> state(part_.num_variables());
  for (std::uint32_t i = 0; i < state.size(); ++i) {
    state[i] = static_cast<char>(bound_.preferred(i));
  }
  try_state(state);
}

// What the value of a fixed variable costs more than its other.
double BinarySearch::regret(std::uint32_t i) const {
  const double cost = part_.cost[i];
  return (domains_.value(i) == 1 ? cost : 0.0) - std::min(cost, 0.0);
}

void BinarySearch::count_fixed() {
  const auto fixed = domains_.trail().subspan(num_counted_);
  bound_.fixed(fixed);
  for (const std::uint32_t i : fixed) floor_ += regret(i);
  num_counted_ = domains_.num_fixed();
}

// Propagation and the bound in turn, until they find nothing more. False if nothing is left.
bool BinarySearch::deduce() {
  const std::size_t before = num_counted_;
  while (true) {
    if (!domains_.propagate()) return false;
    count_fixed();
    if (is_pruned()) return false;
    if (fix_by_cost()) continue;
    break;
  }
  if (decisions_.empty() || num_counted_ == before) return true;
  ascend_touched(before);
  if (is_pruned()) return false;
  return !fix_by_cost() || deduce();
}

bool BinarySearch::fix_by_cost() {
  if (result_.objective == kInfinity) return false;
  const double room = cutoff() - bound_.value();
  const std::size_t before = domains_.num_fixed();
  for (std::uint32_t i = 0; i < part_.num_variables(); ++i) {
    if (domains_.is_fixed(i) || std::abs(bound_.reduced_cost(i)) < room) continue;
    domains_.fix(i, bound_.preferred(i));
  }
  work_ += part_.num_variables();
  return domains_.num_fixed() > before;
}

// One step along each multiplier whose row lost variables since `num_fixed`.
void BinarySearch::ascend_touched(std::size_t num_fixed) {
  touched_.clear();
  for (const std::uint32_t i : domains_.trail().subspan(num_fixed)) {
    for (const ColumnEntry& entry : part_.column_of(i)) {
      if (domains_.num_free(entry.row) > 0) touched_.push_back(entry.row);
    }
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const std::uint32_t r : touched_) {
    bound_.ascend(r);
    work_ += std::uint64_t{2} * part_.rows[r].width();
  }
}

// Takes the state that all variables prefer if it keeps the hard rows. True if nothing below this
// node can be better.
bool BinarySearch::is_settled_by_preferred() {
  double all = 0.0;
  for (std::uint32_t r = 0; r < part_.rows.size() && all < kInfinity; ++r) {
    all += bound_.missing(r);
  }
  work_ += part_.entries.size();
  if (all == kInfinity) return false;
  take_preferred();
  return bound_.value() >= cutoff();
}

// First those that have a price, the surest ones first: most of their other values are soon too
// dear. Then a hard row with the fewest free variables, of those that may still break.
BinarySearch::Choice BinarySearch::choose() {
  std::uint32_t surest = kNone;
  double most = -1.0;
  for (const std::uint32_t i : priced_) {
    const double size = std::abs(bound_.reduced_cost(i));
    if (domains_.is_fixed(i) || size <= most) continue;
    most = size;
    surest = i;
  }
  work_ += priced_.size();
  if (surest != kNone) return {surest, bound_.preferred(surest), true};
  std::uint32_t tightest = kNone, fewest = kNone;
  for (std::uint32_t r = 0; r < part_.rows.size(); ++r) {
    const BinaryRow& row = part_.rows[r];
    if (!row.is_hard() || domains_.num_free(r) == 0 || domains_.num_free(r) >= fewest) continue;
    const bool may_break =
        domains_.most(r) > kFeasible || (row.is_equality && domains_.least(r) < -kFeasible);
    if (!may_break) continue;
    fewest = domains_.num_free(r);
    tightest = r;
  }
  work_ += part_.rows.size();
  if (tightest != kNone) return choose_in(part_.rows[tightest]);
  take_preferred();
  return {};
}

// The value that costs least of those that bring the residual of a row down.
BinarySearch::Choice BinarySearch::choose_in(const BinaryRow& row) const {
  Choice choice;
  double best = kInfinity;
  for (const auto& [i, a] : part_.entries_of(row)) {
    if (domains_.is_fixed(i)) continue;
    const bool takes_one = row.is_equality || a < 0.0;
    const double cost = takes_one ? bound_.reduced_cost(i) : -bound_.reduced_cost(i);
    if (cost >= best) continue;
    best = cost;
    choice = {i, takes_one ? 1 : 0, true};
  }
  return choice;
}

void BinarySearch::undo(std::size_t num_fixed) {
  if (num_counted_ > num_fixed) {
    const auto freed = domains_.trail().subspan(num_fixed, num_counted_ - num_fixed);
    bound_.freed(freed);
    for (const std::uint32_t i : freed) floor_ -= regret(i);
    num_counted_ = num_fixed;
  }
  domains_.undo(num_fixed);
}

// Takes the other value of the last decision that has one. False if there is none.
bool BinarySearch::backtrack() {
  while (!decisions_.empty()) {
    const Decision last = decisions_.back();
    decisions_.pop_back();
    undo(last.num_fixed);
    domains_.fix(last.variable, 1 - last.value);
    if (deduce()) return true;
  }
  return false;
}

// One decision deeper, or back to where another is left. False if none is.
bool BinarySearch::descend() {
  const Choice choice = choose();
  if (!choice.is_needed) return backtrack();
  ++result_.nodes;
  work_ += kWorkPerNode;
  decisions_.push_back({choice.variable, choice.value, domains_.num_fixed()});
  domains_.fix(choice.variable, choice.value);
  return deduce() || backtrack();
}

bool BinarySearch::is_over() {
  if (result_.nodes % kRefreshPeriod == 0) bound_.refresh();
  if (result_.nodes % kWatchPeriod == 0 && deadline_.passed()) {
    result_.status = BinaryStatus::kStopped;
    return true;
  }
  const auto limit = limit_reached(limits_, result_.nodes, work_ + domains_.work());
  result_.status = limit.value_or(result_.status);
  return limit.has_value();
}

BinaryResult BinarySearch::run() {
  bool is_open = deduce();
  if (is_open) {
    bound_.ascend_all(kRootPasses, kLeastGain * size_, cutoff());
    work_ += static_cast<std::uint64_t>(part_.entries.size());
    is_open = !is_pruned() && !is_settled_by_preferred();
  }
  const double root = bound_.value();
  while (is_open) {
    is_open = descend();
    if (is_open && is_over()) break;
  }
  conclude(is_open, root, limits_, result_);
  return std::move(result_);
}

}  // namespace

BinaryResult search_binary(const BinaryPart& part,
                           std::span<const char> start,
                           const BinaryLimits& limits,
                           const Deadline& deadline) {
  BinarySearch search(part, limits, deadline);
  if (!start.empty()) search.try_state(start);
  return search.run();
}

}  // namespace sorites
