#include "hinge/methods/stochastic_gradient.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "hinge/problem/best_point.h"
#include "hinge/problem/group_multiplier.h"
#include "hinge/problem/proximal.h"
#include "hinge/problem/row_loop.h"
#include "hinge/problem/row_scale.h"
#include "hinge/problem/start.h"

namespace sorites {
namespace {

// All figures: gaps after 200 passes on ten models, solve_benchmark --solver stochastic-gradient.
// Whoever wants more than that takes another method.
constexpr std::uint64_t kDefaultMaxPasses = 200;
// Rows that are visited in their own order: a page of memory. 256 gives the same gaps, 4096 up to
// 1.6 times as large ones, since order is less random.
constexpr std::size_t kRowsPerPage = 1024;
// Times the row's unit: others give way to hard rows. Three hard models: with 3 gaps are 0.4 to
// 0.9 times as large and violations 1.3 to 1.6 times, with 30 gaps 1.1 to 3.1 and violations 0.5 to
// 0.8 times.
constexpr double kHardPenalty = 10.0;
// Of steps, in units of the steepness. Gaps grow by 1.0 to 10 with 10, and by 0.2 to 1.9 with 60.
constexpr double kFirstLength = 30.0;
// Of the step after which slopes at kinks are taken. Bounds of linear models are 1.2 to 3.5 times
// as far away with 0.1, the same with 0.6.
constexpr double kShortLength = 0.3;
// The average weighs pass n by about n^3: with 2 instead of 4 gaps are up to 1.5 times as large,
// with 8 they are 0.9 times as large, but forget less of a start that was good.
constexpr std::uint64_t kAveraging = 4;

struct Page {
  std::size_t block = 0, first = 0, last = 0;
};

// The slope of phi where the row's own step ends: steps by this slope never go too far, however
// long they are, and those of hard rows are projections.
double slope_after_step(TermKind kind, double weight, double flexibility, double residual) {
  switch (kind) {
    case TermKind::kHinge:
      return proximal_multiplier<TermKind::kHinge>(weight, flexibility, residual);
    case TermKind::kSquaredHinge:
      return proximal_multiplier<TermKind::kSquaredHinge>(weight, flexibility, residual);
    case TermKind::kAtMost:
      return proximal_multiplier<TermKind::kAtMost>(weight, flexibility, residual);
    case TermKind::kEqual:
      return proximal_multiplier<TermKind::kEqual>(weight, flexibility, residual);
  }
  return 0.0;  // not reached
}

class StochasticGradient {
 public:
  StochasticGradient(const Problem& problem, PrimalDual start, std::uint64_t seed)
      : problem_(problem),
        random_(seed),
        point_(std::move(start)),
        average_(point_.x),
        steepness_(problem.num_variables, 0.0),
        share_(problem.num_variables, 0.0) {
    for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
      const RowBlock& block = problem.blocks[b];
      for (std::size_t r = block.first_row; r < block.end_row(); r += kRowsPerPage) {
        pages_.push_back({b, r, std::min(block.end_row(), r + kRowsPerPage)});
      }
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        const double scale =
            row_scale(block.kind, problem.weight[r]) * (is_hard(block.kind) ? kHardPenalty : 1.0);
        for (const std::uint32_t i : problem.variables_of(block, r)) {
          steepness_[i] += scale * block.norm2;
          share_[i] += 1.0;
        }
      }
    }
    for (std::size_t i = 0; i < share_.size(); ++i) {
      if (share_[i] > 0.0) share_[i] = 1.0 / share_[i];
    }
  }

  // One pass over all rows in random order; steps shrink from pass to pass.
  void pass(std::uint64_t number) {
    std::shuffle(pages_.begin(), pages_.end(), random_);
    const double length = kFirstLength / static_cast<double>(number);
    for (const Page& page : pages_) {
      const RowBlock& block = problem_.blocks[page.block];
      for (std::size_t r = page.first; r < page.last; ++r) visit(block, r, length);
    }
    keep_groups();
    const double weight = number < kAveraging
                              ? 1.0
                              : static_cast<double>(kAveraging) / static_cast<double>(number + 1);
    for (std::size_t i = 0; i < average_.size(); ++i) {
      average_[i] += weight * (point_.x[i] - average_[i]);
    }
  }

