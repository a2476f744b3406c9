// Models with the structure that propagation and search of our own are made for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hinge/integer/cbc_alone.h"
#include "hinge/integer/integer.h"
#include "hinge/integer/integer_conflict.h"
#include "hinge/integer/integer_flip.h"
#include "hinge/integer/test_puzzles.h"
#include "hinge/problem/random_model.h"

namespace sorites {
namespace {

using testing::HasSubstr;

Parameters parameters_as_written(const Model& model) {
  Parameters parameters;
  for (const GroundRule& rule : model.rules) parameters.weights.push_back(rule.weight);
  return parameters;
}

SolveOptions all_integer(const Model& model, double gap = 1e-6) {
  SolveOptions options;
  options.gap = gap;
  options.integer = {{0, 0, static_cast<std::uint32_t>(model.num_atoms)}};
  return options;
}

Solution solved(const Model& model, unsigned threads = 1) {
  ThreadPool pool(threads);
  return solve_integer(model, parameters_as_written(model), all_integer(model), pool);
}

// Exactly-one groups with prices, and rules of all kinds between their members.
Model random_groups(std::uint64_t seed, std::size_t num_groups) {
  std::mt19937_64 random(seed);
  const std::size_t size = 3 + seed % 3, n = num_groups * size;
  RandomTerms terms{random, n};
  ModelBuilder builder(n);
  for (std::size_t g = 0; g < num_groups; ++g) {
    std::vector<AtomId> members(size);
    for (std::size_t k = 0; k < size; ++k) members[k] = static_cast<AtomId>(g * size + k);
    builder.add(TermKind::kEqual, 0, std::vector<double>(size, 1.0), members, -1.0);
    for (const AtomId i : members) {
      builder.add(TermKind::kHinge, terms.uniform(0.1, 1.0), {-1}, {i}, terms.uniform(0.0, 1.0));
    }
  }
  for (std::size_t t = 0; t < 2 * n; ++t) {
    const std::size_t draw = terms.below(4);
    const std::vector<AtomId> atoms = terms.atoms(2 + terms.below(2));
    if (draw == 0) {
      builder.add(TermKind::kAtMost, 0, std::vector<double>(atoms.size(), 1.0), atoms, -1.0);
      continue;
    }
    const double offset = terms.below(2) == 0 ? terms.uniform(-1.0, 1.0) : 0.0;
    builder.add(draw == 1 ? TermKind::kHinge : TermKind::kSquaredHinge,
                terms.uniform(0.1, 1.0),
                terms.coefficients(atoms.size()),
                atoms,
                offset);
  }
  return builder.take();
}

TEST(SolveInteger, EqualsCbcAloneOnTwoHundredLargerModels) {
  std::size_t num_infeasible = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_groups(seed, 4 + seed % 8);
    const CbcAnswer expected =
        solve_by_cbc_alone(model, parameters_as_written(model), all_integer(model).integer, 60.0);
    const Solution solution = solved(model);
    if (expected.status == BranchStatus::kInfeasible) {
      ++num_infeasible;
      EXPECT_EQ(solution.status, SolveStatus::kInfeasible);
      continue;
    }
    ASSERT_EQ(expected.status, BranchStatus::kSolved);
    ASSERT_EQ(solution.status, SolveStatus::kOptimal) << solution.message;
    EXPECT_NEAR(solution.objective, expected.objective, 1e-5 * (1.0 + expected.objective));
    EXPECT_LE(solution.lower_bound, expected.objective + 1e-7);
    EXPECT_LE(solution.max_violation, 1e-6);
  }
  EXPECT_LT(num_infeasible, 150U);  // or there is little to compare
}

// Paths over a grid of four neighbours with prices that may be below 0, and edges that exclude each
// other: flows with rows beside them.
Model random_path(std::uint64_t seed, std::size_t size) {
  std::mt19937_64 random(seed);
  const std::size_t n = size * size;
  struct Edge {
    std::size_t from, to;
  };
  std::vector<Edge> edges;
  for (std::size_t k = 0; k < n; ++k) {
    if (k % size + 1 < size) edges.insert(edges.end(), {{k, k + 1}, {k + 1, k}});
    if (k + size < n) edges.insert(edges.end(), {{k, k + size}, {k + size, k}});
  }
  RandomTerms terms{random, n + edges.size()};
  ModelBuilder builder(n + edges.size());
  std::vector<std::vector<AtomId>> in(n), out(n);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto atom = static_cast<AtomId>(n + e);
    out[edges[e].from].push_back(atom);
    in[edges[e].to].push_back(atom);
    builder.add(TermKind::kHinge, 0.05, {1}, {atom}, 0.0);
    if (e % 2 == 0) builder.add(TermKind::kAtMost, 0, {1, 1}, {atom, atom + 1}, -1.0);
  }
  for (std::size_t k = 0; k < n; ++k) {
    const auto vertex = static_cast<AtomId>(k);
    builder.add(TermKind::kHinge, terms.uniform(0.0, 1.0), {1}, {vertex}, 0.0);
    builder.add(TermKind::kHinge, terms.uniform(0.0, 1.0), {-1}, {vertex}, 1.0);
    for (const bool into : {true, false}) {
      std::vector<AtomId> atoms = into ? in[k] : out[k];
      std::vector<double> coefficients(atoms.size(), 1.0);
      atoms.push_back(vertex);
      coefficients.push_back(-1.0);
      const bool is_end = k == (into ? 0 : n - 1);
      builder.add(TermKind::kEqual, 0, coefficients, atoms, is_end ? 1.0 : 0.0);
    }
  }
  return builder.take();
}

