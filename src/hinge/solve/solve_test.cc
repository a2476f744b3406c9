// The whole of inference, from a ground model to a certified solution, on random models.
#include "sorites/solve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "hinge/problem/random_feasible_model.h"
#include "hinge/problem/random_model.h"
#include "hinge/problem/unfit_method.h"
#include "hinge/solve/inference.h"
#include "hinge/solve/run_solver.h"

namespace sorites {
namespace {

double residual(const TermBlock& block, std::size_t t, const std::vector<double>& truth) {
  double sum = block.offset_of(t);
  for (std::size_t k = 0; k < block.width(); ++k) {
    sum += block.coefficients[k] * truth[block.atoms_of(t)[k]];
  }
  return sum;
}

struct SlowCertificate {
  double objective = 0.0, lower_bound = 0.0, violation = 0.0;
  double largest_fenchel_gap = 0.0;  // of a term: 0 if its multiplier is a slope at its residual
  bool multipliers_in_domain = true;
};

// Straight from the definition, without outputs.
SlowCertificate slow_certificate(const Model& model,
                                 const Parameters& parameters,
                                 const std::vector<double>& truth,
                                 const std::vector<double>& multipliers) {
  SlowCertificate sums;
  std::vector<double> gradient(model.num_atoms, 0.0);
  std::size_t number = 0;
  for (const TermBlock& block : model.blocks) {
    const double w = parameters.weights[block.rule];
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      const double r = residual(block, t, truth), mu = multipliers[number++];
      double phi = 0.0, conjugate = 0.0;
      switch (block.kind) {
        case TermKind::kHinge:
          phi = w * std::max(r, 0.0);
          sums.multipliers_in_domain &= mu >= -1e-12 && mu <= w + 1e-12;
          break;
        case TermKind::kSquaredHinge:
          phi = w * std::max(r, 0.0) * std::max(r, 0.0);
          if (w > 0.0) conjugate = mu * mu / (4.0 * w);
          sums.multipliers_in_domain &= mu >= -1e-12;
          break;
        case TermKind::kAtMost:
          sums.violation = std::max(sums.violation, r);
          sums.multipliers_in_domain &= mu >= -1e-9;
          break;
        case TermKind::kEqual:
          sums.violation = std::max(sums.violation, std::abs(r));
          break;
      }
      sums.objective += phi;
      sums.lower_bound += mu * block.offset_of(t) - conjugate;
      sums.largest_fenchel_gap = std::max(sums.largest_fenchel_gap, phi + conjugate - mu * r);
      for (std::size_t k = 0; k < block.width(); ++k) {
        gradient[block.atoms_of(t)[k]] += mu * block.coefficients[k];
      }
    }
  }
  for (const double g : gradient) sums.lower_bound += std::min(0.0, g);
  return sums;
}

double objective_of(const Model& model,
                    const Parameters& parameters,
                    const std::vector<double>& truth) {
  const std::vector<double> zero(model.num_terms(), 0.0);
  return slow_certificate(model, parameters, truth, zero).objective;
}

constexpr Solver kExactSolvers[] = {Solver::kAuto,
                                    Solver::kAdmm,
                                    Solver::kCoordinateDescent,
                                    Solver::kPdhg,
                                    Solver::kDualBcd,
                                    Solver::kDualBcdLockFree,
                                    Solver::kGradient,
                                    Solver::kInteriorPoint};

void expect_certified(const Model& model, const Parameters& parameters, const Solution& solution) {
  for (const double value : solution.truth) {
    ASSERT_GE(value, 0.0);
    ASSERT_LE(value, 1.0);
  }
  const SlowCertificate slow =
      slow_certificate(model, parameters, solution.truth, solution.multipliers);
  EXPECT_TRUE(slow.multipliers_in_domain);
  EXPECT_NEAR(slow.objective, solution.objective, 1e-9 * (1.0 + slow.objective));
  EXPECT_NEAR(slow.lower_bound, solution.lower_bound, 1e-9 * (1.0 + std::abs(slow.lower_bound)));
  EXPECT_NEAR(slow.violation, solution.max_violation, 1e-12);
}

class AllSolvers : public testing::TestWithParam<std::uint64_t> {};

// Every solver of every random model: optimal, certified, KKT conditions met, and all agree.
TEST_P(AllSolvers, AgreeOnRandomModels) {
  for (std::uint64_t seed = GetParam(); seed < 1000; seed += 8) {
    SCOPED_TRACE(seed);
    const FeasibleModel random = RandomModel(seed).take();
    const Parameters parameters = parameters_of(random.model);
    double least = objective_of(random.model, parameters, random.feasible);
    double bound = 0.0;  // potentials are not negative
    for (const Solver solver : kExactSolvers) {
      SCOPED_TRACE(std::string(name_of(solver)));
      SolveOptions options;
      options.solver = solver;
      options.gap = 1e-5;
      options.violation = 1e-6;
      options.threads = 2;
      const Solution solution = solve(random.model, parameters, options);
      ASSERT_EQ(solution.status, SolveStatus::kOptimal)
          << "gap " << solution.relative_gap << " violation " << solution.max_violation;
      EXPECT_LE(std::abs(solution.relative_gap), 2e-5);
      expect_certified(random.model, parameters, solution);
      // Complementary slackness, as far as the gap allows.
      const SlowCertificate slow =
          slow_certificate(random.model, parameters, solution.truth, solution.multipliers);
      EXPECT_LE(slow.largest_fenchel_gap, 1e-4 * (1.0 + slow.objective));
      const double slack = 1e-4 * (1.0 + std::abs(solution.objective));
      EXPECT_LE(solution.lower_bound, least + slack);
      EXPECT_GE(solution.objective, bound - slack);
      least = std::min(least, solution.objective);
      bound = std::max(bound, solution.lower_bound);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Parts, AllSolvers, testing::Range<std::uint64_t>(0, 8));

// Weights that change in an Inference give what a fresh solve gives.
TEST(Inference, FollowsNewWeights) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const FeasibleModel random = RandomModel(seed).take();
    Parameters parameters = parameters_of(random.model);
    SolveOptions options;
    options.gap = 1e-6;
    options.violation = 1e-7;
    Inference inference(random.model, 1);
    Solution solution = inference.solve(parameters, options);
    std::mt19937_64 generator(seed);
    for (int round = 0; round < 3; ++round) {
      for (double& weight : parameters.weights) {
        weight = std::uniform_real_distribution<double>(0.0, 1.0)(generator);
      }
      solution = inference.solve(parameters, options, &solution);
      const Solution fresh = solve(random.model, parameters, options);
      ASSERT_EQ(solution.status, SolveStatus::kOptimal);
      ASSERT_EQ(fresh.status, SolveStatus::kOptimal);
      EXPECT_NEAR(solution.objective, fresh.objective, 1e-5 * (1.0 + fresh.objective));
      expect_certified(random.model, parameters, solution);
    }
  }
}

// Terms that hold network outputs follow them, as if the outputs had been constants.
TEST(Inference, FollowsNewOutputs) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Model model = RandomModel(seed).take().model;
    std::mt19937_64 generator(seed);
    model.num_outputs = 3;
    for (TermBlock& block : model.blocks) {
      if (model.rules[block.rule].hard || generator() % 2 == 0) continue;
      block.output_coefficients = {generator() % 2 == 0 ? 1.0 : -1.0};
      for (std::size_t t = 0; t < block.num_terms; ++t) {
        block.outputs.push_back(static_cast<std::uint32_t>(generator() % 3));
      }
    }
    Parameters parameters = parameters_of(model);
    SolveOptions options;
    options.gap = 1e-6;
    options.violation = 1e-7;
    Inference inference(model, 1);
    for (int round = 0; round < 3; ++round) {
      for (double& output : parameters.outputs) {
        output = std::uniform_real_distribution<double>(0.0, 1.0)(generator);
      }
      const Solution solution = inference.solve(parameters, options);
      Model constant = model;
      for (TermBlock& block : constant.blocks) {
        if (block.output_coefficients.empty()) continue;
        block.offset += block.output_coefficients[0] * parameters.outputs[block.outputs[0]];
        block.output_coefficients.clear();
        block.outputs.clear();
      }
      constant.num_outputs = 0;
      Parameters same = parameters;
      same.outputs.clear();
      const Solution fresh = solve(constant, same, options);
      ASSERT_EQ(solution.status, SolveStatus::kOptimal);
      EXPECT_NEAR(solution.objective, fresh.objective, 1e-5 * (1.0 + fresh.objective));
    }
  }
}

