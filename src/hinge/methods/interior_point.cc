#include "hinge/methods/interior_point.h"

#include <algorithm>
#include <cmath>

#include "hinge/methods/normal_matrix.h"

namespace sorites {
namespace {

// All figures: iterations to a gap of 1e-6 on twelve models, which take 7 to 25.
constexpr std::uint64_t kDefaultMaxIterations = 200;
// How much of the way to the boundary a step may go: 1.02 times as many with 0.99, as many with
// 0.999.
constexpr double kToBoundary = 0.995;
// Equalities are r = this times the multiplier's step, so that they fit into the same normal
// matrix. The same from 1e-11 to 1e-6; larger breaks them, smaller loses digits of the factor.
constexpr double kEqualityFlexibility = 1e-8;
// Of a first point: how far from bounds and kinks (1.11 with 0.02, 0.99 with 0.1), the multipliers
// of bounds (1.08 with half, 0.97 with double), and of hinges, as a part of the weight
// (1.03, 1.01).
constexpr double kInside = 0.05, kFirstBoundMultiplier = 0.1, kFirstShare = 0.1;
constexpr double kLeastMultiplier = 1e-8;  // positive for squared hinges without weight, too
// A variable whose bounds are closer is fixed: its step is divided by this, which is 0 for doubles.
constexpr double kFixedWidth = 1e-9, kFixed = 1e12;

// A potential or hard row: of the problem, or a kink of a folded function.
struct Term {
  TermKind kind = TermKind::kHinge;
  double weight = 0.0;
  double offset = 0.0;

  // Slacks: of s >= r, and of s >= 0 for a hinge. Both are positive, as is the multiplier (and
  // weight - multiplier for a hinge).
  double multiplier = 0.0, above_residual = 0.0, above_zero = 0.0;
  // The step is  d multiplier = scale dr + shift.
  double scale = 0.0, shift = 0.0;
  double step = 0.0, step_above_residual = 0.0, step_above_zero = 0.0;
};

// A point inside all bounds, with the multipliers of all terms, and its steps to the minimum.
class InteriorPoint {
 public:
  InteriorPoint(const Problem& problem, const PrimalDual& start)
      : problem_(problem),
        curvature_(problem.num_variables),
        slope_(problem.num_variables),
        step_x_(problem.num_variables),
        step_lower_(problem.num_variables),
        step_upper_(problem.num_variables) {
    add_rows(start);
    add_groups(start);
    is_alone_.assign(problem.num_variables, true);
    for (const std::uint32_t i : rows_.variables) is_alone_[i] = false;
    for (std::size_t i = 0; i < problem.num_variables; ++i) unfold(i);
    place_inside(start);
  }

  const SparseRows& rows() const { return rows_; }

  // One predictor-corrector step; whether the matrix could be factorised.
  bool step(NormalMatrix& matrix, const GiveUp& give_up) {
    const double gap = complementarity_after(0.0);
    set_scales();
    std::vector<double> diagonal(problem_.num_variables), scale(terms_.size());
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      diagonal[i] = curvature_[i];
      if (is_free(i)) {
        diagonal[i] += at_lower_[i] / below(i) + at_upper_[i] / above(i);
      } else {
        diagonal[i] += kFixed;
      }
    }
    for (std::size_t t = 0; t < terms_.size(); ++t) scale[t] = terms_[t].scale;
    if (!matrix.factorise(diagonal, scale, give_up)) return false;

    find_direction(matrix, 0.0, false);
    const double reach = longest_step();
    const double affine = complementarity_after(reach);
    const double ratio = gap > 0.0 ? affine / gap : 0.0;
    find_direction(matrix, gap * ratio * ratio * ratio, true);
    move(kToBoundary * longest_step());
    return true;
  }

  // x and multipliers, within bounds and domains.
  void read(PrimalDual& point) const {
    for (std::size_t i = 0; i < problem_.num_variables; ++i) {
      std::uint32_t hint = 0;
      point.x[i] = is_alone_[i]
                       ? minimise(problem_.folded.of(i), problem_.upper[i], 0.0, 0.0, hint).x
                       : std::clamp(x_[i], problem_.lower[i], problem_.upper[i]);
    }
    for (std::size_t r = 0; r < problem_.num_rows(); ++r) {
      const Interval domain = domain_of(terms_[r].kind, problem_.weight[r]);
      point.multipliers[r] = std::clamp(terms_[r].multiplier, domain.low, domain.high);
    }
    for (std::size_t g = 0; g < problem_.groups.size(); ++g) {
      point.group_multipliers[g] = terms_[problem_.num_rows() + g].multiplier;
    }
  }

