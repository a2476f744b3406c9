#include "hinge/methods/gradient.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hinge/methods/multiplier_pace.h"
#include "hinge/problem/best_point.h"
#include "hinge/problem/group_multiplier.h"
#include "hinge/problem/row_loop.h"
#include "hinge/problem/row_scale.h"
#include "hinge/problem/start.h"

namespace sorites {
namespace {

// Iterations are cheap and many; beyond, a gap hardly closes.
constexpr std::uint64_t kDefaultMaxIterations = 200000;
// Iterations between two looks at the multipliers: 1.11 times as many iterations with 3, 0.87 with
// 10 and 0.89 with 20 on models without hard rows, where fewer restarts of the momentum pay; with
// hard rows more looks do.
constexpr std::uint64_t kRound = 5;

// The rate of a row's law. A hard row is the same however it is scaled, so it is taken as if it
// were a row of three atoms, the most frequent kind, with coefficients 1 and -1: then the rate is
// its unit. With a third of it 1.3 times as many iterations on models with hard rows, with twice it
// as many.
double rate_of(const RowBlock& block, double weight) {
  const double scale = row_scale(block.kind, weight);
  constexpr double kTypicalNorm2 = 3.0;
  return is_hard(block.kind) ? kTypicalNorm2 * scale / block.norm2 : scale;
}

class Gradient {
 public:
  Gradient(const Problem& problem, PrimalDual start, ThreadPool& pool)
      : problem_(problem),
        pool_(pool),
        point_(std::move(start)),
        lambda_(problem.num_rows(), 0.0),
        ahead_(point_.x),
        slope_(pool.num_threads()),
        hint_(problem.num_variables, 0),
        grouped_(problem.num_variables, false) {
    for (const std::uint32_t i : problem.group_variables) grouped_[i] = true;
    steepness_.assign(problem.num_variables, 0.0);
    for (const RowBlock& block : problem.blocks) {
      double sum = 0.0;
      for (const double a : block.coefficients) sum += std::abs(a);
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        if (block.kind != TermKind::kSquaredHinge) lambda_[r] = point_.multipliers[r];
        const double rate = rate_of(block, problem.weight[r]);
        const auto variables = problem.variables_of(block, r);
        for (std::size_t k = 0; k < variables.size(); ++k) {
          // sum_k |a_k| |a_i| bounds a a' by a diagonal.
          steepness_[variables[k]] += rate * sum * std::abs(block.coefficients[k]);
        }
      }
    }
    double largest = 0.0;
    for (const double steepness : steepness_) largest = std::max(largest, steepness);
    // Members of a group in no row need a finite step, or their sum cannot be met exactly. Between
    // 1e-4 and 1e-2 nothing changes.
    constexpr double kLeastSteepness = 1e-3;
    for (const std::uint32_t i : problem.group_variables) {
      steepness_[i] = std::max(steepness_[i], kLeastSteepness * std::max(largest, kLeastSteepness));
    }
  }