  // Multipliers are the slopes at the average; but where phi has a kink, those after a short step
  // from there, which vary with the residual and so give a better bound.
  PrimalDual averaged() const {
    PrimalDual point = point_;
    point.x = average_;
    for (const RowBlock& block : problem_.blocks) {
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        const auto variables = problem_.variables_of(block, r);
        const double residual = residual_of(block, r, average_);
        const double flexibility = flexibility_of(block, variables, kShortLength);
        const bool smooth = block.kind == TermKind::kSquaredHinge || flexibility == 0.0;
        const double w = problem_.weight[r];
        point.multipliers[r] = smooth ? slope(block.kind, w, residual)
                                      : slope_after_step(block.kind, w, flexibility, residual);
      }
    }
    return point;
  }

 private:
  void visit(const RowBlock& block, std::size_t r, double length) {
    const auto variables = problem_.variables_of(block, r);
    const double residual = residual_of(block, r, point_.x);
    const double flexibility = flexibility_of(block, variables, length);
    if (flexibility == 0.0) return;
    const double mu = slope_after_step(block.kind, problem_.weight[r], flexibility, residual);
    for (std::size_t k = 0; k < variables.size(); ++k) {
      const std::size_t i = variables[k];
      if (steepness_[i] == 0.0) continue;
      // A row carries its share of the folded functions of its variables: the step minimises
      // share f(x) + a mu x + stiffness / 2 (x - x_before)^2.
      const double stiffness = steepness_[i] / length;
      const double target = point_.x[i] - block.coefficients[k] * mu / stiffness;
      const auto segments = problem_.folded.of(i);
      auto hint = static_cast<std::uint32_t>(segment_at(segments, point_.x[i]));
      const double strength = stiffness / share_[i];
      point_.x[i] = minimise(segments, problem_.upper[i], -strength * target, strength, hint).x;
    }
  }

  double residual_of(const RowBlock& block, std::size_t r, const std::vector<double>& x) const {
    return problem_.offset[r] +
           dot(block, Width<0>(), problem_.variables_of(block, r).data(), x.data());
  }

  // How far a step of the row changes its residual, per slope.
  double flexibility_of(const RowBlock& block,
                        std::span<const std::uint32_t> variables,
                        double length) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < variables.size(); ++k) {
      const double stiffness = steepness_[variables[k]] / length;
      if (stiffness == 0.0) continue;
      sum += block.coefficients[k] * block.coefficients[k] / stiffness;
    }
    return sum;
  }

  // Moves the members of every group to the nearest point that keeps the sum.
  void keep_groups() {
    for (std::size_t g = 0; g < problem_.groups.size(); ++g) {
      const Group& group = problem_.groups[g];
      const std::uint32_t* members = problem_.group_variables.data() + group.first;
      std::vector<double> next(group.count);
      double lambda = 0.0;
      find_group_multiplier(
          [&](double at, double& slope) {
            double sum = 0.0;
            for (std::size_t k = 0; k < group.count; ++k) {
              const std::size_t i = members[k];
              next[k] = std::clamp(point_.x[i] - at, problem_.lower[i], problem_.upper[i]);
              if (next[k] > problem_.lower[i] && next[k] < problem_.upper[i]) slope -= 1.0;
              sum += next[k];
            }
            return sum;
          },
          group.total,
          1.0,
          lambda);
      for (std::size_t k = 0; k < group.count; ++k) point_.x[members[k]] = next[k];
    }
  }

  const Problem& problem_;
  std::mt19937_64 random_;
  PrimalDual point_;
  std::vector<double> average_;
  std::vector<double> steepness_;  // per variable: of all its rows
  std::vector<double> share_;      // per variable: one over the number of its rows
  std::vector<Page> pages_;
};

}  // namespace

SolverResult solve_stochastic_gradient(const Problem& problem,
                                       PrimalDual start,
                                       const SolveOptions& options,
                                       ThreadPool& pool) {
  const std::uint64_t limit =
      options.max_iterations > 0 ? options.max_iterations : kDefaultMaxPasses;
  BestPoint best(problem, options, name_of(Solver::kStochasticGradient), pool);
  StochasticGradient gradient(problem, usable_start(problem, std::move(start)), options.seed);
  std::uint64_t last_check = 0;
  for (std::uint64_t number = 1; number <= limit; ++number) {
    gradient.pass(number);
    if (!is_time_to_check(number, last_check) && number != limit) continue;
    last_check = number;
    PrimalDual point = gradient.averaged();
    if (const auto status = best.check(point, number))
      return std::move(best).result(*status, number);
  }
  return std::move(best).result(SolveStatus::kIterationLimit, limit);
}

}  // namespace sorites
