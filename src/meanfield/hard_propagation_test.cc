#include "meanfield/hard_propagation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "meanfield/random_mean_field.h"

namespace sorites {
namespace {

using Atom = std::pair<std::uint32_t, std::uint64_t>;          // predicate and number
using GroundClause = std::map<Atom, std::set<std::uint32_t>>;  // values at which it holds
using Possible = std::map<Atom, std::set<std::uint32_t>>;      // values of all atoms

// All groundings of the hard clauses, with the literals of one atom together.
class GroundModel {
 public:
  explicit GroundModel(const MeanFieldModel& model) : model_(model) {
    for (std::uint32_t p = 0; p < model.predicates.size(); ++p) add_atoms(p);
    for (const MeanFieldFormula& formula : model.formulas) {
      if (!formula.hard) continue;
      std::vector<std::uint32_t> constants(formula.variables.size());
      ground(formula, constants, 0);
    }
  }

  const Possible& possible() const { return possible_; }
  const std::vector<GroundClause>& clauses() const { return clauses_; }

  GroundClause clause_of(const MeanFieldClause& clause,
                         std::span<const std::uint64_t> atoms) const {
    GroundClause result;
    for (std::size_t l = 0; l < clause.size(); ++l) {
      result[{clause[l].predicate, atoms[l]}].insert(clause[l].values.begin(),
                                                     clause[l].values.end());
    }
    return result;
  }

 private:
  void add_atoms(std::uint32_t p) {
    const MeanFieldPredicate& predicate = model_.predicates[p];
    for (std::uint64_t atom = 0; atom < num_atoms(model_, p); ++atom) {
      std::set<std::uint32_t>& values = possible_[{p, atom}];
      for (std::uint32_t value = 0; value < predicate.num_values(); ++value) values.insert(value);
      if (predicate.closed) values = {0};
    }
    for (const KnownAtom& fact : model_.facts[p]) possible_[{p, fact.atom}] = {fact.value};
  }

  void ground(const MeanFieldFormula& formula,
              std::vector<std::uint32_t>& constants,
              std::size_t variable) {
    if (variable < constants.size()) {
      const std::uint32_t size = model_.domains[formula.variables[variable]].size();
      for (std::uint32_t c = 0; c < size; ++c) {
        constants[variable] = c;
        ground(formula, constants, variable + 1);
      }
      return;
    }
    for (const MeanFieldClause& clause : formula.clauses) {
      std::vector<std::uint64_t> atoms;
      for (const MeanFieldLiteral& literal : clause) {
        std::vector<std::uint32_t> arguments;
        for (const MeanFieldTerm& term : literal.terms) {
          arguments.push_back(term.is_constant ? term.index : constants[term.index]);
        }
        atoms.push_back(atom_number(model_, literal.predicate, arguments));
      }
      clauses_.push_back(clause_of(clause, atoms));
    }
  }

  const MeanFieldModel& model_;
  Possible possible_;
  std::vector<GroundClause> clauses_;
};

// Unit propagation by going through all clauses again and again. False: they contradict.
bool propagate_slowly(const std::vector<GroundClause>& clauses, Possible& possible) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const GroundClause& clause : clauses) {
      std::vector<std::pair<Atom, std::set<std::uint32_t>>> left;  // literals that can hold
      for (const auto& [atom, values] : clause) {
        std::set<std::uint32_t> both;
        for (const std::uint32_t value : values) {
          if (possible[atom].count(value) > 0) both.insert(value);
        }
        if (!both.empty()) left.emplace_back(atom, both);
      }
      if (left.empty()) return false;
      if (left.size() > 1 || possible[left[0].first] == left[0].second) continue;
      possible[left[0].first] = left[0].second;
      changed = true;
    }
  }
  return true;
}