  bool is_finite() const {
    return std::all_of(x_.begin(), x_.end(), [](double x) { return std::isfinite(x); });
  }

 private:
  bool is_free(std::size_t i) const { return problem_.upper[i] - problem_.lower[i] > kFixedWidth; }
  double below(std::size_t i) const { return x_[i] - problem_.lower[i]; }
  double above(std::size_t i) const { return problem_.upper[i] - x_[i]; }

  void add_term(TermKind kind, double weight, double offset, double multiplier) {
    terms_.push_back({.kind = kind, .weight = weight, .offset = offset, .multiplier = multiplier});
  }

  void add_rows(const PrimalDual& start) {
    for (const RowBlock& block : problem_.blocks) {
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        rows_.add(problem_.variables_of(block, r), block.coefficients);
        add_term(block.kind, problem_.weight[r], problem_.offset[r], start.multipliers[r]);
      }
    }
  }

  void add_groups(const PrimalDual& start) {
    for (std::size_t g = 0; g < problem_.groups.size(); ++g) {
      const Group& group = problem_.groups[g];
      const std::vector<double> ones(group.count, 1.0);
      rows_.add({problem_.group_variables.data() + group.first, group.count}, ones);
      add_term(TermKind::kEqual, 0.0, -group.total, start.group_multipliers[g]);
    }
  }

  // f_i as a quadratic and a hinge for every kink: where curvature rises, one that acts to the
  // right, where it falls, one that acts to the left.
  void unfold(std::size_t i) {
    const auto segments = problem_.folded.of(i);
    const auto variable = static_cast<std::uint32_t>(i);
    double curvature = segments.back().curvature, slope = segments.back().slope;
    for (std::size_t k = segments.size() - 1; k > 0; --k) {
      const double t = segments[k].start;
      const double bend = segments[k].curvature - segments[k - 1].curvature;
      const double kink = segments[k].derivative(t) - segments[k - 1].derivative(t);
      if (bend > 0.0) {  // bend / 2 (x - t)^2 for x > t
        add_kink(variable, TermKind::kSquaredHinge, 0.5 * bend, 1.0, t);
        curvature -= bend;
        slope += bend * t;
      } else if (bend < 0.0) {
        add_kink(variable, TermKind::kSquaredHinge, -0.5 * bend, -1.0, t);
      }
      if (kink > 0.0) {
        add_kink(variable, TermKind::kHinge, kink, 1.0, t);
        slope -= kink;
      }
    }
    curvature_[i] = std::max(0.0, curvature);
    slope_[i] = slope;
  }

  void add_kink(std::uint32_t variable, TermKind kind, double weight, double side, double t) {
    rows_.add({&variable, 1}, {&side, 1});
    add_term(kind, weight, -side * t, 0.5 * weight);
  }

  double residual(std::size_t t) const {
    double sum = terms_[t].offset;
    for (std::size_t e = rows_.begin[t]; e < rows_.begin[t + 1]; ++e) {
      sum += rows_.coefficients[e] * x_[rows_.variables[e]];
    }
    return sum;
  }

