#include "solve/stochastic_gradient.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "solve/best_point.h"
#include "solve/group_multiplier.h"
#include "solve/row_scale.h"
#include "solve/start.h"

namespace sorites {
namespace {

constexpr std::uint64_t kDefaultMaxPasses = 200;
constexpr std::size_t kRowsPerPage = 1024;  // that are visited in their own order
constexpr double kHardPenalty = 10.0;       // times the row's scale: slope per violation

struct Page {
  std::size_t block = 0, first = 0, last = 0;
};

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
    const double length = 1.0 / std::sqrt(static_cast<double>(number));
    for (const Page& page : pages_) {
      const RowBlock& block = problem_.blocks[page.block];
      for (std::size_t r = page.first; r < page.last; ++r) visit(block, r, length);
    }
    keep_groups();
    const double weight = number < 4 ? 1.0 : 4.0 / static_cast<double>(number + 1);
    for (std::size_t i = 0; i < average_.size(); ++i) {
      average_[i] += weight * (point_.x[i] - average_[i]);
    }
  }

  PrimalDual averaged() const {
    PrimalDual point = point_;
    point.x = average_;
    set_slopes(problem_, point);
    return point;
  }

 private:
  void visit(const RowBlock& block, std::size_t r, double length) {
    const auto variables = problem_.variables_of(block, r);
    double residual = problem_.offset[r];
    for (std::size_t k = 0; k < variables.size(); ++k) {
      residual += block.coefficients[k] * point_.x[variables[k]];
    }
    double mu = slope(block.kind, problem_.weight[r], residual);
    if (is_hard(block.kind) && violation(block.kind, residual) > 0.0) {
      mu = kHardPenalty * row_scale(block.kind, 0.0) * residual;
    }
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
