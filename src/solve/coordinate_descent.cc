#include "solve/coordinate_descent.h"

#include <algorithm>
#include <cmath>

#include "solve/row_loop.h"

namespace sorites {
namespace {

constexpr double kHingeRate = 5.0;  // per unit of weight
constexpr double kHardRate = 4.0;
constexpr double kSkipBelow = 1e-3;  // of the largest move: such a variable rests for a sweep
constexpr int kMaxNewtonSteps = 60;
constexpr std::uint64_t kDefaultMaxSweeps = 20000;

struct Row {
  double residual = 0.0;
  double lambda = 0.0;
  double weight = 0.0;
};

// multiplier(r) = clip(lambda + rate r, low, high)
struct Law {
  double rate, low, high;

  double multiplier(double at) const { return std::clamp(at, low, high); }
};

class Descent {
 public:
  Descent(const Problem& problem, PrimalDual start)
      : problem_(problem),
        columns_(columns_of(problem)),
        point_(std::move(start)),
        rows_(problem.num_rows()),
        hint_(problem.num_variables, 0),
        rests_(problem.num_variables, false) {
    for (const RowBlock& block : problem.blocks) {
      end_of_kind_[static_cast<std::size_t>(block.kind)] = block.end_row();
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        rows_[r].weight = problem.weight[r];
        if (block.kind != TermKind::kSquaredHinge) rows_[r].lambda = point_.multipliers[r];
      }
    }
    for (std::size_t k = 1; k < kNumKinds; ++k) {
      end_of_kind_[k] = std::max(end_of_kind_[k], end_of_kind_[k - 1]);
    }
    refresh_residuals();
  }

  // Residuals from x: what rounding errors have added up goes.
  void refresh_residuals() {
    for_blocks(problem_,
               {0, problem_.num_rows()},
               [&](const RowBlock& block, auto width, std::size_t first, std::size_t last) {
                 const std::uint32_t* entry = problem_.variables_of(block, first).data();
                 for (std::size_t r = first; r < last; ++r, entry += width.value(block)) {
                   rows_[r].residual =
                       problem_.offset[r] + dot(block, width, entry, point_.x.data());
                 }
               });
  }

  // One pass over all variables; the largest move.
  double sweep() {
    double largest = 0.0;
    const double rest_below = kSkipBelow * last_largest_;
    for (std::size_t i = 0; i < problem_.num_variables; ++i) {
      if (rests_[i]) {
        rests_[i] = false;
        continue;
      }
      const double move = step(i);
      rests_[i] = move < rest_below;
      largest = std::max(largest, move);
    }
    last_largest_ = largest;
    return largest;
  }

  // lambda <- multiplier, for all rows but squared ones.
  void update_lambdas() {
    for (const RowBlock& block : problem_.blocks) {
      if (block.kind == TermKind::kSquaredHinge) continue;
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        rows_[r].lambda = multiplier(block.kind, rows_[r]);
      }
    }
  }