TEST(SolveInteger, FlowsWithRowsBesideThemEqualCbcAlone) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_path(seed, 3 + seed % 3);
    const CbcAnswer expected =
        solve_by_cbc_alone(model, parameters_as_written(model), all_integer(model).integer, 60.0);
    const Solution solution = solved(model);
    ASSERT_EQ(expected.status, BranchStatus::kSolved);
    ASSERT_EQ(solution.status, SolveStatus::kOptimal) << solution.message;
    EXPECT_NEAR(solution.objective, expected.objective, 1e-6 * (1.0 + expected.objective));
    EXPECT_LE(solution.max_violation, 1e-6);
  }
}

TEST(SolveInteger, SolvesPuzzlesOfSeventeenCluesWithoutASearchToSpeakOf) {
  const Model model = sudoku_model({kSeventeenClues});
  const Solution solution = solved(model);
  ASSERT_EQ(solution.status, SolveStatus::kOptimal) << solution.message;
  EXPECT_EQ(digits_of(solution.truth, 0), kSeventeenCluesSolved);
  EXPECT_LT(solution.iterations, 1000U);
}

TEST(SolveInteger, OneInfeasiblePuzzleIsReportedAndTheOthersAreSolved) {
  std::string broken = kSeventeenClues;
  broken[0] = broken[8] = '5';  // twice in the first row
  const Model model = sudoku_model({kSeventeenClues, broken, kSeventeenClues});
  const Solution solution = solved(model, 2);
  EXPECT_EQ(solution.status, SolveStatus::kInfeasible);
  EXPECT_THAT(solution.message, HasSubstr("1 of 3 connected parts"));
  EXPECT_EQ(digits_of(solution.truth, 0), kSeventeenCluesSolved);
  EXPECT_EQ(digits_of(solution.truth, 2), kSeventeenCluesSolved);
  // Two clues and the row that they share.
  EXPECT_EQ(solution.conflict.size(), 3U);
  EXPECT_TRUE(solution.conflict_is_irreducible);
  for (const TermId& term : solution.conflict) {
    for (const AtomId atom : model.blocks[term.block].atoms_of(term.term)) {
      EXPECT_EQ(atom / kSudokuAtoms, 1U);
    }
  }
}

TEST(SolveInteger, ThreadsDoNotChangeTheResult) {
  const Model model = sudoku_model({kSeventeenClues, kSeventeenClues, kSeventeenClues}, 3, 0.7);
  const Solution one = solved(model, 1), two = solved(model, 2);
  EXPECT_EQ(one.truth, two.truth);
  EXPECT_NEAR(one.objective, two.objective, 1e-12);  // sums are split among threads
  EXPECT_NEAR(one.lower_bound, two.lower_bound, 1e-12);
}

