#include "hinge/methods/active_set.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sorites {
namespace {

// Figures of all constants here: docs/method/numbers.md, from addition_benchmark. Only patience and
// the most changes matter: what does not settle soon is better left to dual_newton.cc.
constexpr std::uint64_t kMaxSteps = 40;
// Systems may be singular: variables without curvature, rows that follow from others. So unknowns
// are pulled to a centre, which becomes the solution once the active set has settled (the proximal
// method of multipliers).
constexpr double kProximity = 1e-4;
constexpr int kMaxRefinements = 6;
// How a residual counts against a multiplier in the first guess of what holds a row or variable.
constexpr double kPenalty = 10.0;
// Steps without fewer changes, and changes in one step, that tell that active sets go round.
constexpr int kPatience = 3;
constexpr std::size_t kMostChanges = 60;
constexpr double kRounding =
    1e-12;  // of residuals and slopes around 1: 4,000 units in the last place

// What holds an unknown. Of a variable, `piece` is the segment that it is in if it is free, else
// the kink that holds it: the start of that segment, or the upper bound. Of a row it is a RowPiece.
struct Hold {
  std::uint32_t piece = 0;
  bool is_free = false;  // a part of the system

  bool operator==(const Hold&) const = default;
};
enum RowPiece : std::uint32_t { kFlat, kStraight, kKink, kBent };
constexpr Hold kRowFlat{kFlat, false}, kRowStraight{kStraight, false};
constexpr Hold kRowHeld{kKink, true}, kRowBent{kBent, true};

class ActiveSet {
 public:
  ActiveSet(const Problem& problem, const KktPattern& pattern, const PrimalDual& start)
      : problem_(problem),
        pattern_(pattern),
        factor_(pattern),
        first_group_(problem.num_variables + problem.num_rows()),
        point_(start.x),
        diagonal_(pattern.size(), 0.0),
        constant_(pattern.size(), 0.0),
        right_(pattern.size()),
        takes_part_(pattern.size(), 0),
        holds_(pattern.size(), kRowHeld),
        residual_(pattern.size() - problem.num_variables, 0.0),
        gradient_(problem.num_variables) {
    point_.insert(point_.end(), start.multipliers.begin(), start.multipliers.end());
    point_.insert(point_.end(), start.group_multipliers.begin(), start.group_multipliers.end());
    point_.resize(pattern.size(), 0.0);
    centre_ = point_;
    guess();
  }

  // Solves the system of the active set.
  void step() {
    fill();
    factor_.factorise(diagonal_, takes_part_);
    solve();
  }
  // Solves it once more, around its solution.
  void refine() {
    centre_ = point_;
    solve();
  }

  // Changes the active set to what holds at the point; whether there is anything to change.
  bool change() {
    sum_entries();
    changes_.clear();
    for (std::size_t i = 0; i < problem_.num_variables; ++i) propose(i, next_of_variable(i));
    for (const RowBlock& block : problem_.blocks) {
      if (block.kind == TermKind::kEqual) continue;
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        propose(problem_.num_variables + r, next_of_row(block.kind, r));
      }
    }
    if (changes_.empty() || changes_.size() < fewest_) {
      fewest_ = changes_.empty() ? ~std::size_t{0} : changes_.size();
      patience_ = kPatience;
    } else {
      --patience_;
    }
    for (const Change& change : changes_) holds_[change.unknown] = change.to;
    return !changes_.empty();
  }

  // Whether there is any hope: changes have become fewer of late.
  bool gets_on() const { return patience_ > 0 && changes_.size() <= kMostChanges && is_finite(); }

  bool is_finite() const {
    return std::all_of(point_.begin(), point_.end(), [](double x) { return std::isfinite(x); });
  }