  // The point with the multipliers of its rows.
  PrimalDual& point() {
    for (const RowBlock& block : problem_.blocks) {
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        point_.multipliers[r] = multiplier(block.kind, rows_[r]);
      }
    }
    return point_;
  }

 private:
  static constexpr std::size_t kNumKinds = 4;

  static Law law_of(TermKind kind, double weight) {
    const Interval domain = domain_of(kind, weight);
    switch (kind) {
      case TermKind::kHinge:
        return {kHingeRate * weight, domain.low, domain.high};
      case TermKind::kSquaredHinge:
        return {2.0 * weight, domain.low, domain.high};
      case TermKind::kAtMost:
      case TermKind::kEqual:
        return {kHardRate, domain.low, domain.high};
    }
    return {0.0, 0.0, 0.0};  // not reached
  }
  static double multiplier(TermKind kind, const Row& row) {
    const Law law = law_of(kind, row.weight);
    return law.multiplier(row.lambda + law.rate * row.residual);
  }
  TermKind kind_of(std::size_t row) const {
    std::size_t kind = 0;
    while (row >= end_of_kind_[kind]) ++kind;
    return static_cast<TermKind>(kind);
  }

  // An entry of the column at hand: its row's multiplier is clip(at + rate a d) for a move by d.
  struct Entry {
    double a, at, rate, low, high;
  };

  // Slope and curvature of all rows of the column after a move by d.
  struct Slope {
    double slope = 0.0, curvature = 0.0;
  };
  Slope slope_after(double d) const {
    Slope sum;
    for (const Entry& e : entries_) {
      const double at = e.at + e.rate * e.a * d;
      const double mu = std::clamp(at, e.low, e.high);
      sum.slope += e.a * mu;
      if (mu == at) sum.curvature += e.rate * e.a * e.a;
    }
    return sum;
  }

  void gather(std::size_t i) {
    entries_.clear();
    for (std::size_t e = columns_.begin[i]; e < columns_.begin[i + 1]; ++e) {
      const Row& row = rows_[columns_.row[e]];
      const Law law = law_of(kind_of(columns_.row[e]), row.weight);
      entries_.push_back({columns_.coefficients[columns_.slot[e]],
                          row.lambda + law.rate * row.residual,
                          law.rate,
                          law.low,
                          law.high});
    }
  }

  // Minimises along variable i; how far it moved.
  double step(std::size_t i) {
    if (columns_.begin[i] == columns_.begin[i + 1]) return 0.0;  // at its minimum from the start
    gather(i);
    const double before = point_.x[i];
    const double after = minimum(i, before);
    const double move = after - before;
    if (move == 0.0) return 0.0;
    point_.x[i] = after;
    for (std::size_t e = columns_.begin[i]; e < columns_.begin[i + 1]; ++e) {
      rows_[columns_.row[e]].residual += columns_.coefficients[columns_.slot[e]] * move;
    }
    return std::abs(move);
  }

  // Newton's method with the folded function kept whole: the rows are replaced by their quadratic
  // at the current point, and the minimum of the sum is the next. Exact as soon as no row changes
  // sides between two points. Slopes ascend, so every point is one end of a bracket.
  double minimum(std::size_t i, double before) {
    const auto segments = problem_.folded.of(i);
    double low = problem_.lower[i], high = problem_.upper[i], x = before;
    Slope rows = slope_after(0.0);
    for (int n = 0; n < kMaxNewtonSteps; ++n) {
      double next = minimise(segments,
                             problem_.upper[i],
                             rows.slope - rows.curvature * x,
                             rows.curvature,
                             hint_[i])
                        .x;
      if (next > x) {
        low = x;
      } else {
        high = x;
      }
      if (!(next >= low && next <= high)) next = 0.5 * (low + high);
      if (std::abs(next - x) <= 1e-14) return next;
      const Slope there = slope_after(next - before);
      const double predicted = rows.slope + rows.curvature * (next - x);
      x = next;
      if (std::abs(there.slope - predicted) <= 1e-13 * (1.0 + std::abs(predicted))) return x;
      rows = there;
    }
    return x;
  }

  const Problem& problem_;
  Columns columns_;
  PrimalDual point_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> hint_;
  std::vector<bool> rests_;  // per variable: for the next sweep
  double last_largest_ = 0.0;
  std::size_t end_of_kind_[kNumKinds] = {};
  std::vector<Entry> entries_;  // of the column at hand
};

}  // namespace

SolverResult descend_while_worthwhile(const Problem& problem,
                                      PrimalDual start,
                                      const SolveOptions& options,
                                      ThreadPool& pool,
                                      double worthwhile) {
  const std::uint64_t limit =
      options.max_iterations > 0 ? options.max_iterations : kDefaultMaxSweeps;
  const Problem* rows = &problem;
  Problem with_rows;
  const std::size_t num_rows = problem.num_rows();
  if (!problem.groups.empty()) {
    with_rows = with_groups_as_rows(problem);
    rows = &with_rows;
    start.multipliers.insert(
        start.multipliers.end(), start.group_multipliers.begin(), start.group_multipliers.end());
    start.group_multipliers.clear();
  }
  StoppingRule rule(*rows, options, name_of(Solver::kCoordinateDescent), pool);
  Descent descent(*rows, std::move(start));
  SolverResult result;
  std::uint64_t next_check = 1;
  double last_gap = INFINITY;
  int poor_checks = 0;
  for (std::uint64_t sweep = 1; sweep <= limit; ++sweep) {
    descent.sweep();
    result.iterations = sweep;
    if (sweep == next_check || sweep == limit) {
      next_check = sweep < 3 ? sweep + 1 : sweep + std::max<std::uint64_t>(2, sweep / 5);
      descent.refresh_residuals();
      if (const auto status = rule.check(descent.point(), sweep)) {
        result.status = *status;
        break;
      }
      const double gap = std::max(std::abs(rule.gap()), rule.bounds().violation);
      poor_checks = gap > worthwhile * last_gap ? poor_checks + 1 : 0;
      last_gap = gap;
      if (poor_checks >= 2) break;
    }
    descent.update_lambdas();
  }
  result.bounds = rule.bounds();
  result.point = std::move(descent.point());
  result.point.group_multipliers.assign(
      result.point.multipliers.begin() + static_cast<std::ptrdiff_t>(num_rows),
      result.point.multipliers.end());
  result.point.multipliers.resize(num_rows);
  return result;
}

SolverResult solve_coordinate_descent(const Problem& problem,
                                      PrimalDual start,
                                      const SolveOptions& options,
                                      ThreadPool& pool) {
  return descend_while_worthwhile(problem, std::move(start), options, pool, INFINITY);
}

}  // namespace sorites
