#include "solve/coordinate_descent.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/group_multiplier.h"
#include "solve/row_loop.h"

namespace sorites {
namespace {

constexpr double kHingeRate = 8.0;  // per unit of weight
constexpr double kHardRate = 4.0;
constexpr double kSkipBelow = 1e-3;       // of the largest move: such a variable rests for a sweep
constexpr double kLeastCurvature = 1e-6;  // of a group's largest: sums must not jump
constexpr int kMaxNewtonSteps = 60;
constexpr std::uint64_t kDefaultMaxSweeps = 20000;
// Once updates wait for the minimum: how far moves are to have shrunk beside the last update.
constexpr double kInnerAccuracy = 0.03, kLeastMove = 1e-12;
constexpr double kPoor = 0.6;  // a check that leaves more of the gap than this is poor

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
        rests_(problem.num_variables + problem.groups.size(), false),
        grouped_(problem.num_variables, false) {
    for (const std::uint32_t i : problem.group_variables) grouped_[i] = true;
    count_siblings();
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

  // One pass over all variables, those of a group together; the largest move.
  double sweep() {
    double largest = 0.0;
    const double rest_below = kSkipBelow * last_largest_;
    const auto visit = [&](std::size_t place, const auto& step) {
      if (rests_[place]) {
        rests_[place] = false;
        return;
      }
      const double move = step();
      rests_[place] = move < rest_below;
      largest = std::max(largest, move);
    };
    for (std::size_t i = 0; i < problem_.num_variables; ++i) {
      if (!grouped_[i]) visit(i, [&] { return step(i); });
    }
    for (std::size_t g = 0; g < problem_.groups.size(); ++g) {
      visit(problem_.num_variables + g, [&] { return group_step(g); });
    }
    last_largest_ = largest;
    return largest;
  }

  // lambda <- multiplier, for all rows but squared ones; the largest change, as a residual.
  double update_lambdas() {
    double largest = 0.0;
    for (const RowBlock& block : problem_.blocks) {
      if (block.kind == TermKind::kSquaredHinge) continue;
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        const double before = std::exchange(rows_[r].lambda, multiplier(block.kind, rows_[r]));
        const double rate = law_of(block.kind, rows_[r].weight).rate;
        if (rate > 0.0) largest = std::max(largest, std::abs(rows_[r].lambda - before) / rate);
      }
    }
    return largest;
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

  // The most members of a group that one row has: by so much can the curvatures of single members
  // fall short of that of the group.
  void count_siblings() {
    most_siblings_.assign(problem_.groups.size(), 1.0);
    if (problem_.groups.empty()) return;
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> group_of(problem_.num_variables, kNone);
    for (std::uint32_t g = 0; g < problem_.groups.size(); ++g) {
      const Group& group = problem_.groups[g];
      for (std::size_t k = 0; k < group.count; ++k) {
        group_of[problem_.group_variables[group.first + k]] = g;
      }
    }
    for (const RowBlock& block : problem_.blocks) {
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        const auto variables = problem_.variables_of(block, r);
        for (const std::uint32_t i : variables) {
          if (group_of[i] == kNone) continue;
          const auto siblings = std::count_if(variables.begin(), variables.end(), [&](auto j) {
            return group_of[j] == group_of[i];
          });
          most_siblings_[group_of[i]] =
              std::max(most_siblings_[group_of[i]], static_cast<double>(siblings));
        }
      }
    }
  }

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
  static Slope slope_after(double d, std::span<const Entry> entries) {
    Slope sum;
    for (const Entry& e : entries) {
      const double at = e.at + e.rate * e.a * d;
      const double mu = std::clamp(at, e.low, e.high);
      sum.slope += e.a * mu;
      if (mu == at) sum.curvature += e.rate * e.a * e.a;
    }
    return sum;
  }

  // Adds the column of i to the entries.
  void gather(std::size_t i) {
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
    entries_.clear();
    gather(i);
    return move(i, minimum(i, point_.x[i]));
  }

  double move(std::size_t i, double x) {
    const double move = x - point_.x[i];
    if (move == 0.0) return 0.0;
    point_.x[i] = x;
    for (std::size_t e = columns_.begin[i]; e < columns_.begin[i + 1]; ++e) {
      rows_[columns_.row[e]].residual += columns_.coefficients[columns_.slot[e]] * move;
    }
    return std::abs(move);
  }

  // Newton's method with the folded function kept whole: the rows are replaced by their quadratic
  // at the current point, and the minimum of the sum is the next. Slopes ascend, so that every
  // point is one end of a bracket.
  double minimum(std::size_t i, double before) {
    const auto segments = problem_.folded.of(i);
    const double lower = problem_.lower[i], upper = problem_.upper[i];
    double low = -INFINITY, high = INFINITY;  // ends that were seen, and are not the minimum
    double x = before;
    for (int n = 0; n < kMaxNewtonSteps; ++n) {
      const Slope rows = slope_after(x - before, entries_);
      const Interval folded = slopes_at(segments, upper, x);
      const double slack = 1e-14 * (1.0 + std::abs(rows.slope));
      if (folded.low + rows.slope <= slack && folded.high + rows.slope >= -slack) return x;
      (folded.high + rows.slope < 0.0 ? low : high) = x;
      double next =
          minimise(segments, upper, rows.slope - rows.curvature * x, rows.curvature, hint_[i]).x;
      if (!(next > low && next < high)) next = 0.5 * (std::max(low, lower) + std::min(high, upper));
      if (next == x) return x;
      x = next;
    }
    return x;
  }

  // What a group's step knows of a member.
  struct Member {
    std::size_t first_entry, last_entry;
    Slope rows;        // at the current point
    double curvature;  // of the model that the step minimises
    double next;
  };