  // A first point well inside: the start, moved away from bounds.
  void place_inside(const PrimalDual& start) {
    x_.resize(problem_.num_variables);
    at_lower_.assign(x_.size(), 0.0);
    at_upper_.assign(x_.size(), 0.0);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double width = problem_.upper[i] - problem_.lower[i];
      x_[i] = std::clamp(
          start.x[i], problem_.lower[i] + kInside * width, problem_.upper[i] - kInside * width);
      if (is_free(i)) at_lower_[i] = at_upper_[i] = kFirstBoundMultiplier;
    }
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      Term& term = terms_[t];
      const double r = residual(t);
      switch (term.kind) {
        case TermKind::kHinge:
          term.multiplier = std::clamp(
              term.multiplier, kFirstShare * term.weight, (1.0 - kFirstShare) * term.weight);
          term.above_zero = std::max(r, 0.0) + kInside;
          term.above_residual = term.above_zero - r;
          break;
        case TermKind::kSquaredHinge:
          term.multiplier =
              std::max(2.0 * term.weight * (std::max(r, 0.0) + kInside), kLeastMultiplier);
          term.above_residual = std::max(-r, 0.0) + kInside;
          break;
        case TermKind::kAtMost:
          term.multiplier = std::max(term.multiplier, kInside);
          term.above_residual = std::max(-r, kInside);
          break;
        case TermKind::kEqual:
          break;
      }
    }
  }

  bool is_idle(const Term& term) const { return !is_hard(term.kind) && term.weight <= 0.0; }

  // d multiplier / d residual, slacks eliminated.
  void set_scales() {
    for (Term& term : terms_) {
      term.scale = 0.0;
      if (is_idle(term)) continue;
      const double mu = term.multiplier, v = term.above_residual;
      switch (term.kind) {
        case TermKind::kHinge:
          term.scale = 1.0 / (term.above_zero / (term.weight - mu) + v / mu);
          break;
        case TermKind::kSquaredHinge:
          term.scale = mu / (v + mu / (2.0 * term.weight));
          break;
        case TermKind::kAtMost:
          term.scale = mu / v;
          break;
        case TermKind::kEqual:
          term.scale = 1.0 / kEqualityFlexibility;
          break;
      }
    }
  }

  // The part of d multiplier that does not depend on dx. `corrects` adds the products of the
  // predictor's steps.
  void set_shift(Term& term, double r, double tau, bool corrects) const {
    const double mu = term.multiplier, v = term.above_residual;
    const double c1 = tau - mu * v - (corrects ? term.step * term.step_above_residual : 0.0);
    switch (term.kind) {
      case TermKind::kHinge: {
        const double rest = term.weight - mu, s = term.above_zero;
        const double c2 = tau - rest * s + (corrects ? term.step * term.step_above_zero : 0.0);
        term.shift = term.scale * (r - (s - v) - c2 / rest + c1 / mu);
        break;
      }
      case TermKind::kSquaredHinge: {
        const double error = mu / (2.0 * term.weight) - r - v;
        term.shift = (c1 - mu * error) / (v + mu / (2.0 * term.weight));
        break;
      }
      case TermKind::kAtMost:
        term.shift = (c1 - mu * (-r - v)) / v;
        break;
      case TermKind::kEqual:
        term.shift = r / kEqualityFlexibility;
        break;
    }
  }

  // Steps of the slacks, given that of the multiplier.
  void set_slack_steps(Term& term,
                       double tau,
                       bool corrects,
                       double last_step,
                       double last_slack,
                       double last_zero) const {
    const double mu = term.multiplier, v = term.above_residual;
    const double c1 = tau - mu * v - (corrects ? last_step * last_slack : 0.0);
    if (term.kind == TermKind::kEqual) return;
    term.step_above_residual = (c1 - v * term.step) / mu;
    if (term.kind != TermKind::kHinge) return;
    const double rest = term.weight - mu;
    const double c2 = tau - rest * term.above_zero + (corrects ? last_step * last_zero : 0.0);
    term.step_above_zero = (c2 + term.above_zero * term.step) / rest;
  }

  // What pulls at the atoms once slacks and multipliers are eliminated; sets the shifts of terms.
  std::vector<double> reduced_right_side(double tau, bool corrects) {
    std::vector<double> right(x_.size());
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (!is_free(i)) continue;
      right[i] = -(curvature_[i] * x_[i] + slope_[i]);
      right[i] += (tau - (corrects ? step_x_[i] * step_lower_[i] : 0.0)) / below(i);
      right[i] -= (tau + (corrects ? step_x_[i] * step_upper_[i] : 0.0)) / above(i);
    }
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      Term& term = terms_[t];
      term.shift = 0.0;
      if (is_idle(term)) continue;
      set_shift(term, residual(t), tau, corrects);
      const double pull = term.multiplier + term.shift;
      for (std::size_t e = rows_.begin[t]; e < rows_.begin[t + 1]; ++e) {
        if (is_free(rows_.variables[e])) right[rows_.variables[e]] -= rows_.coefficients[e] * pull;
      }
    }
    return right;
  }

  // Steps of atoms and of the multipliers of their bounds.
  void set_atom_steps(const NormalMatrix& matrix,
                      const std::vector<double>& right,
                      double tau,
                      bool corrects) {
    const std::vector<double> last_x = step_x_, last_lower = step_lower_, last_upper = step_upper_;
    matrix.solve(right, step_x_);
    step_lower_.assign(x_.size(), 0.0);
    step_upper_.assign(x_.size(), 0.0);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (!is_free(i)) {
        step_x_[i] = 0.0;
        continue;
      }
      const double low = tau - (corrects ? last_x[i] * last_lower[i] : 0.0);
      const double high = tau + (corrects ? last_x[i] * last_upper[i] : 0.0);
      step_lower_[i] = (low - at_lower_[i] * step_x_[i]) / below(i) - at_lower_[i];
      step_upper_[i] = (high + at_upper_[i] * step_x_[i]) / above(i) - at_upper_[i];
    }
  }

  // Steps of multipliers and slacks, given those of the atoms.
  void set_term_steps(double tau, bool corrects) {
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      Term& term = terms_[t];
      if (is_idle(term)) continue;
      double dr = 0.0;
      for (std::size_t e = rows_.begin[t]; e < rows_.begin[t + 1]; ++e) {
        dr += rows_.coefficients[e] * step_x_[rows_.variables[e]];
      }
      const double step = term.step, slack = term.step_above_residual, zero = term.step_above_zero;
      term.step = term.scale * dr + term.shift;
      set_slack_steps(term, tau, corrects, step, slack, zero);
    }
  }

  void find_direction(const NormalMatrix& matrix, double tau, bool corrects) {
    const std::vector<double> right = reduced_right_side(tau, corrects);
    set_atom_steps(matrix, right, tau, corrects);
    set_term_steps(tau, corrects);
  }

  // Calls visit(value, step) for everything that must stay positive, in pairs whose product is to
  // become tau.
  template <class Visit>
  void for_pairs(const Visit& visit) const {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (!is_free(i)) continue;
      visit(below(i), step_x_[i], at_lower_[i], step_lower_[i]);
      visit(above(i), -step_x_[i], at_upper_[i], step_upper_[i]);
    }
    for (const Term& term : terms_) {
      if (is_idle(term) || term.kind == TermKind::kEqual) continue;
      visit(term.multiplier, term.step, term.above_residual, term.step_above_residual);
      if (term.kind == TermKind::kHinge) {
        visit(term.weight - term.multiplier, -term.step, term.above_zero, term.step_above_zero);
      }
    }
  }

  // The mean of the products of all pairs, after a step of this length.
  double complementarity_after(double length) const {
    double sum = 0.0, count = 0.0;
    for_pairs([&](double a, double da, double b, double db) {
      sum += (a + length * da) * (b + length * db);
      count += 1.0;
    });
    return count > 0.0 ? sum / count : 0.0;
  }
  double longest_step() const {
    double length = 1.0 / kToBoundary;
    for_pairs([&](double a, double da, double b, double db) {
      if (da < 0.0) length = std::min(length, -a / da);
      if (db < 0.0) length = std::min(length, -b / db);
    });
    return std::min(length, 1.0 / kToBoundary);
  }

  void move(double length) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] += length * step_x_[i];
      at_lower_[i] += length * step_lower_[i];
      at_upper_[i] += length * step_upper_[i];
    }
    for (Term& term : terms_) {
      term.multiplier += length * term.step;
      term.above_residual += length * term.step_above_residual;
      term.above_zero += length * term.step_above_zero;
    }
  }

  const Problem& problem_;
  std::vector<bool> is_alone_;                   // per variable: in no row and no group
  SparseRows rows_;                              // of all terms
  std::vector<Term> terms_;                      // rows, groups, kinks
  std::vector<double> curvature_, slope_;        // per variable: of what is left of its function
  std::vector<double> x_, at_lower_, at_upper_;  // per variable: and the multipliers of its bounds
  std::vector<double> step_x_, step_lower_, step_upper_;
};

}  // namespace

