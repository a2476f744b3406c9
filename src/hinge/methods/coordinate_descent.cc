#include "hinge/methods/coordinate_descent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hinge/methods/multiplier_pace.h"
#include "hinge/problem/group_multiplier.h"
#include "hinge/problem/row_loop.h"
#include "hinge/problem/row_scale.h"

namespace sorites {
namespace {

// Of the largest move: a variable that moved less rests for a sweep. From 0 (none ever rests) to
// 1e-2 the number of sweeps is the same within 0.1 % on ten models; they cost less.
constexpr double kSkipBelow = 1e-3;
// Of a group's largest: with none, a member would jump as the multiplier of the sum moves. From
// 1e-8 to 1e-4 the number of sweeps does not change.
constexpr double kLeastCurvature = 1e-6;
// A bracket of [0, 1] is halved to the last bit in 53 steps; Newton's method takes two or three.
constexpr int kMaxNewtonSteps = 60;
// Of gaps, and of slopes times moves, in units of the problem: what is less says nothing.
constexpr double kNothing = 1e-12;
// A step that raises slopes by more than so many times what its model says may raise the objective.
constexpr double kTooFlat = 2.0;
// Checks grow apart by a fifth of the sweeps so far: a solve takes at most a fifth more than it
// needs. Sweeps are dearer than iterations of other methods, and fewer: checks are more frequent
// than theirs (is_time_to_check).
constexpr std::uint64_t kChecksApart = 5, kLeastApart = 2;
// Beyond, a gap hardly closes.
constexpr std::uint64_t kDefaultMaxSweeps = 20000;
// That are still to go, per digit of the gap: a sweep costs as much as three to five iterations of
// ADMM. 0.75 and 3 leave warm solves as they are (learn_benchmark, seven models).
constexpr double kWorthwhileSweeps = 1.5;

struct Row {
  double residual = 0.0;
  double lambda = 0.0;
  double rate = 0.0;
};

// Hard rows are stiffer here than in other methods (kHardUnit is 1.5): lambda follows once per
// sweep, and with half of this solve_test (AllSolvers.AgreeOnRandomModels) has models whose hard
// rows are still broken at the limit of sweeps. With 8, 1.2 times as many sweeps on models with
// hard rows.
constexpr double kHardRate = 4.0;

constexpr double rate_of(TermKind kind, double weight) {
  return is_hard(kind) ? kHardRate : row_scale(kind, weight);
}

// domain_of, for the rate instead of the weight.
constexpr Interval clip_of(TermKind kind, double rate) {
  return domain_of(kind, kind == TermKind::kHinge ? rate / kHingeUnit : rate);
}

double multiplier(TermKind kind, const Row& row) {
  const Interval clip = clip_of(kind, row.rate);
  return std::clamp(row.lambda + row.rate * row.residual, clip.low, clip.high);
}

class Descent {
 public:
  Descent(const Problem& problem, ProblemStructure& structure, PrimalDual start, ThreadPool& pool)
      : problem_(problem),
        pool_(pool),
        columns_(structure.columns()),
        point_(std::move(start)),
        rows_(problem.num_rows()),
        hint_(problem.num_variables, 0),
        rests_(problem.num_variables + problem.groups.size(), 0),
        grouped_(problem.num_variables, false),
        most_siblings_(structure.most_siblings()) {
    for (const std::uint32_t i : problem.group_variables) grouped_[i] = true;
    for (const RowBlock& block : problem.blocks) {
      kind_of_slot_.insert(kind_of_slot_.end(), block.width(), block.kind);
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        rows_[r].rate = rate_of(block.kind, problem.weight[r]);
        if (block.kind != TermKind::kSquaredHinge) rows_[r].lambda = point_.multipliers[r];
      }
    }
    refresh_residuals();
    make_shares(structure.component());
  }

  // Residuals from x: what rounding errors have added up goes.
  void refresh_residuals() {
    for_rows([&](const RowBlock& block, auto width, std::size_t first, std::size_t last) {
      const std::uint32_t* entry = problem_.variables_of(block, first).data();
      for (std::size_t r = first; r < last; ++r, entry += width.value(block)) {
        rows_[r].residual = problem_.offset[r] + dot(block, width, entry, point_.x.data());
      }
    });
  }

  // One pass over all variables, those of a group together; the largest move.
  double sweep() {
    const double rest_below = kSkipBelow * last_largest_;
    pool_.for_each(shares_.size(), [&](std::size_t s) { sweep(shares_[s], rest_below); });
    last_largest_ = 0.0;
    for (const Share& share : shares_) last_largest_ = std::max(last_largest_, share.largest);
    return last_largest_;
  }