void expect_slow_propagation(const MeanFieldModel& model) {
  const GroundModel ground(model);
  Possible possible = ground.possible();
  const bool consistent = propagate_slowly(ground.clauses(), possible);
  const HardPropagation result = propagate_hard(model, {});
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(result.conflict.empty(), consistent);
  if (!consistent) {  // what is shown is a contradiction by itself
    std::vector<GroundClause> shown;
    for (const HardGrounding& one : result.conflict) {
      shown.push_back(ground.clause_of(model.formulas[one.formula].clauses[one.clause], one.atoms));
    }
    Possible again = ground.possible();
    EXPECT_FALSE(propagate_slowly(shown, again));
    return;
  }
  std::map<Atom, std::uint32_t> determined;
  for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
    for (const KnownAtom& atom : result.determined[p]) determined[{p, atom.atom}] = atom.value;
  }
  for (const auto& [atom, values] : possible) {
    const bool is_new = values.size() == 1 && ground.possible().at(atom).size() > 1;
    ASSERT_EQ(determined.count(atom) > 0, is_new) << atom.first << ' ' << atom.second;
    if (is_new) {
      EXPECT_EQ(determined[atom], *values.begin());
    }
  }
}

TEST(HardPropagation, EqualsThatOverAllGroundings) {
  std::size_t num_conflicts = 0, num_determined = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    RandomMeanField random(seed + 60'000);
    MeanFieldModel model = random.model();
    for (MeanFieldFormula& formula : model.formulas) formula.hard = random.chance(0.8);
    expect_slow_propagation(model);
    if (HasFailure()) return;
    const HardPropagation result = propagate_hard(model, {});
    if (!result.conflict.empty()) ++num_conflicts;
    for (const auto& atoms : result.determined) num_determined += atoms.size();
  }
  EXPECT_GT(num_conflicts, 100U);  // or the test shows nothing
  EXPECT_GT(num_determined, 1000U);
}

// next(x, y) ^ p(x) => p(y), and p of the first.
MeanFieldModel chain(std::uint32_t length) {
  MeanFieldModel model;
  model.domains.resize(1);
  for (Code c = 0; c < length; ++c) model.domains[0].codes.push_back(c);
  model.predicates = {{.name = "next", .arguments = {0, 0}, .closed = true},
                      {.name = "p", .arguments = {0}}};
  model.facts = {{}, {{0, 1}}};
  for (std::uint64_t i = 0; i + 1 < length; ++i) model.facts[0].push_back({i * length + i + 1, 1});
  MeanFieldFormula formula;
  formula.hard = true;
  formula.variables = {0, 0};
  formula.weights = {0.0};
  formula.clauses = {
      {{0, {{false, 0}, {false, 1}}, {0}}, {1, {{false, 0}}, {0}}, {1, {{false, 1}}, {1}}}};
  add_formula(model, formula);
  return model;
}

TEST(HardPropagation, FollowsFactsAndNotAllGroundings) {
  constexpr std::uint32_t kLength = 20'000;  // 400,000,000 groundings
  const MeanFieldModel model = chain(kLength);
  const HardPropagation result = propagate_hard(model, {.max_steps = 1'000'000});
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.determined[1].size(), kLength - 1);
}

TEST(HardPropagation, ShowsTheWholeWayToAContradiction) {
  MeanFieldModel model = chain(5);
  model.facts[1] = {{0, 1}, {3, 0}};
  const HardPropagation result = propagate_hard(model, {});
  std::set<std::vector<std::uint64_t>> shown;
  for (const HardGrounding& grounding : result.conflict) shown.insert(grounding.atoms);
  EXPECT_EQ(shown, (std::set<std::vector<std::uint64_t>>{{1, 0, 1}, {7, 1, 2}, {13, 2, 3}}));
  EXPECT_EQ(result.conflict.size(), 3U);
  for (const HardGrounding& grounding : result.conflict) {
    EXPECT_TRUE(grounding.fails_by_facts[0]);
    EXPECT_EQ(grounding.fails_by_facts[1], grounding.atoms[1] == 0);
    EXPECT_EQ(grounding.fails_by_facts[2], grounding.atoms[2] == 3);
  }
}

TEST(HardPropagation, SaysThatItStopped) {
  EXPECT_FALSE(propagate_hard(chain(100), {.max_steps = 50}).complete);
}

}  // namespace
}  // namespace sorites
