#include "hinge/conflict/conflict.h"

#include <gtest/gtest.h>

#include "hinge/conflict/check_conflict.h"
#include "hinge/problem/random_model.h"

namespace sorites {
namespace {

// Hard terms that one random state keeps; offsets are multiples of 1/64, so that nothing is nearly
// contradictory.
void add_feasible_terms(RandomTerms& terms, std::size_t count, ModelBuilder& builder) {
  std::vector<double> state(terms.num_atoms);
  for (double& y : state) y = static_cast<double>(terms.below(5)) / 4.0;
  for (std::size_t t = 0; t < count; ++t) {
    const std::vector<AtomId> atoms = terms.atoms(1 + terms.below(4));
    std::vector<double> coefficients(atoms.size());
    double sum = 0.0;
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      coefficients[k] = (terms.below(2) == 0 ? 1.0 : -1.0) * (terms.below(4) == 0 ? 0.5 : 1.0);
      sum += coefficients[k] * state[atoms[k]];
    }
    const bool equal = terms.below(4) == 0;
    const double slack = static_cast<double>(terms.below(3)) / 4.0;
    builder.add(equal ? TermKind::kEqual : TermKind::kAtMost,
                0,
                coefficients,
                atoms,
                -sum - (equal ? 0.0 : slack));
  }
}

// Contradictory terms of three kinds: a chain that propagation sees, a triangle that only linear
// programming sees, and a sum that nothing can reach.
void add_conflict(RandomTerms& terms, std::size_t kind, ModelBuilder& builder) {
  const std::vector<AtomId> a = terms.atoms(4);
  if (kind == 0) {
    builder.add(TermKind::kEqual, 0, {1}, {a[0]}, -1);
    builder.add(TermKind::kAtMost, 0, {1, -1}, {a[0], a[1]}, 0);
    builder.add(TermKind::kAtMost, 0, {1, -1}, {a[1], a[2]}, 0);
    builder.add(TermKind::kAtMost, 0, {1}, {a[2]}, -0.5);
  } else if (kind == 1) {
    builder.add(TermKind::kAtMost, 0, {1, 1}, {a[0], a[1]}, -1);
    builder.add(TermKind::kAtMost, 0, {1, 1}, {a[1], a[2]}, -1);
    builder.add(TermKind::kAtMost, 0, {1, 1}, {a[0], a[2]}, -1);
    builder.add(TermKind::kAtMost, 0, {-1, -1, -1}, {a[0], a[1], a[2]}, 1.75);
  } else {
    builder.add(TermKind::kAtMost, 0, {-1, -1}, {a[0], a[3]}, 2.25);
  }
}

TEST(FindConflict, FindsPlantedConflictsInFeasibleModels) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    RandomTerms terms{random, 4 + seed % 20};
    ModelBuilder builder(terms.num_atoms);
    builder.add(TermKind::kHinge, 1.0, {1}, {0}, 0);
    add_feasible_terms(terms, terms.below(30), builder);
    add_conflict(terms, seed % 3, builder);
    add_feasible_terms(terms, 0, builder);
    const Model model = builder.take();
    const auto conflict = conflict_of(model);
    ASSERT_TRUE(conflict);
    expect_irreducible(model, *conflict);
  }
}

TEST(FindConflict, FindsNothingInFeasibleModels) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    RandomTerms terms{random, 1 + seed % 20};
    ModelBuilder builder(terms.num_atoms);
    add_feasible_terms(terms, terms.below(40), builder);
    EXPECT_FALSE(conflict_of(builder.take()));
  }
}

TEST(FindConflict, AgreesWithLinearProgrammingOnRandomModels) {
  std::size_t num_conflicts = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    RandomTerms terms{random, 2 + seed % 12};
    ModelBuilder builder(terms.num_atoms);
    add_feasible_terms(terms, 1 + terms.below(8), builder);  // of two states, which may disagree
    add_feasible_terms(terms, 1 + terms.below(8), builder);
    const Model model = builder.take();
    const auto conflict = conflict_of(model);
    ASSERT_EQ(conflict.has_value(), !can_hold(model, hard_terms(model)));
    if (!conflict) continue;
    ++num_conflicts;
    expect_irreducible(model, *conflict);
  }
  EXPECT_GT(num_conflicts, 100U);
  EXPECT_LT(num_conflicts, 400U);
}

