#include "hinge/methods/pdhg.h"

#include <algorithm>
#include <cmath>

#include "hinge/problem/best_point.h"
#include "hinge/problem/group_multiplier.h"
#include "hinge/problem/row_loop.h"
#include "hinge/problem/row_scale.h"
#include "hinge/problem/start.h"

namespace sorites {
namespace {

constexpr std::uint64_t kDefaultMaxIterations = 100'000;  // for small gaps of linear models

// When to restart: the three conditions of Applegate et al. 2021 with the constants of Lu and Yang
// 2023. Halved or doubled, each changes the number of iterations by at most 5 % (ten models, gap
// 1e-5), but for the shortest round: 1.09 times as many with 20.
constexpr double kSufficientDecay = 0.2, kNecessaryDecay = 0.8, kLongRound = 0.36;
constexpr std::uint64_t kShortestRound = 10;

// A distance between two iterates, both halves in the norms of the preconditioner.
struct Distance {
  double x2 = 0.0, mu2 = 0.0;  // sum c_i dx_i^2, sum d_r dmu_r^2

  Distance& operator+=(const Distance& other) {
    x2 += other.x2;
    mu2 += other.mu2;
    return *this;
  }
  double weighted(double omega) const { return std::sqrt(x2 * omega + mu2 / omega); }
};

// T is one step of the method; an iteration goes to  k/(k+1) (2 T(z) - z) + 1/(k+1) z0  for
// z = (x, mu), the k-th iteration since the last restart, which was at z0.
class Pdhg {
 public:
  Pdhg(const Problem& problem, const PrimalDual& start, ThreadPool& pool);

  // One iteration; gives |z - T(z)|.
  double iterate();
  void restart();
  bool wants_restart(double residual, std::uint64_t iterations);

  // T(z) of the last iteration: within bounds and domains, which z need not be.
  PrimalDual& image() { return image_; }

 private:
  void choose_scales();
  double operator_norm();
  Distance step_variables(double keep, std::size_t part);
  Distance step_rows(double keep, std::size_t part);
  void step_group(const Group& group, double& lambda);
  double gradient(std::size_t variable) const;
  double move_variable(std::size_t variable, double target, double keep);
  template <class Step>
  Distance in_parts(const Step& step);

  const Problem& problem_;
  ThreadPool& pool_;
  Columns columns_;
  std::vector<double> c_;               // per variable: 1 / tau where eta = omega = 1
  std::vector<double> inverse_d_;       // per row: sigma where eta = omega = 1
  std::vector<bool> in_group_;          // per variable
  std::vector<double> x_, x0_, ahead_;  // ahead: 2 T(x) - x
  std::vector<double> mu_, mu0_;
  PrimalDual image_;
  std::vector<double> group_gradient_;  // per entry of group_variables
  std::vector<std::uint32_t> hint_;     // per variable: the segment of T(x)
  double eta_ = 1.0;                    // tau sigma = eta^2
  double omega_ = 1.0;                  // sigma / tau
  std::uint64_t since_restart_ = 0;
  double first_residual_ = 0.0, last_residual_ = 0.0;  // of those since the restart
};

Pdhg::Pdhg(const Problem& problem, const PrimalDual& start, ThreadPool& pool)
    : problem_(problem),
      pool_(pool),
      columns_(columns_of(problem)),
      in_group_(problem.num_variables, false),
      x_(start.x),
      x0_(start.x),
      ahead_(start.x),
      mu_(start.multipliers),
      mu0_(start.multipliers),
      image_(start),
      group_gradient_(problem.group_variables.size()),
      hint_(problem.num_variables, 0) {
  for (const std::uint32_t i : problem.group_variables) in_group_[i] = true;
  choose_scales();
  eta_ = 1.0 / operator_norm();
}

// For any positive s_r the steps  sigma_r = s_r / |a_r|_1  and  tau_i = 1 / sum_r s_r |a_ri|  are
// short enough. Those of the square roots of the units were the fastest.
void Pdhg::choose_scales() {
  c_.assign(problem_.num_variables, 0.0);
  inverse_d_.resize(problem_.num_rows());
  for (const RowBlock& block : problem_.blocks) {
    double size = 0.0;
    for (const double a : block.coefficients) size += std::abs(a);
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const double s = std::sqrt(row_scale(block.kind, problem_.weight[row]));
      inverse_d_[row] = size > 0.0 ? s / size : s;
      const auto variables = problem_.variables_of(block, row);
      for (std::size_t k = 0; k < variables.size(); ++k) {
        c_[variables[k]] += std::abs(block.coefficients[k]) * s;
      }
    }
  }
  // Members of a group need a finite step, or their sum cannot be met exactly: a tenth of the mean,
  // where half and double do the same.
  double sum = 0.0, count = 0.0;
  for (const double c : c_) {
    sum += c;
    count += c > 0.0 ? 1.0 : 0.0;
  }
  for (const std::uint32_t i : problem_.group_variables) {
    constexpr double kLeastShare = 0.1;
    c_[i] = std::max(c_[i], count > 0.0 ? kLeastShare * sum / count : 1.0);
  }
}

// A little more than |D^-1/2 A C^-1/2| by power iterations; at most 1 by the choice of C and D.
double Pdhg::operator_norm() {
  constexpr int kIterations = 10;  // with 60 the method takes as many iterations as with 10
  std::vector<double> v(problem_.num_variables), w(problem_.num_variables);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = 1.0 + 0.1 * static_cast<double>(i * 7 % 13);
  double norm = 1.0;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    double size = 0.0;
    for (std::size_t i = 0; i < v.size(); ++i) size += v[i] * v[i];
    size = std::sqrt(size);
    if (!(size > 0.0)) return 1.0;
    norm = size;
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] *= c_[i] > 0.0 ? 1.0 / (size * std::sqrt(c_[i])) : 0.0;
      w[i] = 0.0;
    }
    for_blocks(problem_,
               {0, problem_.num_rows()},
               [&](const RowBlock& block, auto width, std::size_t first, std::size_t last) {
                 const std::uint32_t* entry = problem_.variables_of(block, first).data();
                 for (std::size_t row = first; row < last; ++row, entry += width.value(block)) {
                   const double value = inverse_d_[row] * dot(block, width, entry, v.data());
                   scatter(block, width, entry, value, w.data());
                 }
               });
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = c_[i] > 0.0 ? w[i] / std::sqrt(c_[i]) : 0.0;
  }
  // Power iterations come from below. A margin of 1 or 1.1 takes as many iterations. A norm below
  // the least one would be that of a start which lies across what matters: no model has one, with
  // 0.01 and 0.5 all take as many iterations as with 0.1.
  constexpr double kMargin = 1.05, kLeastNorm = 0.1;
  return std::clamp(kMargin * std::sqrt(norm), kLeastNorm, 1.0);
}