TEST(SolveInteger, StartsFromAState) {
  const Model model = random_groups(5, 8);
  ThreadPool pool(1);
  const Parameters parameters = parameters_as_written(model);
  const Solution first = solve_integer(model, parameters, all_integer(model), pool);
  ASSERT_EQ(first.status, SolveStatus::kOptimal);
  const Solution again = solve_integer(model, parameters, all_integer(model), pool, first.truth);
  EXPECT_EQ(again.status, SolveStatus::kOptimal);
  EXPECT_EQ(again.truth, first.truth);
  EXPECT_LE(again.iterations, first.iterations);
  SolveOptions no_time = all_integer(model);
  no_time.time_limit_seconds = 0.0;
  const Solution kept = solve_integer(model, parameters, no_time, pool, first.truth);
  EXPECT_EQ(kept.truth, first.truth);
}

// By solving again with a hard rule that gives the atom its other value.
double cost_of_other_value(const Model& model, const Solution& solution, AtomId atom) {
  Model other = model;
  const double value = 1.0 - solution.truth[atom];
  TermBlock block;
  block.rule = static_cast<std::uint32_t>(other.rules.size());
  block.kind = TermKind::kEqual;
  block.coefficients = {1.0};
  add_term(block, std::vector<AtomId>{atom}, {}, -value);
  other.rules.push_back({0.0, true, "", {}});
  other.blocks.push_back(std::move(block));
  const Solution flipped = solved(other);
  if (flipped.status == SolveStatus::kInfeasible) return INFINITY;
  EXPECT_EQ(flipped.status, SolveStatus::kOptimal);
  return flipped.objective - solution.objective;
}

TEST(FlipInteger, CostsWhatItSays) {
  std::size_t num_forced = 0, num_flipped = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_groups(seed, 4);
    const Solution solution = solved(model);
    if (solution.status == SolveStatus::kInfeasible) continue;
    ThreadPool pool(1);
    for (AtomId atom = 0; atom < model.num_atoms; ++atom) {
      const IntegerFlip flip = flip_integer_atom(
          model, parameters_as_written(model), all_integer(model), solution.truth, atom, pool);
      const double expected = cost_of_other_value(model, solution, atom);
      if (std::isinf(expected)) {
        ++num_forced;
        EXPECT_EQ(flip.status, SolveStatus::kInfeasible);
        EXPECT_FALSE(flip.reasons.empty());
      } else {
        ++num_flipped;
        EXPECT_EQ(flip.status, SolveStatus::kOptimal);
        EXPECT_NEAR(flip.cost, expected, 1e-5);
        EXPECT_LE(flip.least_cost, expected + 1e-7);
      }
    }
  }
  EXPECT_GE(num_forced, 5U);
  EXPECT_GT(num_flipped, 100U);
}

// The model with only these hard terms.
Model with_only(const Model& model, std::span<const TermId> terms) {
  Model fewer;
  fewer.num_atoms = model.num_atoms;
  for (const TermId& term : terms) {
    const TermBlock& from = model.blocks[term.block];
    TermBlock block;
    block.rule = static_cast<std::uint32_t>(fewer.rules.size());
    block.kind = from.kind;
    block.coefficients = from.coefficients;
    add_term(block, from.atoms_of(term.term), {}, from.offset_of(term.term));
    fewer.rules.push_back({0.0, true, "", {}});
    fewer.blocks.push_back(std::move(block));
  }
  return fewer;
}

TEST(FlipInteger, ReasonsForceTheValueAndNoneOfThemCanBeLeftOut) {
  std::string clues = kSeventeenCluesSolved;
  for (std::size_t k = 0; k < 81; k += 2) clues[k] = '0';
  const Model model = sudoku_model({clues});
  const Solution solution = solved(model);
  ThreadPool pool(1);
  for (const AtomId atom : {AtomId{0}, AtomId{5}, AtomId{100}, AtomId{400}}) {
    SCOPED_TRACE(atom);
    const IntegerFlip flip = flip_integer_atom(
        model, parameters_as_written(model), all_integer(model), solution.truth, atom, pool);
    ASSERT_EQ(flip.status, SolveStatus::kInfeasible);
    ASSERT_FALSE(flip.reasons.empty());
    EXPECT_TRUE(flip.reasons_are_needed);
    const Model reasons = with_only(model, flip.reasons);
    EXPECT_EQ(cost_of_other_value(reasons, solution, atom), INFINITY);
    for (std::size_t k = 0; k < flip.reasons.size(); ++k) {
      std::vector<TermId> fewer = flip.reasons;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      Solution state = solution;
      state.objective = 0.0;
      EXPECT_LT(cost_of_other_value(with_only(model, fewer), state, atom), INFINITY);
    }
  }
}

}  // namespace
}  // namespace sorites
