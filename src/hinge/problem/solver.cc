#include "hinge/problem/solver.h"

#include <algorithm>
#include <cmath>

#include "hinge/problem/group_multiplier.h"
#include "hinge/problem/row_loop.h"

namespace sorites {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What a thread sums up.
struct PartialBounds {
  Bounds bounds;
  std::vector<double> gradient;  // of its rows
};

void add_rows(const Problem& problem, const PrimalDual& point, Part part, PartialBounds& sums) {
  for_blocks(
      problem, part, [&](const RowBlock& block, auto width, std::size_t first, std::size_t last) {
        const std::uint32_t* entry = problem.variables_of(block, first).data();
        for (std::size_t row = first; row < last; ++row, entry += width.value(block)) {
          const double b = problem.offset[row], w = problem.weight[row],
                       mu = point.multipliers[row];
          const double residual = b + dot(block, width, entry, point.x.data());
          sums.bounds.objective += potential(block.kind, w, residual);
          sums.bounds.violation = std::max(sums.bounds.violation, violation(block.kind, residual));
          if (mu == 0.0) continue;
          sums.bounds.lower_bound += mu * b - conjugate(block.kind, w, mu);
          scatter(block, width, entry, mu, sums.gradient.data());
        }
      });
}

// The size of a group's multiplier: it lies between slopes of its members.
double group_scale(const Problem& problem,
                   const Group& group,
                   const std::vector<double>& gradient) {
  double largest = 0.0;
  for (std::size_t k = 0; k < group.count; ++k) {
    const std::size_t i = problem.group_variables[group.first + k];
    const auto segments = problem.folded.of(i);
    const double low = segments.front().derivative(problem.lower[i]) + gradient[i];
    const double high = segments.back().derivative(problem.upper[i]) + gradient[i];
    largest = std::max({largest, std::abs(low), std::abs(high)});
  }
  return largest;
}

void add_groups(const Problem& problem,
                PrimalDual& point,
                std::vector<double>& gradient,
                Bounds& bounds) {
  point.group_multipliers.resize(problem.groups.size(), 0.0);
  for (std::size_t g = 0; g < problem.groups.size(); ++g) {
    const Group& group = problem.groups[g];
    const std::uint32_t* members = problem.group_variables.data() + group.first;
    double& lambda = point.group_multipliers[g];
    const double scale = group_scale(problem, group, gradient);
    const auto sum_at = [&](double at, double& slope) {
      double sum = 0.0;
      for (std::size_t k = 0; k < group.count; ++k) {
        const std::size_t i = members[k];
        const auto segments = problem.folded.of(i);
        std::uint32_t hint = static_cast<std::uint32_t>(segments.size() / 2);
        const Minimum minimum = minimise(segments, problem.upper[i], gradient[i] + at, 0.0, hint);
        sum += minimum.x;
        slope -= minimum.inverse_curvature;
      }
      return sum;
    };
    if (scale == 0.0) lambda = 0.0;  // all states are equally good, and any other gives less
    if (scale > 0.0) find_group_multiplier(sum_at, group.total, scale, lambda);
    double sum = 0.0;
    for (std::size_t k = 0; k < group.count; ++k) {
      sum += point.x[members[k]];
      gradient[members[k]] += lambda;
    }
    bounds.violation = std::max(bounds.violation, std::abs(sum - group.total));
    bounds.lower_bound -= lambda * group.total;
  }
}

void add_variables(const Problem& problem,
                   const PrimalDual& point,
                   const std::vector<double>& gradient,
                   Part part,
                   Bounds& bounds) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const auto segments = problem.folded.of(i);
    bounds.objective += segments[segment_at(segments, point.x[i])].value(point.x[i]);
    bounds.lower_bound += lowest(segments, problem.upper[i], gradient[i]);
  }
}

}  // namespace

Bounds evaluate(const Problem& problem,
                PrimalDual& point,
                std::vector<double>& gradient,
                ThreadPool& pool) {
  const std::size_t parts = pool.num_threads();
  std::vector<PartialBounds> sums(parts);
  pool.for_each(parts, [&](std::size_t p) {
    sums[p].gradient.assign(problem.num_variables, 0.0);
    add_rows(problem, point, part_of(problem.num_rows(), parts, p), sums[p]);
  });
  gradient = std::move(sums[0].gradient);
  for (std::size_t p = 1; p < parts; ++p) {
    for (std::size_t i = 0; i < problem.num_variables; ++i) gradient[i] += sums[p].gradient[i];
  }
  add_groups(problem, point, gradient, sums[0].bounds);
  pool.for_each(parts, [&](std::size_t p) {
    add_variables(
        problem, point, gradient, part_of(problem.num_variables, parts, p), sums[p].bounds);
  });
  Bounds bounds{.objective = problem.constant, .lower_bound = problem.constant};
  for (const PartialBounds& part : sums) {
    bounds.objective += part.bounds.objective;
    bounds.lower_bound += part.bounds.lower_bound;
    bounds.violation = std::max(bounds.violation, part.bounds.violation);
  }
  return bounds;
}

