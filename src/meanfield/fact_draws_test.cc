#include "meanfield/fact_draws.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sorites {
namespace {

// likes(x) of 100, of which the first are known; all true, or every second one false.
MeanFieldModel known(std::uint64_t num_facts, bool all_true) {
  MeanFieldModel model;
  model.domains.resize(1);
  for (Code c = 0; c < 100; ++c) model.domains[0].codes.push_back(c);
  model.predicates = {{.name = "likes", .arguments = {0}}};
  model.facts.resize(1);
  for (std::uint64_t i = 0; i < num_facts; ++i) {
    model.facts[0].push_back({i, all_true || i % 2 == 0 ? 1U : 0U});
  }
  return model;
}

bool has(const std::vector<KnownAtom>& atoms, const DrawnFact& fact) {
  return std::any_of(atoms.begin(), atoms.end(), [&](const KnownAtom& atom) {
    return atom.atom == fact.atom.atom;
  });
}

TEST(FactDraws, HoldsAPartOutOfAllDraws) {
  const MeanFieldModel model = known(80, false);
  FactDraws draws(model, 0.3, 0.2, 1);
  const FactDraw judged = draws.validation();
  EXPECT_GT(judged.hidden.size(), 5U);
  EXPECT_LT(judged.hidden.size(), 30U);
  EXPECT_EQ(judged.hidden.size() + draws.training().size(), 80U);
  for (std::uint64_t epoch = 0; epoch < 50; ++epoch) {
    const FactDraw draw = draws.draw(epoch);
    EXPECT_TRUE(draw.presumed.empty());  // there are false ones
    const auto shown = draws.known_without(draw);
    EXPECT_EQ(shown[0].size(), 80 - judged.hidden.size() - draw.hidden.size());
    for (const DrawnFact& fact : judged.hidden) ASSERT_FALSE(has(shown[0], fact));
    for (const DrawnFact& fact : draw.hidden) ASSERT_FALSE(has(shown[0], fact));
  }
  // Where it is judged, all others are shown.
  EXPECT_EQ(draws.known_without(judged)[0].size(), draws.training().size());
}

TEST(FactDraws, LearnsFromAllOfFewFacts) {
  FactDraws draws(known(10, false), 0.5, 0.2, 1);
  EXPECT_EQ(draws.training().size(), 10U);
  EXPECT_FALSE(draws.validation().hidden.empty());
}

TEST(FactDraws, PresumesUnknownAtomsFalseWhereAllFactsAreTrue) {
  FactDraws draws(known(60, true), 0.5, 0.2, 1);
  bool any = false;
  for (std::uint64_t epoch = 0; epoch < 20; ++epoch) {
    for (const DrawnFact& fact : draws.draw(epoch).presumed) {
      any = true;
      EXPECT_GE(fact.atom.atom, 60U);
      EXPECT_EQ(fact.atom.value, 0U);
    }
  }
  EXPECT_TRUE(any);
}

// Otherwise a draw of few facts would leave nothing to learn from.
TEST(FactDraws, AlwaysHidesSomething) {
  const FactDraws draws(known(2, false), 0.01, 0.2, 1);
  for (std::uint64_t number = 0; number < 20; ++number) {
    EXPECT_FALSE(draws.draw(number).hidden.empty());
  }
  EXPECT_TRUE(FactDraws(known(0, false), 0.3, 0.2, 1).draw(0).hidden.empty());
}

TEST(FactDraws, HangOnTheirNumberAlone) {
  const FactDraws draws(known(80, true), 0.3, 0.2, 1);
  const auto atoms = [&](std::uint64_t number) {
    std::vector<std::size_t> all;
    for (const DrawnFact& fact : draws.draw(number).hidden) all.push_back(fact.atom.atom);
    return all;
  };
  const std::vector<std::size_t> third = atoms(3);
  EXPECT_NE(atoms(4), third);
  EXPECT_EQ(atoms(3), third);
}

}  // namespace
}  // namespace sorites