  // lambda <- multiplier, for all rows but squared ones; the largest change, as a residual.
  double update_lambdas() {
    double largest = 0.0;
    for (const RowBlock& block : problem_.blocks) {
      if (block.kind == TermKind::kSquaredHinge) continue;
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        const double before = std::exchange(rows_[r].lambda, multiplier(block.kind, rows_[r]));
        if (rows_[r].rate == 0.0) continue;
        largest = std::max(largest, std::abs(rows_[r].lambda - before) / rows_[r].rate);
      }
    }
    return largest;
  }

  // The point with the multipliers of its rows.
  PrimalDual& point() {
    for_rows([&](const RowBlock& block, auto, std::size_t first, std::size_t last) {
      for (std::size_t r = first; r < last; ++r) {
        const Interval domain = domain_of(block.kind, problem_.weight[r]);  // not rounded
        point_.multipliers[r] =
            std::clamp(multiplier(block.kind, rows_[r]), domain.low, domain.high);
      }
    });
    return point_;
  }

 private:
  // Runs a loop over all rows on all threads.
  template <class Visit>
  void for_rows(const Visit& visit) {
    const std::size_t parts = pool_.num_threads();
    pool_.for_each(parts, [&](std::size_t p) {
      for_blocks(problem_, part_of(problem_.num_rows(), parts, p), visit);
    });
  }

  // A row of the column at hand whose multiplier bends within the bounds of the variable: it is
  // clip(at + step d) for a move by d.
  struct Entry {
    double a, at, step, low, high;
  };

  struct Slope {
    double slope = 0.0, curvature = 0.0;
  };

  // The rows of a column: most are straight within the bounds of the variable, and only summed up.
  struct Column {
    std::size_t first_entry = 0, last_entry = 0;
    Slope straight;
  };

  // What a group's step knows of a member.
  struct Member {
    Column column;
    Slope rows;        // at the current point
    double curvature;  // of the model that the step minimises
    double next;
  };

  // What one thread sweeps over: whole components, so that threads share no row.
  struct Share {
    std::vector<std::uint32_t> variables, groups;  // variables that are in no group
    double largest = 0.0;                          // move in the last sweep
    std::vector<Entry> entries;                    // of the column or group at hand
    std::vector<Member> members;                   // of the group at hand
  };

  // Deals components out in the order of their variables, by the entries of their columns. The
  // order within a component is the same for every number of threads, and so is the result.
  void make_shares(std::span<const std::uint32_t> component) {
    std::vector<std::size_t> work;
    for (std::size_t i = 0; i < component.size(); ++i) {
      if (component[i] >= work.size()) work.resize(component[i] + 1, 0);
      work[component[i]] += 1 + columns_.begin[i + 1] - columns_.begin[i];
    }
    shares_.resize(pool_.num_threads());
    const std::size_t total = problem_.num_variables + columns_.row.size();
    std::size_t done = 0;
    std::vector<std::size_t> share_of(work.size());
    for (std::size_t c = 0; c < work.size(); ++c) {
      share_of[c] =
          std::min(shares_.size() - 1,
                   (done + work[c] / 2) * shares_.size() / std::max<std::size_t>(total, 1));
      done += work[c];
    }
    for (std::uint32_t i = 0; i < problem_.num_variables; ++i) {
      if (!grouped_[i]) shares_[share_of[component[i]]].variables.push_back(i);
    }
    for (std::uint32_t g = 0; g < problem_.groups.size(); ++g) {
      const std::uint32_t member = problem_.group_variables[problem_.groups[g].first];
      shares_[share_of[component[member]]].groups.push_back(g);
    }
    std::erase_if(shares_, [](const Share& share) {
      return share.variables.empty() && share.groups.empty();
    });
  }

  void sweep(Share& share, double rest_below) {
    share.largest = 0.0;
    const auto visit = [&](std::size_t place, const auto& step) {
      if (rests_[place] != 0) {
        rests_[place] = 0;
        return;
      }
      const double move = step();
      rests_[place] = move < rest_below ? 1 : 0;
      share.largest = std::max(share.largest, move);
    };
    for (const std::uint32_t i : share.variables) visit(i, [&] { return step(i, share); });
    for (const std::uint32_t g : share.groups) {
      visit(problem_.num_variables + g, [&] { return group_step(g, share); });
    }
  }