StoppingRule::StoppingRule(const Problem& problem,
                           const SolveOptions& options,
                           std::string_view solver,
                           ThreadPool& pool)
    : problem_(problem),
      options_(options),
      solver_(solver),
      pool_(pool),
      start_(std::chrono::steady_clock::now()),
      has_hard_rows_(!problem.groups.empty() ||
                     std::any_of(problem.blocks.begin(),
                                 problem.blocks.end(),
                                 [](const RowBlock& block) { return is_hard(block.kind); })) {}

std::optional<SolveStatus> StoppingRule::check(PrimalDual& point, std::uint64_t iterations) {
  bounds_ = evaluate(problem_, point, gradient_, pool_);
  if (options_.progress) {
    options_.progress({solver_,
                       iterations,
                       bounds_.objective,
                       bounds_.lower_bound,
                       gap(),
                       bounds_.violation,
                       seconds_since(start_)});
  }
  if (std::abs(gap()) <= options_.gap && bounds_.violation <= options_.violation) {
    return SolveStatus::kOptimal;
  }
  if (has_hard_rows_ && proves_infeasible(point)) return SolveStatus::kInfeasible;
  return out_of_time();
}

std::optional<SolveStatus> StoppingRule::out_of_time() const {
  if (options_.stop.stop_requested()) return SolveStatus::kInterrupted;
  if (seconds_since(start_) > options_.time_limit_seconds) return SolveStatus::kTimeLimit;
  return std::nullopt;
}

namespace {

// Farkas: if  sum_r d_r (a_r'x + b_r) > 0  for all x within bounds, though every hard row wants its
// part of the sum to be at most 0, then no x keeps them all. `rows` and `groups` are d.
bool is_farkas_proof(const Problem& problem,
                     const std::vector<double>& rows,
                     const std::vector<double>& groups) {
  std::vector<double> gradient(problem.num_variables, 0.0);
  double least = 0.0, size = 0.0;
  for (const RowBlock& block : problem.blocks) {
    if (!is_hard(block.kind)) continue;
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const double d = block.kind == TermKind::kAtMost ? std::max(0.0, rows[row]) : rows[row];
      least += d * problem.offset[row];
      size += std::abs(d);
      scatter(block, Width<0>(), problem.variables_of(block, row).data(), d, gradient.data());
    }
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Group& group = problem.groups[g];
    least -= groups[g] * group.total;
    size += std::abs(groups[g]);
    for (std::size_t k = 0; k < group.count; ++k) {
      gradient[problem.group_variables[group.first + k]] += groups[g];
    }
  }
  for (std::size_t i = 0; i < problem.num_variables; ++i) {
    least += gradient[i] * (gradient[i] > 0.0 ? problem.lower[i] : problem.upper[i]);
  }
  // Well above the rounding of the sum, well below any contradiction that matters
  // (kHardTolerance of conflict/hard_rows.h is 1e-6).
  constexpr double kProof = 1e-7;
  return least > kProof * size && std::isfinite(size);
}

}  // namespace

bool StoppingRule::proves_infeasible(const PrimalDual& point) {
  if (bounds_.violation <= options_.violation) return false;
  if (is_farkas_proof(problem_, point.multipliers, point.group_multipliers)) return true;
  bool proven = false;
  if (!last_multipliers_.empty() || !last_group_multipliers_.empty()) {
    std::vector<double> change = point.multipliers, group_change = point.group_multipliers;
    for (std::size_t r = 0; r < change.size(); ++r) change[r] -= last_multipliers_[r];
    for (std::size_t g = 0; g < group_change.size(); ++g) {
      group_change[g] -= last_group_multipliers_[g];
    }
    proven = is_farkas_proof(problem_, change, group_change);
  }
  last_multipliers_ = point.multipliers;
  last_group_multipliers_ = point.group_multipliers;
  return proven;
}

PrimalDual cold_start(const Problem& problem) {
  PrimalDual point;
  point.x.resize(problem.num_variables);
  for (std::size_t i = 0; i < problem.num_variables; ++i) {
    std::uint32_t hint = 0;
    point.x[i] = minimise(problem.folded.of(i), problem.upper[i], 0.0, 0.0, hint).x;
  }
  point.multipliers.assign(problem.num_rows(), 0.0);
  point.group_multipliers.assign(problem.groups.size(), 0.0);
  return point;
}

void set_slopes(const Problem& problem, PrimalDual& point) {
  point.multipliers.resize(problem.num_rows());
  for_blocks(problem,
             {0, problem.num_rows()},
             [&](const RowBlock& block, auto width, std::size_t first, std::size_t last) {
               const std::uint32_t* entry = problem.variables_of(block, first).data();
               for (std::size_t r = first; r < last; ++r, entry += width.value(block)) {
                 const double residual =
                     problem.offset[r] + dot(block, width, entry, point.x.data());
                 point.multipliers[r] = slope(block.kind, problem.weight[r], residual);
               }
             });
}

}  // namespace sorites