  // One iteration; the largest move.
  double iterate() {
    const std::size_t parts = pool_.num_threads();
    pool_.for_each(parts, [&](std::size_t p) {
      slope_[p].assign(problem_.num_variables, 0.0);
      add_slopes(part_of(problem_.num_rows(), parts, p), slope_[p]);
    });
    const double next_weight = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * weight_ * weight_));
    momentum_ = (weight_ - 1.0) / next_weight;
    weight_ = next_weight;
    uphill_ = largest_ = 0.0;
    for (std::size_t i = 0; i < problem_.num_variables; ++i) {
      if (grouped_[i] || steepness_[i] == 0.0) continue;
      move(i,
           minimise(problem_.folded.of(i), problem_.upper[i], pull(i), steepness_[i], hint_[i]).x);
    }
    for (std::size_t g = 0; g < problem_.groups.size(); ++g) move_group(g);
    if (uphill_ > 0.0) {  // the momentum leads away from where the gradient leads
      weight_ = 1.0;
      ahead_ = point_.x;
    }
    return largest_;
  }

  // lambda <- multiplier, for all rows but squared ones; the largest change, as a residual.
  double update_lambdas() {
    double largest = 0.0;
    for_rows(
        {0, problem_.num_rows()}, point_.x, [&](const RowBlock& block, std::size_t r, double mu) {
          if (block.kind == TermKind::kSquaredHinge) return;
          const double rate = rate_of(block, problem_.weight[r]);
          if (rate > 0.0) largest = std::max(largest, std::abs(mu - lambda_[r]) / rate);
          lambda_[r] = mu;
        });
    weight_ = 1.0;
    ahead_ = point_.x;
    return largest;
  }

  // The point with the multipliers of its rows.
  PrimalDual& point() {
    for_rows({0, problem_.num_rows()}, point_.x, [&](const RowBlock&, std::size_t r, double mu) {
      point_.multipliers[r] = mu;
    });
    return point_;
  }

 private:
  // Calls visit(block, row, multiplier at x) for the rows of a part.
  template <class Visit>
  void for_rows(Part part, const std::vector<double>& x, const Visit& visit) const {
    for_blocks(problem_,
               part,
               [&](const RowBlock& block, auto width, std::size_t first, std::size_t last) {
                 const std::uint32_t* entry = problem_.variables_of(block, first).data();
                 for (std::size_t r = first; r < last; ++r, entry += width.value(block)) {
                   const double w = problem_.weight[r];
                   const Interval domain = domain_of(block.kind, w);
                   const double residual = problem_.offset[r] + dot(block, width, entry, x.data());
                   const double at = lambda_[r] + rate_of(block, w) * residual;
                   visit(block, r, std::clamp(at, domain.low, domain.high));
                 }
               });
  }

  void add_slopes(Part part, std::vector<double>& slope) const {
    for_rows(part, ahead_, [&](const RowBlock& block, std::size_t r, double mu) {
      if (mu == 0.0) return;
      scatter(block, Width<0>(), problem_.variables_of(block, r).data(), mu, slope.data());
    });
  }

  // The linear part of the proximal step around `ahead_`.
  double pull(std::size_t i) const {
    double sum = -steepness_[i] * ahead_[i];
    for (const std::vector<double>& part : slope_) sum += part[i];
    return sum;
  }

  void move(std::size_t i, double x) {
    const double step = x - point_.x[i];
    uphill_ += steepness_[i] * (ahead_[i] - x) * step;
    largest_ = std::max(largest_, std::abs(step));
    ahead_[i] = x + momentum_ * step;
    point_.x[i] = x;
  }

  void move_group(std::size_t g) {
    const Group& group = problem_.groups[g];
    const std::uint32_t* members = problem_.group_variables.data() + group.first;
    std::vector<double> pulls(group.count), next(group.count);
    for (std::size_t k = 0; k < group.count; ++k) pulls[k] = pull(members[k]);
    find_group_multiplier(
        [&](double lambda, double& slope) {
          double sum = 0.0;
          for (std::size_t k = 0; k < group.count; ++k) {
            const std::size_t i = members[k];
            const Minimum minimum = minimise(problem_.folded.of(i),
                                             problem_.upper[i],
                                             pulls[k] + lambda,
                                             steepness_[i],
                                             hint_[i]);
            sum += next[k] = minimum.x;
            slope -= minimum.inverse_curvature;
          }
          return sum;
        },
        group.total,
        steepness_[members[0]],
        point_.group_multipliers[g]);
    for (std::size_t k = 0; k < group.count; ++k) move(members[k], next[k]);
  }

  const Problem& problem_;
  ThreadPool& pool_;
  PrimalDual point_;
  std::vector<double> lambda_;              // per row; 0 for squared ones
  std::vector<double> ahead_;               // per variable: where the momentum leads
  std::vector<double> steepness_;           // per variable: inverse step size
  std::vector<std::vector<double>> slope_;  // per part, per variable: A'mu at `ahead_`
  std::vector<std::uint32_t> hint_;
  std::vector<bool> grouped_;
  double weight_ = 1.0, momentum_ = 0.0;
  double uphill_ = 0.0, largest_ = 0.0;
};

}  // namespace

SolverResult solve_gradient(const Problem& problem,
                            PrimalDual start,
                            const SolveOptions& options,
                            ThreadPool& pool) {
  const std::uint64_t limit =
      options.max_iterations > 0 ? options.max_iterations : kDefaultMaxIterations;
  BestPoint best(problem, options, name_of(Solver::kGradient), pool);
  Gradient gradient(problem, usable_start(problem, std::move(start)), pool);
  double largest = 0.0;
  MultiplierPace pace;
  std::uint64_t last_check = 0;
  for (std::uint64_t iteration = 1; iteration <= limit; ++iteration) {
    largest = std::max(largest, gradient.iterate());
    if (iteration % kRound == 0) {
      const double moved = std::exchange(largest, 0.0);
      if (pace.may_follow(moved)) pace.followed(gradient.update_lambdas());
    }
    if (!is_time_to_check(iteration, last_check) && iteration != limit) continue;
    last_check = iteration;
    if (const auto status = best.check(gradient.point(), iteration)) {
      return std::move(best).result(*status, iteration);
    }
    pace.see_gap(std::max(std::abs(best.last_gap()), best.last().violation));
  }
  return std::move(best).result(SolveStatus::kIterationLimit, limit);
}

}  // namespace sorites