  // Slope and curvature of the rows of a column after a move by d.
  static Slope slope_after(double d, const Column& column, const std::vector<Entry>& entries) {
    Slope sum{column.straight.slope + column.straight.curvature * d, column.straight.curvature};
    for (std::size_t k = column.first_entry; k < column.last_entry; ++k) {
      const Entry& e = entries[k];
      const double at = e.at + e.step * d, mu = std::clamp(at, e.low, e.high);
      sum.slope += e.a * mu;
      if (mu == at) sum.curvature += e.a * e.step;
    }
    return sum;
  }

  // Adds the column of i to the entries.
  Column gather(std::size_t i, std::vector<Entry>& entries) const {
    const double down = problem_.lower[i] - point_.x[i], up = problem_.upper[i] - point_.x[i];
    Column column{entries.size(), 0, {}};
    for (std::size_t e = columns_.begin[i]; e < columns_.begin[i + 1]; ++e) {
      const Row& row = rows_[columns_.row[e]];
      const std::uint32_t slot = columns_.slot[e];
      const Interval clip = clip_of(kind_of_slot_[slot], row.rate);
      const double a = columns_.coefficients[slot], step = row.rate * a;
      const double at = row.lambda + row.rate * row.residual;
      const double least = at + (step > 0.0 ? step * down : step * up);
      const double most = at + (step > 0.0 ? step * up : step * down);
      if (most <= clip.low) {
        column.straight.slope += a * clip.low;
      } else if (least >= clip.high) {
        column.straight.slope += a * clip.high;
      } else if (least >= clip.low && most <= clip.high) {
        column.straight.slope += a * at;
        column.straight.curvature += a * step;
      } else {
        entries.push_back({a, at, step, clip.low, clip.high});
      }
    }
    column.last_entry = entries.size();
    return column;
  }