TEST(Solve, IsTheSameForEveryNumberOfThreadsUpToRounding) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const FeasibleModel random = RandomModel(seed).take();
    const Parameters parameters = parameters_of(random.model);
    const Solution one = solve(random.model, parameters, {.threads = 1});
    const Solution again = solve(random.model, parameters, {.threads = 1});
    const Solution two = solve(random.model, parameters, {.threads = 2});
    EXPECT_EQ(one.truth, again.truth);
    EXPECT_NEAR(one.objective, two.objective, 1e-3 * (1.0 + one.objective));
  }
}

TEST(Solve, ClosedForms) {
  // min w (1 - y) + y^2: y = w / 2.
  const Model model = ModelBuilder(1)
                          .add(TermKind::kHinge, 1.0, {-1.0}, {0}, 1.0)
                          .add(TermKind::kSquaredHinge, 1.0, {1.0}, {0}, 0.0)
                          .take();
  for (const Solver solver : kExactSolvers) {
    SCOPED_TRACE(std::string(name_of(solver)));
    const Solution solution = solve(model, parameters_of(model), {.solver = solver, .gap = 1e-8});
    EXPECT_EQ(solution.status, SolveStatus::kOptimal);
    EXPECT_NEAR(solution.truth[0], 0.5, 1e-3);
    EXPECT_NEAR(solution.objective, 0.75, 1e-7);
    EXPECT_NEAR(solution.multipliers[0], 1.0, 1e-6);
    EXPECT_NEAR(solution.multipliers[1], 1.0, 1e-2);
  }
}