TEST(FindConflict, TakesTheSmallestOfSeveralComponents) {
  ModelBuilder builder(9);
  builder.add(TermKind::kEqual, 0, {1}, {0}, -1);
  builder.add(TermKind::kAtMost, 0, {1, -1}, {0, 1}, 0);
  builder.add(TermKind::kAtMost, 0, {1, -1}, {1, 2}, 0);
  builder.add(TermKind::kEqual, 0, {1}, {2}, 0);
  builder.add(TermKind::kEqual, 0, {1}, {5}, -1);
  builder.add(TermKind::kEqual, 0, {1}, {5}, 0);
  const auto conflict = conflict_of(builder.take());
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->terms, (std::vector<TermId>{{4, 0}, {5, 0}}));
}

TEST(FindConflict, SeesConstantsAndIgnoresWhatRoundingDoes) {
  const auto constant = conflict_of(ModelBuilder(1).add(TermKind::kEqual, 0, {}, {}, 0.5).take());
  ASSERT_TRUE(constant);
  EXPECT_EQ(constant->terms.size(), 1U);
  EXPECT_TRUE(constant->irreducible);
  EXPECT_FALSE(conflict_of(ModelBuilder(1)
                               .add(TermKind::kEqual, 0, {1}, {0}, -0.3)
                               .add(TermKind::kEqual, 0, {1}, {0}, -(0.1 + 0.2))
                               .take()));
  EXPECT_FALSE(conflict_of(Model{}));
}

// More pigeons than holes: only a linear program sees it, and every row is needed.
TEST(FindConflict, FindsThatPigeonsDoNotFit) {
  constexpr std::uint32_t kHoles = 20;
  ModelBuilder builder((kHoles + 1) * kHoles);
  const std::vector<double> ones(kHoles, 1.0), more_ones(kHoles + 1, 1.0);
  for (AtomId pigeon = 0; pigeon <= kHoles; ++pigeon) {
    std::vector<AtomId> atoms;
    for (AtomId hole = 0; hole < kHoles; ++hole) atoms.push_back(pigeon * kHoles + hole);
    builder.add(TermKind::kEqual, 0, ones, atoms, -1);
  }
  for (AtomId hole = 0; hole < kHoles; ++hole) {
    std::vector<AtomId> atoms;
    for (AtomId pigeon = 0; pigeon <= kHoles; ++pigeon) atoms.push_back(pigeon * kHoles + hole);
    builder.add(TermKind::kAtMost, 0, more_ones, atoms, -1);
  }
  const Model model = builder.take();
  const auto conflict = conflict_of(model);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->terms.size(), 2 * kHoles + 1);
  expect_irreducible(model, *conflict);
}

