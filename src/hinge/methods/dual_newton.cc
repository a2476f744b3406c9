#include "hinge/methods/dual_newton.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sorites {
namespace {

// Figures of all constants here: docs/method/numbers.md, from addition_benchmark.
constexpr std::uint64_t kMostSteps = 100;
// s and t: a smaller s takes fewer centres, and more steps for each of them.
constexpr double kProximity = 0.03, kDualProximity = 1e-4;
// How far steps go before the centre moves, in terms of the gradient: the first centres need not be
// exact.
constexpr double kFirstTolerance = 1e-2, kTightening = 1e-2, kLastTolerance = 1e-9;

class DualNewton {
 public:
  DualNewton(const Problem& problem, const KktPattern& pattern, const PrimalDual& start)
      : problem_(problem),
        pattern_(pattern),
        num_variables_(problem.num_variables),
        factor_(pattern),
        x_(start.x),
        x_centre_(start.x),
        y_(start.multipliers),
        segment_(num_variables_, 0),
        slope_(num_variables_),
        slope_step_(num_variables_),
        diagonal_(pattern.size()),
        right_(pattern.size()),
        takes_part_(pattern.size()),
        offset_(problem.offset),
        softness_(problem.num_rows(), 0.0) {
    y_.insert(y_.end(), start.group_multipliers.begin(), start.group_multipliers.end());
    for (const RowBlock& block : problem.blocks) {
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        const double weight = problem.weight[r];
        domain_.push_back(domain_of(block.kind, weight));
        if (block.kind == TermKind::kSquaredHinge && weight > 0.0) softness_[r] = 0.5 / weight;
      }
    }
    for (const Group& group : problem.groups) {
      offset_.push_back(-group.total);
      softness_.push_back(0.0);
      domain_.push_back(domain_of(TermKind::kEqual, 0.0));
    }
    y_.resize(domain_.size(), 0.0);
    gradient_.resize(domain_.size());
    step_.resize(domain_.size());
    row_size_.resize(domain_.size(), 0);
    for (const KktPattern::Entry& entry : pattern.entries) ++row_size_[entry.row - num_variables_];
    recentre();
  }

  void recentre() {
    x_centre_ = x_;
    y_centre_ = y_;
    look();
  }

  // The largest entry of the gradient that y can follow.
  double residual() const {
    double largest = 0.0;
    for (std::size_t r = 0; r < y_.size(); ++r) {
      if (can_move(r)) largest = std::max(largest, std::abs(gradient_[r]));
    }
    return largest;
  }

  // Whether it went up.
  bool step() {
    solve_system();
    const double ascent = choose_step();
    if (!(ascent > 0.0) || !std::isfinite(ascent)) return false;
    const double length = length_of_step(ascent);
    for (std::size_t r = 0; r < y_.size(); ++r) {
      y_[r] = std::clamp(y_[r] + length * step_[r], domain_[r].low, domain_[r].high);
    }
    look();
    return true;
  }

  void read(PrimalDual& point) const {
    const auto groups = y_.begin() + static_cast<std::ptrdiff_t>(problem_.num_rows());
    point.x = x_;
    point.multipliers.assign(y_.begin(), groups);
    point.group_multipliers.assign(groups, y_.end());
  }

 private:
  bool can_move(std::size_t r) const {
    return gradient_[r] > 0.0 ? y_[r] < domain_[r].high : y_[r] > domain_[r].low;
  }

  // argmin over x_i of the proximal problem, where A'y is `slope`.
  Minimum minimum_of(std::size_t i, double slope) {
    return minimise(problem_.folded.of(i),
                    problem_.upper[i],
                    slope - kProximity * x_centre_[i],
                    kProximity,
                    segment_[i]);
  }

  // x and the gradient at y:  Ax + b - (phi*)'(y) - t (y - d).
  void look() {
    sum_slopes(y_, slope_);
    for (std::size_t i = 0; i < num_variables_; ++i) {
      const Minimum minimum = minimum_of(i, slope_[i]);
      x_[i] = minimum.x;
      takes_part_[i] = minimum.inverse_curvature > 0.0 ? 1 : 0;
      diagonal_[i] = problem_.folded.of(i)[segment_[i]].curvature + kProximity;
    }
    const KktPattern::Entry* entry = pattern_.entries.data();
    for (std::size_t r = 0; r < y_.size(); ++r) {
      double sum = own_gradient(r);
      for (const KktPattern::Entry* end = entry + row_size_[r]; entry != end; ++entry) {
        sum += entry->coefficient * x_[entry->variable];
      }
      gradient_[r] = sum;
    }
  }
  // A'y
  void sum_slopes(const std::vector<double>& y, std::vector<double>& slopes) const {
    std::fill(slopes.begin(), slopes.end(), 0.0);
    const KktPattern::Entry* entry = pattern_.entries.data();
    for (std::size_t r = 0; r < y.size(); ++r) {
      const double multiplier = y[r];
      for (const KktPattern::Entry* end = entry + row_size_[r]; entry != end; ++entry) {
        slopes[entry->variable] += entry->coefficient * multiplier;
      }
    }
  }
  // Without Ax.
  double own_gradient(std::size_t r) const {
    return offset_[r] - softness_[r] * y_[r] - kDualProximity * (y_[r] - y_centre_[r]);
  }

