#include "hinge/methods/admm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hinge/problem/proximal.h"
#include "hinge/problem/random_problem.h"

namespace sorites {
namespace {

double proximal(TermKind kind, double weight, double flexibility, double t) {
  switch (kind) {
    case TermKind::kHinge:
      return proximal_multiplier<TermKind::kHinge>(weight, flexibility, t);
    case TermKind::kSquaredHinge:
      return proximal_multiplier<TermKind::kSquaredHinge>(weight, flexibility, t);
    case TermKind::kAtMost:
      return proximal_multiplier<TermKind::kAtMost>(weight, flexibility, t);
    case TermKind::kEqual:
      return proximal_multiplier<TermKind::kEqual>(weight, flexibility, t);
  }
  return 0.0;
}

// phi(t - flexibility mu) + flexibility mu^2 / 2: what the step minimises, as a function of mu.
// Hard kinds count only where they hold.
double cost(TermKind kind, double weight, double flexibility, double t, double mu) {
  const double residual = t - flexibility * mu;
  return potential(kind, weight, residual) + 0.5 * flexibility * mu * mu +
         1e9 * violation(kind, residual);
}

TEST(ProximalStep, IsTheMinimum) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> positive(0.01, 3.0), residual(-2.0, 2.0);
  for (int round = 0; round < 2000; ++round) {
    const auto kind = static_cast<TermKind>(round % 4);
    const double weight = positive(random), flexibility = positive(random), t = residual(random);
    const double mu = proximal(kind, weight, flexibility, t);
    const double least = cost(kind, weight, flexibility, t, mu);
    for (const double step : {-0.3, -0.01, -1e-4, 1e-4, 0.01, 0.3}) {
      EXPECT_GE(cost(kind, weight, flexibility, t, mu + step), least - 1e-9)
          << "kind " << static_cast<int>(kind) << " weight " << weight << " flexibility "
          << flexibility << " t " << t;
    }
    const Interval domain = domain_of(kind, weight);
    EXPECT_GE(mu, domain.low);
    EXPECT_LE(mu, domain.high);
    // mu is a slope of phi at the new residual: Fenchel's inequality is an equality.
    const double r = t - flexibility * mu;
    EXPECT_NEAR(potential(kind, weight, r) + conjugate(kind, weight, mu) - mu * r, 0.0, 1e-9);
  }
}

TEST(ProximalStep, ClosedForms) {
  // max(r, 0): r falls by the weight at most, and not below 0.
  EXPECT_DOUBLE_EQ(proximal(TermKind::kHinge, 0.5, 2.0, 3.0), 0.5);
  EXPECT_DOUBLE_EQ(proximal(TermKind::kHinge, 5.0, 2.0, 3.0), 1.5);
  EXPECT_DOUBLE_EQ(proximal(TermKind::kHinge, 5.0, 2.0, -3.0), 0.0);
  // max(r, 0)^2 with w = 1/2 and flexibility 1: mu = r = t / 2.
  EXPECT_DOUBLE_EQ(proximal(TermKind::kSquaredHinge, 0.5, 1.0, 3.0), 1.5);
  EXPECT_DOUBLE_EQ(proximal(TermKind::kAtMost, 0.0, 2.0, 3.0), 1.5);
  EXPECT_DOUBLE_EQ(proximal(TermKind::kAtMost, 0.0, 2.0, -3.0), 0.0);
  EXPECT_DOUBLE_EQ(proximal(TermKind::kEqual, 0.0, 2.0, -3.0), -1.5);
}

// Groups are kept at every check, since they are part of the proximal step.
TEST(Admm, KeepsGroups) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomShape shape;
    shape.hard_rows = false;
    const Problem problem = random_problem(seed, shape).problem;
    ThreadPool pool(1);
    SolveOptions options;
    options.gap = 1e-8;
    double largest = 0.0;
    options.progress = [&](const SolveProgress& progress) {
      largest = std::max(largest, progress.max_violation);
    };
    solve_admm(problem, cold_start(problem), options, pool);
    EXPECT_LE(largest, 1e-6) << seed;
  }
}

}  // namespace
}  // namespace sorites