template <class Step>
Distance Pdhg::in_parts(const Step& step) {
  std::vector<Distance> moved(pool_.num_threads());
  pool_.for_each(moved.size(), [&](std::size_t part) { moved[part] = step(part); });
  Distance sum;
  for (const Distance& part : moved) sum += part;
  return sum;
}

double Pdhg::gradient(std::size_t variable) const {
  double sum = 0.0;
  for (std::size_t e = columns_.begin[variable]; e < columns_.begin[variable + 1]; ++e) {
    sum += columns_.coefficients[columns_.slot[e]] * mu_[columns_.row[e]];
  }
  return sum;
}

// T(x_i) = target; gives c_i dx_i^2.
double Pdhg::move_variable(std::size_t variable, double target, double keep) {
  const double change = target - x_[variable];
  image_.x[variable] = target;
  ahead_[variable] = target + change;
  x_[variable] = keep * ahead_[variable] + (1.0 - keep) * x0_[variable];
  return c_[variable] * change * change;
}

// x_i(lambda) = argmin f_i(x) + (g_i + lambda) x + (x - x_i)^2 / (2 tau_i), with lambda such that
// the sum is the group's. Writes the x_i to image_.
void Pdhg::step_group(const Group& group, double& lambda) {
  const double inverse_step = omega_ / eta_;
  const std::uint32_t* members = problem_.group_variables.data() + group.first;
  double* linear = group_gradient_.data() + group.first;
  for (std::size_t k = 0; k < group.count; ++k) {
    const std::size_t i = members[k];
    linear[k] = gradient(i) - x_[i] * c_[i] * inverse_step;
  }
  find_group_multiplier(
      [&](double at, double& slope) {
        double sum = 0.0;
        for (std::size_t k = 0; k < group.count; ++k) {
          const std::size_t i = members[k];
          const Minimum minimum = minimise(problem_.folded.of(i),
                                           problem_.upper[i],
                                           linear[k] + at,
                                           c_[i] * inverse_step,
                                           hint_[i]);
          image_.x[i] = minimum.x;
          sum += minimum.x;
          slope -= minimum.inverse_curvature;
        }
        return sum;
      },
      group.total,
      1.0,
      lambda);
}

Distance Pdhg::step_variables(double keep, std::size_t part) {
  const double inverse_step = omega_ / eta_;
  Distance moved;
  const Part mine = part_of(problem_.num_variables, pool_.num_threads(), part);
  for (std::size_t i = mine.begin; i < mine.end; ++i) {
    if (in_group_[i]) continue;
    const double quadratic = c_[i] * inverse_step;
    const double target = minimise(problem_.folded.of(i),
                                   problem_.upper[i],
                                   gradient(i) - x_[i] * quadratic,
                                   quadratic,
                                   hint_[i])
                              .x;
    moved.x2 += move_variable(i, target, keep);
  }
  const Part groups = part_of(problem_.groups.size(), pool_.num_threads(), part);
  for (std::size_t g = groups.begin; g < groups.end; ++g) {
    const Group& group = problem_.groups[g];
    step_group(group, image_.group_multipliers[g]);
    for (std::size_t k = 0; k < group.count; ++k) {
      const std::size_t i = problem_.group_variables[group.first + k];
      moved.x2 += move_variable(i, image_.x[i], keep);
    }
  }
  return moved;
}