  // The point within bounds and domains.
  void read(PrimalDual& point) const {
    for (std::size_t i = 0; i < problem_.num_variables; ++i) {
      point.x[i] = std::clamp(point_[i], problem_.lower[i], problem_.upper[i]);
    }
    for (const RowBlock& block : problem_.blocks) {
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        const Interval domain = domain_of(block.kind, problem_.weight[r]);
        point.multipliers[r] =
            std::clamp(point_[problem_.num_variables + r], domain.low, domain.high);
      }
    }
    point.group_multipliers.assign(point_.begin() + static_cast<std::ptrdiff_t>(first_group_),
                                   point_.end());
  }

 private:
  struct Change {
    std::size_t unknown;
    Hold to;
  };

  void propose(std::size_t unknown, Hold to) {
    if (to != holds_[unknown]) changes_.push_back({unknown, to});
  }

  // Residuals and A'mu at the point.
  void sum_entries() {
    std::copy(problem_.offset.begin(), problem_.offset.end(), residual_.begin());
    std::fill(gradient_.begin(), gradient_.end(), 0.0);
    for (const KktPattern::Entry& entry : pattern_.entries) {
      residual_[entry.row - problem_.num_variables] += entry.coefficient * point_[entry.variable];
      gradient_[entry.variable] += entry.coefficient * point_[entry.row];
    }
  }

  // The first active set: where proximal steps from the start end. Groups are always held.
  void guess() {
    sum_entries();
    for (const RowBlock& block : problem_.blocks) {
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        holds_[problem_.num_variables + r] = guess_of_row(block.kind, r);
      }
    }
    for (std::size_t i = 0; i < problem_.num_variables; ++i) {
      std::uint32_t segment = 0;
      const auto segments = problem_.folded.of(i);
      const double linear = gradient_[i] - kPenalty * point_[i];
      const Minimum near = minimise(segments, problem_.upper[i], linear, kPenalty, segment);
      const bool is_free = near.inverse_curvature > 0.0;
      const bool at_end = !is_free && near.x > segments[segment].start;
      holds_[i] = {segment + (at_end ? 1U : 0U), is_free};
    }
  }

  Hold guess_of_row(TermKind kind, std::size_t r) const {
    const double weight = problem_.weight[r];
    const double at = point_[problem_.num_variables + r] + kPenalty * residual_[r];
    switch (kind) {
      case TermKind::kHinge:
        if (at <= 0.0 || weight <= 0.0) return kRowFlat;
        return at >= weight ? kRowStraight : kRowHeld;
      case TermKind::kSquaredHinge:
        return residual_[r] > 0.0 && weight > 0.0 ? kRowBent : kRowFlat;
      case TermKind::kAtMost:
        return at > 0.0 ? kRowHeld : kRowFlat;
      case TermKind::kEqual:
        break;
    }
    return kRowHeld;
  }

  // Only to what is next to it: that keeps changes few.
  Hold next_of_row(TermKind kind, std::size_t r) const {
    const Hold hold = holds_[problem_.num_variables + r];
    const double mu = point_[problem_.num_variables + r], weight = problem_.weight[r];
    switch (hold.piece) {
      case kFlat:
        if (residual_[r] <= kRounding || (!is_hard(kind) && weight <= 0.0)) return hold;
        return kind == TermKind::kSquaredHinge ? kRowBent : kRowHeld;
      case kStraight:
        return residual_[r] < -kRounding ? kRowHeld : hold;
      default:
        if (mu < -kRounding) return kRowFlat;
        return kind == TermKind::kHinge && mu > weight + kRounding ? kRowStraight : hold;
    }
  }

  Hold next_of_variable(std::size_t i) const {
    const auto segments = problem_.folded.of(i);
    const double x = point_[i], g = gradient_[i];
    auto [piece, is_free] = holds_[i];
    if (!is_free) {
      if (problem_.upper[i] <= problem_.lower[i]) return {piece, false};
      if (piece > 0 && segments[piece - 1].derivative(x) + g > kRounding) return {piece - 1, true};
      const bool leaves_up =
          piece < segments.size() && segments[piece].derivative(x) + g < -kRounding;
      return {piece, leaves_up};
    }
    while (x < segments[piece].start - kRounding) {
      if (piece == 0 || bends_sharply(segments, piece)) return {piece, false};
      --piece;
    }
    while (x > (piece + 1 < segments.size() ? segments[piece + 1].start : problem_.upper[i]) +
                   kRounding) {
      ++piece;
      if (piece == segments.size() || bends_sharply(segments, piece)) return {piece, false};
    }
    return {piece, true};
  }

  // Whether the slope jumps at the start of a segment.
  static bool bends_sharply(std::span<const Segment> segments, std::uint32_t k) {
    const double x = segments[k].start;
    return segments[k].derivative(x) - segments[k - 1].derivative(x) > kRounding;
  }

  // The equation of a free unknown is  diagonal unknown + entries + constant = 0,  that of another
  // unknown = constant.
  void fill() {
    for (std::size_t u = 0; u < holds_.size(); ++u) takes_part_[u] = holds_[u].is_free ? 1 : 0;
    for (std::size_t i = 0; i < problem_.num_variables; ++i) {
      const auto segments = problem_.folded.of(i);
      const auto [piece, is_free] = holds_[i];
      if (is_free) {
        diagonal_[i] = segments[piece].curvature + kProximity;
        constant_[i] = segments[piece].slope;
      } else {
        constant_[i] = piece < segments.size() ? segments[piece].start : problem_.upper[i];
      }
    }
    for (std::size_t r = 0; r < problem_.num_rows(); ++r) {
      const std::size_t u = problem_.num_variables + r;
      const double weight = problem_.weight[r];
      const std::uint32_t piece = holds_[u].piece;
      diagonal_[u] = -kProximity - (piece == kBent ? 0.5 / weight : 0.0);
      constant_[u] = piece == kFlat ? 0.0 : piece == kStraight ? weight : problem_.offset[r];
    }
    for (std::size_t g = 0; g < problem_.groups.size(); ++g) {
      diagonal_[first_group_ + g] = -kProximity;
      constant_[first_group_ + g] = -problem_.groups[g].total;
    }
  }

  void solve() {
    for (std::size_t u = 0; u < point_.size(); ++u) {
      const double proximity = u < problem_.num_variables ? kProximity : -kProximity;
      right_[u] = takes_part_[u] != 0 ? proximity * centre_[u] - constant_[u] : constant_[u];
    }
    // Unknowns that are not free are known: they go to the right side.
    for (const KktPattern::Entry& entry : pattern_.entries) {
      const bool has_variable = takes_part_[entry.variable] != 0;
      if (has_variable == (takes_part_[entry.row] != 0)) continue;
      if (has_variable) {
        right_[entry.variable] -= entry.coefficient * constant_[entry.row];
      } else {
        right_[entry.row] -= entry.coefficient * constant_[entry.variable];
      }
    }
    factor_.solve(right_);
    point_.swap(right_);
  }

  const Problem& problem_;
  const KktPattern& pattern_;
  KktFactor factor_;
  std::size_t first_group_;             // unknown
  std::vector<double> point_, centre_;  // per unknown
  std::vector<double> diagonal_, constant_, right_;
  std::vector<char> takes_part_;
  std::vector<Hold> holds_;
  std::vector<Change> changes_;
  std::vector<double> residual_;  // per row; those of groups are not used
  std::vector<double> gradient_;  // per variable: A'mu
  std::size_t fewest_ = ~std::size_t{0};
  int patience_ = kPatience;
};

}  // namespace

SolverResult solve_active_set(const Problem& problem,
                              const KktPattern& pattern,
                              PrimalDual start,
                              const SolveOptions& options,
                              ThreadPool& pool) {
  StoppingRule rule(problem, options, kActiveSetName, pool);
  SolverResult result;
  ActiveSet set(problem, pattern, start);
  result.point = std::move(start);
  const std::uint64_t limit =
      options.max_iterations > 0 ? std::min(options.max_iterations, kMaxSteps) : kMaxSteps;
  const auto check = [&] {
    if (set.is_finite()) set.read(result.point);
    const auto status = rule.check(result.point, result.iterations);
    if (status) result.status = *status;
    return status.has_value();
  };
  bool has_settled = false, is_done = false;
  for (int refinements = 0; !is_done && result.iterations < limit && set.gets_on();) {
    ++result.iterations;
    if (has_settled) {
      set.refine();
      is_done = check() || ++refinements == kMaxRefinements;
    } else {
      set.step();
    }
    has_settled = is_done || !set.change();
  }
  if (!is_done) check();
  result.bounds = rule.bounds();
  return result;
}

}  // namespace sorites