SolverResult solve_interior_point(const Problem& problem,
                                  PrimalDual start,
                                  const SolveOptions& options,
                                  ThreadPool& pool,
                                  std::size_t most_factor_entries) {
  StoppingRule rule(problem, options, name_of(Solver::kInteriorPoint), pool);
  SolverResult result;
  result.point = std::move(start);
  if (const auto status = rule.check(result.point, 0)) result.status = *status;
  result.bounds = rule.bounds();
  if (result.status != SolveStatus::kIterationLimit) return result;

  InteriorPoint method(problem, result.point);
  const GiveUp give_up = [&] { return rule.out_of_time().has_value(); };
  auto matrix =
      NormalMatrix::make(problem.num_variables, method.rows(), most_factor_entries, give_up);
  if (!matrix) {
    result.status = rule.out_of_time().value_or(result.status);
    return result;
  }
  const std::uint64_t limit =
      options.max_iterations > 0 ? options.max_iterations : kDefaultMaxIterations;
  PrimalDual point = result.point;
  double best = INFINITY;
  while (result.iterations < limit && method.step(*matrix, give_up) && method.is_finite()) {
    ++result.iterations;
    method.read(point);
    const auto status = rule.check(point, result.iterations);
    const double error = std::max(std::abs(rule.gap()), rule.bounds().violation);
    if (status || error < best) {
      best = error;
      result.point = point;
      result.bounds = rule.bounds();
    }
    if (status) {
      result.status = *status;
      return result;
    }
  }
  if (result.iterations < limit) result.status = rule.out_of_time().value_or(result.status);
  return result;
}

}  // namespace sorites