TEST(Solve, EmptyModelsAreOptimal) {
  for (const Solver solver : kExactSolvers) {
    Model model;
    Solution solution = solve(model, parameters_of(model), {.solver = solver});
    EXPECT_EQ(solution.status, SolveStatus::kOptimal);
    EXPECT_EQ(solution.objective, 0.0);
    model.num_atoms = 3;  // in no term
    solution = solve(model, parameters_of(model), {.solver = solver});
    EXPECT_EQ(solution.status, SolveStatus::kOptimal);
    EXPECT_EQ(solution.truth.size(), 3U);
  }
}

// Grounding makes such terms of hard rules that observations break.
TEST(Solve, AHardTermWithoutAtomsThatDoesNotHoldIsAContradiction) {
  const Model model = ModelBuilder(1)
                          .add(TermKind::kHinge, 1.0, {1.0}, {0}, 0.0)
                          .add(TermKind::kAtMost, 0.0, {}, {}, 0.4)
                          .take();
  for (const Solver solver : kExactSolvers) {
    SolveOptions options;
    options.solver = solver;
    const Solution solution = solve(model, parameters_of(model), options);
    EXPECT_EQ(solution.status, SolveStatus::kInfeasible);
    ASSERT_EQ(solution.conflict.size(), 1U);
    EXPECT_EQ(solution.conflict[0], (TermId{1, 0}));
  }
}

// A sum of 400 atoms is hard to bring about by steps along single terms, and the search for a
// conflict goes on for long, too.
TEST(Solve, TheTimeLimitIsThatOfAllPartsTogether) {
  std::mt19937_64 random(7);
  RandomTerms terms{random, 3000};
  ModelBuilder builder(3000);
  for (int i = 0; i < 4000; ++i) {
    const auto atoms = terms.atoms(20);
    builder.add(TermKind::kHinge, terms.uniform(0.1, 1.0), terms.coefficients(20), atoms, 1.0);
    builder.add(TermKind::kAtMost, 0.0, terms.coefficients(20), atoms, -0.2);
  }
  const Model model = builder.take();
  SolveOptions options;
  options.gap = 1e-12;
  options.violation = 1e-12;
  options.time_limit_seconds = 0.3;
  const Solution solution = solve(model, parameters_of(model), options);
  EXPECT_NE(solution.status, SolveStatus::kOptimal);
  EXPECT_LT(solution.seconds, 1.3);
}