// argmin of phi*(m) + (m - at)^2 / (2 sigma).
double dual_step(TermKind kind, double weight, double at, double sigma) {
  switch (kind) {
    case TermKind::kHinge:
      return std::clamp(at, 0.0, weight);
    case TermKind::kSquaredHinge:
      return weight > 0.0 ? std::max(0.0, at) / (1.0 + 0.5 * sigma / weight) : 0.0;
    case TermKind::kAtMost:
      return std::max(0.0, at);
    case TermKind::kEqual:
      return at;
  }
  return 0.0;  // not reached
}

Distance Pdhg::step_rows(double keep, std::size_t part) {
  const double step = omega_ * eta_;
  Distance moved;
  for_blocks(problem_,
             part_of(problem_.num_rows(), pool_.num_threads(), part),
             [&](const RowBlock& block, auto width, std::size_t first, std::size_t last) {
               const std::uint32_t* entry = problem_.variables_of(block, first).data();
               for (std::size_t row = first; row < last; ++row, entry += width.value(block)) {
                 const double sigma = step * inverse_d_[row];
                 if (sigma == 0.0) continue;
                 const double residual =
                     problem_.offset[row] + dot(block, width, entry, ahead_.data());
                 const double mu = mu_[row];
                 const double target =
                     dual_step(block.kind, problem_.weight[row], mu + sigma * residual, sigma);
                 image_.multipliers[row] = target;
                 mu_[row] = keep * (2.0 * target - mu) + (1.0 - keep) * mu0_[row];
                 moved.mu2 += (target - mu) * (target - mu) / inverse_d_[row];
               }
             });
  return moved;
}

double Pdhg::iterate() {
  const double k = static_cast<double>(++since_restart_);
  const double keep = k / (k + 1.0);
  Distance moved = in_parts([&](std::size_t part) { return step_variables(keep, part); });
  moved += in_parts([&](std::size_t part) { return step_rows(keep, part); });
  return moved.weighted(omega_);
}

bool Pdhg::wants_restart(double residual, std::uint64_t iterations) {
  const double before = last_residual_;
  last_residual_ = residual;
  if (since_restart_ == 1) {
    first_residual_ = residual;
    return false;
  }
  if (residual <= kSufficientDecay * first_residual_) return true;
  if (residual <= kNecessaryDecay * first_residual_ && residual > before) return true;
  if (since_restart_ < kShortestRound ||
      static_cast<double>(since_restart_) < kLongRound * static_cast<double>(iterations))
    return false;
  // A long way without any gain: the norm was underestimated, perhaps. Steps of eta 1 are safe.
  // Ten models never come here (0.5 and 1, which is never, take as many iterations): a safeguard.
  constexpr double kCaution = 0.8;
  if (residual > first_residual_) eta_ = std::max(1.0, kCaution * eta_);
  return true;
}

void Pdhg::restart() {
  Distance moved;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    moved.x2 += c_[i] * (x_[i] - x0_[i]) * (x_[i] - x0_[i]);
  }
  for (std::size_t row = 0; row < mu_.size(); ++row) {
    if (inverse_d_[row] == 0.0) continue;
    moved.mu2 += (mu_[row] - mu0_[row]) * (mu_[row] - mu0_[row]) / inverse_d_[row];
  }
  constexpr double kNothing = 1e-30;   // squares of rounding errors
  constexpr double kMostWeight = 1e6;  // beyond, one of the two would hardly move
  if (moved.x2 > kNothing && moved.mu2 > kNothing) {
    // Half way, in logarithms, to where both halves move equally far (Applegate et al. 2021).
    const double balanced = std::sqrt(moved.mu2 / moved.x2);
    omega_ = std::clamp(std::sqrt(omega_ * balanced), 1.0 / kMostWeight, kMostWeight);
  }
  x0_ = x_;
  mu0_ = mu_;
  since_restart_ = 0;
}

}  // namespace

SolverResult solve_pdhg(const Problem& problem,
                        PrimalDual start,
                        const SolveOptions& options,
                        ThreadPool& pool) {
  start = usable_start(problem, std::move(start));
  BestPoint best(problem, options, "pdhg", pool);
  std::optional<SolveStatus> status = best.check(start, 0);
  Pdhg method(problem, start, pool);
  const std::uint64_t limit =
      options.max_iterations > 0 ? options.max_iterations : kDefaultMaxIterations;
  std::uint64_t iterations = 0, last_check = 0;
  while (!status && iterations < limit) {
    const double residual = method.iterate();
    ++iterations;
    if (is_time_to_check(iterations, last_check) || iterations == limit) {
      status = best.check(method.image(), iterations);
      last_check = iterations;
    }
    if (!status && method.wants_restart(residual, iterations)) method.restart();
  }
  return std::move(best).result(status.value_or(SolveStatus::kIterationLimit), iterations);
}

}  // namespace sorites
