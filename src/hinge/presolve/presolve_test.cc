// Presolve loses nothing: the problem has the objective of the model at every state, and its
// multipliers carry over with their bound.
#include "hinge/presolve/presolve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "hinge/presolve/merge_rows.h"
#include "hinge/presolve/postsolve.h"
#include "hinge/problem/certificate.h"
#include "hinge/problem/random_feasible_model.h"
#include "hinge/problem/solver.h"

namespace sorites {
namespace {

double uniform(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

// A point within bounds whose groups keep their sums as far as rounding allows: not needed, since
// objectives do not count hard terms.
PrimalDual random_point(const Problem& problem, std::mt19937_64& random) {
  PrimalDual point = cold_start(problem);
  for (std::size_t i = 0; i < problem.num_variables; ++i) {
    point.x[i] = uniform(random, problem.lower[i], problem.upper[i]);
  }
  for (const RowBlock& block : problem.blocks) {
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const Interval domain = domain_of(block.kind, problem.weight[row]);
      const double mu = uniform(random, -1.0, 2.0);
      point.multipliers[row] = std::clamp(mu, domain.low, domain.high);
    }
  }
  for (double& lambda : point.group_multipliers) lambda = uniform(random, -1.0, 1.0);
  return point;
}

TEST(Presolve, KeepsObjectivesAndBounds) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    const FeasibleModel random_model = RandomModel(seed).take();
    const Model& model = random_model.model;
    const Parameters parameters = parameters_of(model);
    ThreadPool pool(1 + static_cast<unsigned>(seed % 2));
    Presolved presolved = presolve(model, parameters, pool);
    ASSERT_FALSE(presolved.infeasible);
    std::mt19937_64 random(seed);
    PrimalDual point = random_point(presolved.problem, random);
    std::vector<double> gradient;
    const Bounds bounds = evaluate(presolved.problem, point, gradient, pool);
    const ModelPoint whole = postsolve(model, parameters, presolved, point, pool);
    const Certificate certificate =
        certify(model, parameters, whole.truth, whole.multipliers, pool);
    EXPECT_NEAR(certificate.objective, bounds.objective, 1e-9);
    EXPECT_NEAR(certificate.lower_bound, bounds.lower_bound, 1e-8);
    // A start that was solved comes back as it was.
    ProblemStructure structure(presolved.problem);
    const PrimalDual start =
        start_from(model, presolved, structure, whole.truth, whole.multipliers);
    for (std::size_t row = 0; row < start.multipliers.size(); ++row) {
      if (presolved.problem.weight[row] == 0.0) continue;
      EXPECT_NEAR(start.multipliers[row], point.multipliers[row], 1e-12);
    }
  }
}

TEST(Presolve, FeasibleStatesStayFeasible) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    const FeasibleModel random_model = RandomModel(seed).take();
    ThreadPool pool(1);
    const Presolved presolved =
        presolve(random_model.model, parameters_of(random_model.model), pool);
    ProblemStructure structure(presolved.problem);
    PrimalDual point =
        start_from(random_model.model, presolved, structure, random_model.feasible, {});
    std::vector<double> gradient;
    for (std::size_t atom = 0; atom < random_model.feasible.size(); ++atom) {
      const std::uint32_t i = presolved.atoms.variable[atom];
      if (i == kFixedAtom) {
        EXPECT_NEAR(presolved.atoms.fixed_value[atom], random_model.feasible[atom], 1e-9);
      } else {
        EXPECT_GE(random_model.feasible[atom], presolved.problem.lower[i] - 1e-9);
        EXPECT_LE(random_model.feasible[atom], presolved.problem.upper[i] + 1e-9);
        point.x[i] = random_model.feasible[atom];
      }
    }
    EXPECT_LE(evaluate(presolved.problem, point, gradient, pool).violation, 1e-9);
  }
}

TEST(Presolve, CountsWhatItDid) {
  const Model model = ModelBuilder(7)
                          .add(TermKind::kEqual, 0.0, {1.0, -1.0}, {0, 1}, 0.0)
                          .add(TermKind::kEqual, 0.0, {-1.0, 1.0}, {0, 1}, 0.0)
                          .add(TermKind::kEqual, 0.0, {2.0}, {2}, -1.0)
                          .add(TermKind::kEqual, 0.0, {1.0, 1.0}, {3, 4}, -1.0)
                          .add(TermKind::kHinge, 1.0, {1.0}, {3}, -0.5)
                          .add(TermKind::kSquaredHinge, 1.0, {1.0, -1.0}, {0, 3}, 0.0)
                          .add(TermKind::kSquaredHinge, 1.0, {1.0, -1.0}, {1, 3}, 0.0)
                          .add(TermKind::kSquaredHinge, 1.0, {1.0, -1.0}, {2, 3}, 0.0)
                          .take();
  ThreadPool pool(1);
  const Presolved presolved = presolve(model, parameters_of(model), pool);
  EXPECT_EQ(presolved.summary.aliased_atoms, 1U);
  EXPECT_EQ(presolved.summary.fixed_atoms, 1U);
  EXPECT_EQ(presolved.summary.groups, 1U);
  EXPECT_EQ(presolved.summary.folded_terms, 2U);  // one of them with a fixed atom
  EXPECT_EQ(presolved.summary.merged_terms, 1U);
  EXPECT_EQ(presolved.summary.idle_atoms, 2U);
  EXPECT_EQ(presolved.summary.variables, 5U);
  EXPECT_EQ(presolved.summary.rows, 1U);
}