  // Newton's step of y goes to `right_`, with that of x, which is not used. A multiplier that is
  // about to reach the end of its domain goes there, and leaves the others alone: else it would cut
  // off their step.
  void solve_system() {
    constexpr double kNear = 1e-3;  // 1e-4 and 1e-2 take as long
    const double near = std::min(kNear, residual());
    std::fill(right_.begin(), right_.end(), 0.0);
    for (std::size_t r = 0; r < y_.size(); ++r) {
      const std::size_t unknown = num_variables_ + r;
      const double bound = gradient_[r] > 0.0 ? domain_[r].high : domain_[r].low;
      takes_part_[unknown] = std::abs(bound - y_[r]) > near ? 1 : 0;
      diagonal_[unknown] = -kDualProximity - softness_[r];
      right_[unknown] = takes_part_[unknown] != 0 ? -gradient_[r] : bound - y_[r];
    }
    factor_.factorise(diagonal_, takes_part_);
    factor_.solve(right_);
  }

  // Newton's step, cut off at the domains of multipliers: as much of it as leads upwards then, for
  // a short one always does (Bertsekas, "Projected Newton methods for optimization problems with
  // simple constraints", 1982). Returns the slope along it.
  double choose_step() {
    constexpr double kLeastDecrease = 0.1;  // 0.03 and 0.3 take as long
    constexpr int kMostCuts = 15;           // by four: to 1e-9 of the step, which leads nowhere
    double whole = 0.0;
    for (std::size_t r = 0; r < y_.size(); ++r) whole += gradient_[r] * right_[num_variables_ + r];
    double length = 1.0;
    for (int cuts = 0; cuts < kMostCuts; ++cuts, length /= 4.0) {
      double ascent = 0.0;
      for (std::size_t r = 0; r < y_.size(); ++r) {
        const double to = y_[r] + length * right_[num_variables_ + r];
        step_[r] = std::clamp(to, domain_[r].low, domain_[r].high) - y_[r];
        ascent += gradient_[r] * step_[r];
      }
      if (ascent >= kLeastDecrease * length * whole) return ascent;
    }
    return 0.0;
  }

  // The whole step, or about where the function is largest on it: where its slope, which falls, is
  // small beside `ascent`, that at the beginning.
  double length_of_step(double ascent) {
    constexpr int kMaxTrials = 30;  // halves of [0, 1] to 1e-9
    constexpr double kSmall = 0.1;  // a line search need not be exact: 0.03 and 0.3 take as long
    sum_slopes(step_, slope_step_);
    double at_start = 0.0, bend = 0.0;  // of the slope: of what does not depend on x
    for (std::size_t r = 0; r < y_.size(); ++r) {
      at_start += step_[r] * own_gradient(r);
      bend -= step_[r] * step_[r] * (softness_[r] + kDualProximity);
    }
    double length = 1.0, low = 0.0, high = 1.0;
    for (int trial = 0; trial < kMaxTrials; ++trial) {
      double slope = at_start + bend * length, change = bend;
      for (std::size_t i = 0; i < num_variables_; ++i) {
        if (slope_step_[i] == 0.0) continue;
        const Minimum minimum = minimum_of(i, slope_[i] + length * slope_step_[i]);
        slope += slope_step_[i] * minimum.x;
        change -= slope_step_[i] * slope_step_[i] * minimum.inverse_curvature;
      }
      if (slope >= -kSmall * ascent && (slope <= kSmall * ascent || length == 1.0)) break;
      (slope > 0.0 ? low : high) = length;
      const double newton = length - slope / change;
      length = newton > low && newton < high ? newton : 0.5 * (low + high);
    }
    return length;
  }

  const Problem& problem_;
  const KktPattern& pattern_;
  std::size_t num_variables_;
  KktFactor factor_;
  std::vector<double> x_, x_centre_;        // per variable
  std::vector<double> y_, y_centre_;        // per row, then per group
  std::vector<std::uint32_t> segment_;      // per variable: that x is in
  std::vector<double> slope_, slope_step_;  // per variable: A'y, and how it changes with the step
  std::vector<double> diagonal_, right_;    // per unknown
  std::vector<char> takes_part_;            // per unknown
  std::vector<double> offset_, softness_;   // per row and group: b, second derivative of phi*
  std::vector<Interval> domain_;            // per row and group
  std::vector<std::size_t> row_size_;       // per row and group: its entries
  std::vector<double> gradient_, step_;     // per row and group
};

}  // namespace

SolverResult solve_dual_newton(const Problem& problem,
                               const KktPattern& pattern,
                               PrimalDual start,
                               const SolveOptions& options,
                               ThreadPool& pool) {
  StoppingRule rule(problem, options, kDualNewtonName, pool);
  SolverResult result;
  DualNewton newton(problem, pattern, start);
  result.point = std::move(start);
  const std::uint64_t limit =
      options.max_iterations > 0 ? std::min(options.max_iterations, kMostSteps) : kMostSteps;
  double tolerance = kFirstTolerance;
  for (std::uint64_t centres = 0;; ++centres) {
    bool gets_on = true;
    while (gets_on && result.iterations < limit && newton.residual() > tolerance) {
      ++result.iterations;
      gets_on = newton.step();
    }
    newton.read(result.point);
    const auto status = rule.check(result.point, result.iterations);
    result.bounds = rule.bounds();
    if (status) result.status = *status;
    if (status || !gets_on || result.iterations >= limit || centres >= limit) return result;
    newton.recentre();
    tolerance = std::max(kLastTolerance, kTightening * tolerance);
  }
}

}  // namespace sorites