// y_0 <= y_1 <= ... in one block, in random order; then more terms.
Model chain(std::size_t length) {
  Model model;
  model.num_atoms = length + 1;
  model.rules = {{0.0, true, "", {}}, {0.0, true, "", {}}, {0.0, true, "", {}}};
  TermBlock block;
  block.kind = TermKind::kAtMost;
  block.coefficients = {1.0, -1.0};
  std::vector<AtomId> order(length);
  for (AtomId i = 0; i < length; ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
  for (const AtomId i : order) add_term(block, std::vector<AtomId>{i, i + 1}, {}, 0.0);
  model.blocks.push_back(std::move(block));
  return model;
}

void fix(Model& model, AtomId atom, double value) {
  TermBlock block;
  block.rule = 1;
  block.kind = TermKind::kEqual;
  block.coefficients = {1.0};
  add_term(block, std::vector<AtomId>{atom}, {}, -value);
  model.blocks.push_back(std::move(block));
}

constexpr std::size_t kLength = 99'998;

TEST(FindConflict, FindsAShortConflictInALongChain) {
  Model model = chain(kLength);
  fix(model, 50'000, 1.0);
  fix(model, 50'010, 0.0);
  std::optional<Conflict> conflict;
  EXPECT_LT(seconds_of([&] { conflict = conflict_of(model); }), 5.0);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->terms.size(), 12U);
  expect_irreducible(model, *conflict);
}

TEST(FindConflict, FindsAConflictThatIsTheWholeOfALongChain) {
  Model model = chain(kLength);
  fix(model, 0, 1.0);
  fix(model, kLength, 0.0);
  std::optional<Conflict> conflict;
  EXPECT_LT(seconds_of([&] { conflict = conflict_of(model); }), 10.0);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->terms.size(), kLength + 2);
  EXPECT_TRUE(conflict->irreducible);  // each link is needed, by construction
}

TEST(FindConflict, SeesThatALongChainCanHold) {
  Model model = chain(kLength);
  fix(model, 0, 0.25);
  fix(model, kLength, 0.75);
  EXPECT_LT(seconds_of([&] { EXPECT_FALSE(conflict_of(model)); }), 5.0);
}

// Groups and links between them: no bound point keeps them, so linear programs have to say it.
TEST(FindConflict, IsQuickWhereLinearProgramsHaveToDecide) {
  constexpr std::size_t kGroups = 30'000;
  std::mt19937_64 random(3);
  RandomTerms terms{random, 3 * kGroups};
  Model model;
  model.num_atoms = 3 * kGroups;
  model.rules = {{0.0, true, "", {}}, {0.0, true, "", {}}};
  TermBlock groups, links;
  groups.kind = TermKind::kEqual;
  groups.coefficients = {1, 1, 1};
  links.kind = TermKind::kAtMost;
  links.rule = 1;
  links.coefficients = {1, 1};
  for (AtomId g = 0; g < kGroups; ++g) {
    add_term(groups, std::vector<AtomId>{3 * g, 3 * g + 1, 3 * g + 2}, {}, -1.0);
    for (int k = 0; k < 2; ++k) {
      const auto a = static_cast<AtomId>(terms.below(3 * kGroups));
      const auto b = static_cast<AtomId>(terms.below(3 * kGroups));
      if (a != b) add_term(links, std::vector<AtomId>{a, b}, {}, -1.0);
    }
  }
  model.blocks.push_back(std::move(groups));
  model.blocks.push_back(std::move(links));
  EXPECT_LT(seconds_of([&] { EXPECT_FALSE(conflict_of(model)); }), 20.0);

  TermBlock triangle;
  triangle.kind = TermKind::kAtMost;
  triangle.coefficients = {1, 1};
  add_term(triangle, std::vector<AtomId>{0, 300}, {}, -1.0);
  add_term(triangle, std::vector<AtomId>{300, 600}, {}, -1.0);
  add_term(triangle, std::vector<AtomId>{0, 600}, {}, -1.0);
  TermBlock sum;
  sum.kind = TermKind::kAtMost;
  sum.coefficients = {-1, -1, -1};
  add_term(sum, std::vector<AtomId>{0, 300, 600}, {}, 1.75);
  model.blocks.push_back(std::move(triangle));
  model.blocks.push_back(std::move(sum));
  std::optional<Conflict> conflict;
  EXPECT_LT(seconds_of([&] { conflict = conflict_of(model); }), 30.0);
  ASSERT_TRUE(conflict);
  EXPECT_TRUE(conflict->irreducible);
  EXPECT_LE(conflict->terms.size(), 20U);
}

TEST(FindConflict, EndsWhenAskedTo) {
  Model model = chain(kLength);
  fix(model, 0, 1.0);
  fix(model, kLength, 0.0);
  std::stop_source source;
  source.request_stop();
  EXPECT_LT(seconds_of([&] { conflict_of(model, source.get_token()); }), 1.0);
}

}  // namespace
}  // namespace sorites