// Iterations over all components at once are as many as the hardest needs.
TEST(Solve, ComponentsThatTakeLongAreSolvedOneByOne) {
  constexpr AtomId kSide = 12, kParts = 12;
  ModelBuilder builder(kSide * kSide * kParts);
  std::mt19937_64 random(5);
  RandomTerms terms{random, 1};
  for (AtomId first = 0; first < kSide * kSide * kParts; first += kSide * kSide) {
    for (AtomId i = 0; i < kSide; ++i) {  // a doubly stochastic matrix
      std::vector<AtomId> row, column;
      for (AtomId j = 0; j < kSide; ++j) {
        row.push_back(first + i * kSide + j);
        column.push_back(first + j * kSide + i);
      }
      builder.add(TermKind::kEqual, 0.0, std::vector<double>(kSide, 1.0), row, -1.0);
      builder.add(TermKind::kEqual, 0.0, std::vector<double>(kSide, 1.0), column, -1.0);
    }
    for (AtomId i = 0; i < kSide * kSide; ++i) {
      builder.add(TermKind::kHinge, terms.uniform(0.1, 1.0), {1.0}, {first + i}, 0.0);
    }
  }
  const Model model = builder.take();
  SolveOptions options;
  options.gap = options.violation = 1e-9;
  std::uint64_t together = 0;
  options.progress = [&](const SolveProgress& progress) {
    together = std::max(together, progress.iterations);
  };
  const Solution solution = solve(model, parameters_of(model), options);
  EXPECT_EQ(solution.status, SolveStatus::kOptimal) << solution.relative_gap;
  expect_certified(model, parameters_of(model), solution);
  // A hundred puzzles are to cost ten times as much as ten: all together do not fit into caches.
  EXPECT_LE(together, 100U);
  EXPECT_GT(solution.iterations, 2 * together);
  options.solver = Solver::kPdhg;
  const Solution other = solve(model, parameters_of(model), options);
  EXPECT_NEAR(solution.objective, other.objective, 1e-6);
}

// Tasks on machines whose capacities are tight: ADMM alone may take thousands of iterations.
TEST(Solve, AssignmentsWithCapacitiesGoToPdhgSoon) {
  constexpr std::size_t kTasks = 120, kMachines = 20;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  ModelBuilder builder(kTasks * kMachines);
  std::vector<double> base(kMachines);
  for (double& cost : base) cost = 0.8 * uniform(random);
  const auto atom = [](std::size_t task, std::size_t machine) {
    return static_cast<AtomId>(task * kMachines + machine);
  };
  for (std::size_t m = 0; m < kMachines; ++m) {
    std::vector<AtomId> own;
    for (std::size_t t = 0; t < kTasks; ++t) {
      own.push_back(atom(t, m));
      builder.add(TermKind::kHinge, base[m] + 0.2 * uniform(random), {1.0}, {atom(t, m)}, 0.0);
    }
    builder.add(TermKind::kAtMost, 0.0, std::vector<double>(kTasks, 1.0), own, -6.0);
  }
  for (std::size_t t = 0; t < kTasks; ++t) {
    std::vector<AtomId> own;
    for (std::size_t m = 0; m < kMachines; ++m) own.push_back(atom(t, m));
    builder.add(TermKind::kEqual, 0.0, std::vector<double>(kMachines, 1.0), own, -1.0);
  }
  const Model model = builder.take();
  SolveOptions options;
  options.threads = 1;
  const Solution solution = solve(model, parameters_of(model), options);
  EXPECT_EQ(solution.status, SolveStatus::kOptimal);
  EXPECT_LE(solution.iterations, 650U) << solution.solver;
}

TEST(Solve, RefusesNumbersThatAreNotFinite) {
  Model model = ModelBuilder(1).add(TermKind::kHinge, 1.0, {1.0}, {0}, 0.0).take();
  Parameters parameters = parameters_of(model);
  parameters.weights[0] = std::numeric_limits<double>::quiet_NaN();
  Solution solution = solve(model, parameters);
  EXPECT_EQ(solution.status, SolveStatus::kNumericalError);
  EXPECT_NE(solution.message.find("rule 1"), std::string::npos);
  parameters.weights[0] = -1.0;
  EXPECT_EQ(solve(model, parameters).status, SolveStatus::kNumericalError);
  parameters.weights[0] = 1.0;
  model.blocks[0].offset = std::numeric_limits<double>::infinity();
  EXPECT_EQ(solve(model, parameters).status, SolveStatus::kNumericalError);
  model.blocks[0].offset = 0.0;
  model.blocks[0].output_coefficients = {std::nan("")};
  EXPECT_EQ(solve(model, parameters).status, SolveStatus::kNumericalError);
}