  // Minimises over a group: rows are replaced by their quadratics at the current point, the sum is
  // kept by its multiplier. Where that model was too flat, by quadratics that lie above.
  double group_step(std::size_t g) {
    const Group& group = problem_.groups[g];
    const std::uint32_t* variables = problem_.group_variables.data() + group.first;
    entries_.clear();
    members_.clear();
    for (std::size_t k = 0; k < group.count; ++k) {
      const std::size_t first = entries_.size();
      gather(variables[k]);
      const Slope rows = slope_after(0.0, entries_of(first, entries_.size()));
      members_.push_back({first, entries_.size(), rows, rows.curvature, point_.x[variables[k]]});
    }
    minimise_group(g, group, variables);
    if (most_siblings_[g] > 1 || model_is_too_flat(variables)) {
      for (Member& member : members_) {
        member.curvature = 0.0;
        for (const Entry& e : entries_of(member.first_entry, member.last_entry)) {
          member.curvature += e.rate * e.a * e.a;
        }
        member.curvature *= most_siblings_[g];
      }
      minimise_group(g, group, variables);
    }
    double largest = 0.0;
    for (std::size_t k = 0; k < group.count; ++k) {
      largest = std::max(largest, move(variables[k], members_[k].next));
    }
    return largest;
  }

  std::span<const Entry> entries_of(std::size_t first, std::size_t last) const {
    return std::span<const Entry>(entries_).subspan(first, last - first);
  }

  void minimise_group(std::size_t g, const Group& group, const std::uint32_t* variables) {
    double scale = 0.0;
    for (const Member& member : members_) scale = std::max(scale, member.curvature);
    if (scale == 0.0) scale = 1.0;
    find_group_multiplier(
        [&](double lambda, double& slope) {
          double sum = 0.0;
          for (std::size_t k = 0; k < group.count; ++k) {
            const std::size_t i = variables[k];
            Member& member = members_[k];
            const double curvature = std::max(member.curvature, kLeastCurvature * scale);
            const Minimum minimum = minimise(problem_.folded.of(i),
                                             problem_.upper[i],
                                             member.rows.slope + lambda - curvature * point_.x[i],
                                             curvature,
                                             hint_[i]);
            sum += member.next = minimum.x;
            slope -= minimum.inverse_curvature;
          }
          return sum;
        },
        group.total,
        scale,
        point_.group_multipliers[g]);
  }

  // Whether the slopes of the rows rose by more than twice what the model says.
  bool model_is_too_flat(const std::uint32_t* variables) const {
    double predicted = 0.0, actual = 0.0;
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const Member& member = members_[k];
      const double d = member.next - point_.x[variables[k]];
      if (d == 0.0) continue;
      const Slope there = slope_after(d, entries_of(member.first_entry, member.last_entry));
      predicted += member.curvature * d * d;
      actual += (there.slope - member.rows.slope) * d;
    }
    return actual > 2.0 * predicted + 1e-12;
  }

  const Problem& problem_;
  Columns columns_;
  PrimalDual point_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> hint_;
  std::vector<bool> rests_;  // per variable: for the next sweep
  double last_largest_ = 0.0;
  std::size_t end_of_kind_[kNumKinds] = {};
  std::vector<bool> grouped_;
  std::vector<double> most_siblings_;  // per group
  std::vector<Entry> entries_;         // of the column or group at hand
  std::vector<Member> members_;        // of the group at hand
};

SolverResult descend(const Problem& problem,
                     PrimalDual start,
                     const SolveOptions& options,
                     ThreadPool& pool,
                     bool hand_over) {
  const std::uint64_t limit =
      options.max_iterations > 0 ? options.max_iterations : kDefaultMaxSweeps;
  StoppingRule rule(problem, options, name_of(Solver::kCoordinateDescent), pool);
  Descent descent(problem, std::move(start));
  SolverResult result;
  std::uint64_t next_check = 1;
  bool waits_for_minimum = false;
  double last_gap = INFINITY, last_change = INFINITY, move = INFINITY;
  int poor_checks = 0;
  for (std::uint64_t sweep = 1; sweep <= limit; ++sweep) {
    const double last_move = std::exchange(move, descent.sweep());  // variables may have rested
    result.iterations = sweep;
    if (sweep >= next_check || sweep == limit) {
      next_check = sweep < 3 ? sweep + 1 : sweep + std::max<std::uint64_t>(2, sweep / 5);
      descent.refresh_residuals();
      if (const auto status = rule.check(descent.point(), sweep)) {
        result.status = *status;
        break;
      }
      const double gap = std::max(std::abs(rule.gap()), rule.bounds().violation);
      poor_checks = gap > kPoor * last_gap ? poor_checks + 1 : 0;
      last_gap = gap;
      if (poor_checks >= 2 && hand_over) break;
      // The augmented Lagrangian may circle if its multipliers run ahead of its minimum.
      waits_for_minimum |= poor_checks >= 2;
    }
    const double accuracy = std::max(kInnerAccuracy * last_change, kLeastMove);
    if (!waits_for_minimum || std::max(move, last_move) <= accuracy) {
      last_change = descent.update_lambdas();
    }
  }
  result.bounds = rule.bounds();
  result.point = std::move(descent.point());
  return result;
}

}  // namespace

SolverResult solve_coordinate_descent(const Problem& problem,
                                      PrimalDual start,
                                      const SolveOptions& options,
                                      ThreadPool& pool) {
  return descend(problem, std::move(start), options, pool, false);
}

SolverResult descend_while_worthwhile(const Problem& problem,
                                      PrimalDual start,
                                      const SolveOptions& options,
                                      ThreadPool& pool) {
  return descend(problem, std::move(start), options, pool, true);
}

}  // namespace sorites