TEST(Presolve, FixesAtomsInChains) {
  ModelBuilder builder(4);  // y0 = 1/4, y1 = y0 + 1/4, y2 = y1 + 1/4, y3 = y2 + 1/4, last first
  for (AtomId i = 3; i > 0; --i) {
    builder.add(TermKind::kEqual, 0.0, {1.0, -1.0}, {i, i - 1}, -0.25);
  }
  builder.add(TermKind::kEqual, 0.0, {4.0}, {0}, -1.0);
  const Model model = builder.take();
  const Solution solution = solve(model, parameters_of(model));
  EXPECT_EQ(solution.status, SolveStatus::kOptimal);
  EXPECT_EQ(solution.presolve.fixed_atoms, 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(solution.truth[i], 0.25 * static_cast<double>(i + 1), 1e-12);
  }
}

// Sums of hinges, evaluated one by one.
TEST(Fold, IsTheSumOfItsTerms) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    Fold fold;
    std::vector<double> weights;
    const std::size_t count = random() % 20;
    for (std::uint32_t t = 0; t < count; ++t) {
      const double a = uniform(random, 0.1, 2.0) * (random() % 2 == 0 ? 1.0 : -1.0);
      fold.pieces.push_back({t, random() % 2 == 0 ? TermKind::kHinge : TermKind::kSquaredHinge, a});
      fold.events.push_back({0.25 * static_cast<double>(random() % 9) - 0.5, t});
      weights.push_back(random() % 5 == 0 ? 0.0 : uniform(random, 0.0, 1.0));
    }
    fold.begin = {0, count};
    ThreadPool pool(1);
    sort_events(fold, pool);
    const double lower = 0.25 * static_cast<double>(random() % 3), upper = lower + 0.5;
    const FoldedTerms folded =
        folded_terms(fold, weights, std::vector{lower}, std::vector{upper}, pool);
    const auto segments = folded.of(0);
    EXPECT_EQ(segments.front().start, lower);
    double last_slope = -INFINITY;
    for (int step = 0; step <= 20; ++step) {
      const double x = lower + (upper - lower) * step / 20.0;
      double sum = 0.0;
      for (const FoldEvent& event : fold.events) {
        const FoldPiece& piece = fold.pieces[event.piece];
        const double r = piece.coefficient * (x - event.breakpoint);
        sum += potential(piece.kind, weights[piece.rule], r);
      }
      const Segment& segment = segments[segment_at(segments, x)];
      EXPECT_NEAR(segment.value(x), sum, 1e-12);
      EXPECT_GE(segment.derivative(x), last_slope - 1e-12);
      EXPECT_GE(segment.curvature, 0.0);
      last_slope = segment.derivative(x);
    }
    // The minimum of f + linear x + quadratic x^2 / 2, against a fine grid.
    const double linear = uniform(random, -2.0, 2.0), quadratic = uniform(random, 0.0, 2.0);
    const auto value = [&](double x) {
      return segments[segment_at(segments, x)].value(x) + linear * x + 0.5 * quadratic * x * x;
    };
    auto hint = static_cast<std::uint32_t>(random() % segments.size());
    const double best = value(minimise(segments, upper, linear, quadratic, hint).x);
    for (int step = 0; step <= 1000; ++step) {
      EXPECT_LE(best, value(lower + (upper - lower) * step / 1000.0) + 1e-12);
    }
  }
}

TEST(MergeRows, FindsTheFirstEqualRow) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const std::size_t num_variables = seed % 2 == 0 ? 4 : 10000;  // hashing, sorting
    const std::size_t width = 1 + random() % 3, num_rows = random() % 200;
    std::vector<std::uint32_t> variables;
    std::vector<double> offset;
    for (std::size_t row = 0; row < num_rows; ++row) {
      for (std::size_t k = 0; k < width; ++k) {
        variables.push_back(static_cast<std::uint32_t>(random() % 4));
      }
      offset.push_back(random() % 3 == 0 ? 0.5 : 0.0);
    }
    ThreadPool pool(1 + static_cast<unsigned>(seed % 3));
    const auto first =
        first_equal_rows({variables.data(), offset.data(), num_rows, width}, num_variables, pool);
    for (std::size_t row = 0; row < num_rows; ++row) {
      std::size_t expected = 0;
      while (offset[expected] != offset[row] ||
             !std::equal(variables.begin() + static_cast<std::ptrdiff_t>(expected * width),
                         variables.begin() + static_cast<std::ptrdiff_t>((expected + 1) * width),
                         variables.begin() + static_cast<std::ptrdiff_t>(row * width))) {
        ++expected;
      }
      EXPECT_EQ(first[row], expected);
    }
  }
}

TEST(Presolve, IsGivenUpWhenTheTimeIsUp) {
  const FeasibleModel random = RandomModel(7).take();
  const Parameters parameters = parameters_of(random.model);
  ThreadPool pool(1);
  std::stop_source stop;
  EXPECT_TRUE(presolve_in_time(random.model, parameters, Deadline(1e9, stop.get_token()), pool));
  EXPECT_FALSE(presolve_in_time(random.model, parameters, Deadline(0.0, stop.get_token()), pool));
  stop.request_stop();
  EXPECT_FALSE(presolve_in_time(random.model, parameters, Deadline(1e9, stop.get_token()), pool));
}

}  // namespace
}  // namespace sorites