TEST(Solve, RefusesParametersOfAnotherModel) {
  const Model model = ModelBuilder(1).add(TermKind::kHinge, 1.0, {1.0}, {0}, 0.0).take();
  EXPECT_THROW(solve(model, {}), std::invalid_argument);
  Solution start;
  EXPECT_THROW(solve(model, parameters_of(model), {}, &start), std::invalid_argument);
}

TEST(Solve, AMethodThatDoesNotWorkOnAProblemSaysSo) {
  ThreadPool pool(1);
  const Problem problem;
  ProblemStructure structure(problem);
  const SolveOptions options{.solver = Solver::kInteger};
  EXPECT_THROW(run_solver(structure, cold_start(problem), options, pool, {}), UnfitMethod);
}

// y1 >= 0.6, y2 >= 0.6, y1 + y2 <= 1, seen by presolve or by the solvers.
TEST(Solve, SaysThatHardRulesContradict) {
  for (const bool single : {true, false}) {
    ModelBuilder builder(3);
    builder.add(TermKind::kSquaredHinge, 1.0, {1.0, -1.0}, {0, 1}, 0.2);
    if (single) {
      builder.add(TermKind::kAtMost, 0.0, {-1.0}, {0}, 0.6);
      builder.add(TermKind::kAtMost, 0.0, {1.0}, {0}, -0.5);
    } else {
      builder.add(TermKind::kAtMost, 0.0, {-1.0, -0.1}, {0, 2}, 0.7);
      builder.add(TermKind::kAtMost, 0.0, {-1.0, -0.1}, {1, 2}, 0.7);
      builder.add(TermKind::kAtMost, 0.0, {1.0, 1.0}, {0, 1}, -1.0);
    }
    const Model model = builder.take();
    for (const Solver solver : {Solver::kAuto, Solver::kAdmm, Solver::kCoordinateDescent}) {
      SCOPED_TRACE(std::string(name_of(solver)) + (single ? " single" : " rows"));
      const Solution solution = solve(model, parameters_of(model), {.solver = solver});
      EXPECT_EQ(solution.status, SolveStatus::kInfeasible);
      EXPECT_FALSE(solution.conflict.empty());
      EXPECT_TRUE(solution.conflict_is_irreducible);
      for (const double value : solution.truth) {
        EXPECT_GE(value, 0.0);
        EXPECT_LE(value, 1.0);
      }
    }
  }
}

TEST(Solve, ToleranceOutOfReachEndsAtTheLimit) {
  const FeasibleModel random = RandomModel(7).take();
  for (const Solver solver : kExactSolvers) {
    SCOPED_TRACE(std::string(name_of(solver)));
    const Solution solution =
        solve(random.model,
              parameters_of(random.model),
              {.solver = solver, .gap = -1.0, .violation = -1.0, .max_iterations = 50});
    EXPECT_EQ(solution.status, SolveStatus::kIterationLimit);
    EXPECT_TRUE(std::isfinite(solution.objective));
  }
}

TEST(Solve, StopsWhenAskedToAndKeepsAUsableState) {
  const FeasibleModel random = RandomModel(7).take();
  std::stop_source source;
  source.request_stop();
  for (const Solver solver : kExactSolvers) {
    SCOPED_TRACE(std::string(name_of(solver)));
    SolveOptions options{.solver = solver, .gap = -1.0, .violation = -1.0};
    options.stop = source.get_token();
    const Solution solution = solve(random.model, parameters_of(random.model), options);
    EXPECT_EQ(solution.status, SolveStatus::kInterrupted);
    EXPECT_EQ(solution.truth.size(), random.model.num_atoms);
    EXPECT_GE(solution.objective, solution.lower_bound);
    options.stop = {};
    options.time_limit_seconds = 0.0;
    EXPECT_EQ(solve(random.model, parameters_of(random.model), options).status,
              SolveStatus::kTimeLimit);
  }
}

}  // namespace
}  // namespace sorites