  // Minimises along variable i; how far it moved.
  double step(std::size_t i, Share& share) {
    if (columns_.begin[i] == columns_.begin[i + 1]) return 0.0;  // at its minimum from the start
    share.entries.clear();
    const Column column = gather(i, share.entries);
    return move(i, minimum(i, column, share.entries));
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
  double minimum(std::size_t i, const Column& column, const std::vector<Entry>& entries) {
    const auto segments = problem_.folded.of(i);
    const double lower = problem_.lower[i], upper = problem_.upper[i];
    double high = std::numeric_limits<double>::infinity(), low = -high;  // seen, not the minimum
    const double before = point_.x[i];
    double x = before;
    for (int n = 0; n < kMaxNewtonSteps; ++n) {
      const Slope rows = slope_after(x - before, column, entries);
      const Interval folded = slopes_at(segments, upper, x);
      const double slack = 1e-14 * (1.0 + std::abs(rows.slope));  // rounding of a sum of slopes
      if (folded.low + rows.slope <= slack && folded.high + rows.slope >= -slack) return x;
      (folded.high + rows.slope < 0.0 ? low : high) = x;
      double next =
          minimise(segments, upper, rows.slope - rows.curvature * x, rows.curvature, hint_[i]).x;
      if (column.first_entry == column.last_entry) return next;  // the quadratic is exact
      if (!(next > low && next < high)) next = 0.5 * (std::max(low, lower) + std::min(high, upper));
      if (next == x) return x;
      x = next;
    }
    return x;
  }

  // Minimises over a group: rows are replaced by their quadratics at the current point, the sum is
  // kept by its multiplier. Where that model was too flat, by quadratics that lie above.
  double group_step(std::size_t g, Share& share) {
    const Group& group = problem_.groups[g];
    const std::uint32_t* variables = problem_.group_variables.data() + group.first;
    share.entries.clear();
    share.members.clear();
    for (std::size_t k = 0; k < group.count; ++k) {
      const Column column = gather(variables[k], share.entries);
      const Slope rows = slope_after(0.0, column, share.entries);
      share.members.push_back({column, rows, rows.curvature, point_.x[variables[k]]});
    }
    minimise_group(g, group, variables, share.members);
    if (most_siblings_[g] > 1 || model_is_too_flat(variables, share)) {
      for (Member& member : share.members) {
        member.curvature = steepest(member.column, share.entries) * most_siblings_[g];
      }
      minimise_group(g, group, variables, share.members);
    }
    double largest = 0.0;
    for (std::size_t k = 0; k < group.count; ++k) {
      largest = std::max(largest, move(variables[k], share.members[k].next));
    }
    return largest;
  }

  // The curvature of a column where all its rows bend.
  static double steepest(const Column& column, const std::vector<Entry>& entries) {
    double sum = column.straight.curvature;
    for (std::size_t k = column.first_entry; k < column.last_entry; ++k) {
      sum += entries[k].a * entries[k].step;
    }
    return sum;
  }

  void minimise_group(std::size_t g,
                      const Group& group,
                      const std::uint32_t* variables,
                      std::vector<Member>& members) {
    double scale = 0.0;
    for (const Member& member : members) scale = std::max(scale, member.curvature);
    if (scale == 0.0) scale = 1.0;
    find_group_multiplier(
        [&](double lambda, double& slope) {
          double sum = 0.0;
          for (std::size_t k = 0; k < group.count; ++k) {
            const std::size_t i = variables[k];
            Member& member = members[k];
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

  // Whether the slopes of the rows rose by much more than what the model says.
  bool model_is_too_flat(const std::uint32_t* variables, const Share& share) const {
    double predicted = 0.0, actual = 0.0;
    for (std::size_t k = 0; k < share.members.size(); ++k) {
      const Member& member = share.members[k];
      const double d = member.next - point_.x[variables[k]];
      if (d == 0.0) continue;
      const Slope there = slope_after(d, member.column, share.entries);
      predicted += member.curvature * d * d;
      actual += (there.slope - member.rows.slope) * d;
    }
    return actual > kTooFlat * predicted + kNothing;
  }

  const Problem& problem_;
  ThreadPool& pool_;
  const Columns& columns_;
  std::vector<TermKind> kind_of_slot_;
  PrimalDual point_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> hint_;
  std::vector<char> rests_;  // per variable, then per group: whether it rests in the next sweep
  double last_largest_ = 0.0;
  std::vector<bool> grouped_;
  // Per group: by so much can the curvatures of single members fall short of that of the group.
  const std::vector<double>& most_siblings_;
  std::vector<Share> shares_;
};

// How many sweeps it takes from `gap` to `target` if they go on as from `last_gap`.
double sweeps_to_go(double last_gap, double gap, double target, std::uint64_t sweeps) {
  if (gap <= target) return 0.0;
  const double rate = std::log(gap / last_gap) / static_cast<double>(sweeps);
  return rate < 0.0 ? std::log(std::max(target, kNothing) / gap) / rate : INFINITY;
}

enum class WhenSlow : std::uint8_t { kGoOn, kHandOver };

SolverResult descend(const Problem& problem,
                     ProblemStructure& structure,
                     PrimalDual start,
                     const SolveOptions& options,
                     ThreadPool& pool,
                     WhenSlow when_slow) {
  const std::uint64_t limit =
      options.max_iterations > 0 ? options.max_iterations : kDefaultMaxSweeps;
  // Of a gap that hardly asks for anything, one digit.
  const double digits = std::max(-std::log10(std::max(options.gap, kNothing)), 1.0);
  const double worthwhile = kWorthwhileSweeps * digits;
  StoppingRule rule(problem, options, name_of(Solver::kCoordinateDescent), pool);
  Descent descent(problem, structure, std::move(start), pool);
  SolverResult result;
  std::uint64_t last_check = 0, next_check = 1;
  double last_gap = INFINITY, move = INFINITY;
  MultiplierPace pace;
  for (std::uint64_t sweep = 1; sweep <= limit; ++sweep) {
    const double last_move = std::exchange(move, descent.sweep());  // variables may have rested
    result.iterations = sweep;
    if (sweep >= next_check || sweep == limit) {
      next_check = sweep + std::max(kLeastApart, sweep / kChecksApart);
      if (sweep <= kLeastApart) next_check = sweep + 1;  // warm starts take few
      descent.refresh_residuals();
      if (const auto status = rule.check(descent.point(), sweep)) {
        result.status = *status;
        break;
      }
      const double gap = std::max(std::abs(rule.gap()), rule.bounds().violation);
      if (when_slow == WhenSlow::kHandOver && sweep > 1 &&
          sweeps_to_go(last_gap, gap, options.gap, sweep - last_check) > worthwhile) {
        break;
      }
      pace.see_gap(gap);
      last_gap = gap;
      last_check = sweep;
    }
    if (pace.may_follow(std::max(move, last_move))) pace.followed(descent.update_lambdas());
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
  ProblemStructure structure(problem);
  return descend(problem, structure, std::move(start), options, pool, WhenSlow::kGoOn);
}

SolverResult descend_while_worthwhile(const Problem& problem,
                                      ProblemStructure& structure,
                                      PrimalDual start,
                                      const SolveOptions& options,
                                      ThreadPool& pool) {
  return descend(problem, structure, std::move(start), options, pool, WhenSlow::kHandOver);
}

}  // namespace sorites
