#include "meanfield/normal_form.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace sorites::meanfield {
namespace {

LogicNode literal(std::uint32_t atom, std::vector<std::uint32_t> values = {1}) {
  LogicNode node;
  node.literal = {atom, std::move(values)};
  return node;
}

LogicNode node(LogicKind kind, std::vector<LogicNode> operands) {
  LogicNode result;
  result.kind = kind;
  result.operands = std::move(operands);
  return result;
}

using World = std::vector<std::uint32_t>;  // the value of each atom

bool holds(const ValueLiteral& literal, const World& world) {
  return std::count(literal.values.begin(), literal.values.end(), world[literal.atom]) > 0;
}

bool holds(const LogicNode& formula, const World& world) {
  const auto holds_here = [&](const LogicNode& operand) { return holds(operand, world); };
  const auto& operands = formula.operands;
  switch (formula.kind) {
    case LogicKind::kLiteral:
      return holds(formula.literal, world);
    case LogicKind::kNot:
      return !holds_here(operands[0]);
    case LogicKind::kAnd:
      return std::all_of(operands.begin(), operands.end(), holds_here);
    case LogicKind::kOr:
      return std::any_of(operands.begin(), operands.end(), holds_here);
    case LogicKind::kImplies:
      return !holds_here(operands[0]) || holds_here(operands[1]);
    case LogicKind::kIff:
      return holds_here(operands[0]) == holds_here(operands[1]);
  }
  return false;
}

std::size_t num_violated(const std::vector<ValueClause>& clauses, const World& world) {
  return static_cast<std::size_t>(
      std::count_if(clauses.begin(), clauses.end(), [&](const ValueClause& clause) {
        return std::none_of(
            clause.begin(), clause.end(), [&](const ValueLiteral& l) { return holds(l, world); });
      }));
}

bool next_world(World& world, const std::vector<std::uint32_t>& num_values) {
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (++world[i] < num_values[i]) return true;
    world[i] = 0;
  }
  return false;
}

LogicNode random_formula(const std::vector<std::uint32_t>& num_values, int depth) {
  const int kind = depth == 0 ? 5 : *rc::gen::inRange(0, 6);
  if (kind == 5) {
    const auto atom =
        *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(num_values.size()));
    std::vector<std::uint32_t> values;
    for (std::uint32_t v = 0; v < num_values[atom]; ++v) {
      if (*rc::gen::arbitrary<bool>()) values.push_back(v);
    }
    return literal(atom, values);
  }
  const auto logic_kind = static_cast<LogicKind>(kind);
  int arity = 2;
  if (logic_kind == LogicKind::kNot) arity = 1;
  if (logic_kind == LogicKind::kAnd || logic_kind == LogicKind::kOr)
    arity = *rc::gen::inRange(0, 4);
  std::vector<LogicNode> operands;
  for (int i = 0; i < arity; ++i) operands.push_back(random_formula(num_values, depth - 1));
  return node(logic_kind, std::move(operands));
}

RC_GTEST_PROP(NormalForm, HasOneViolatedClauseWhereTheFormulaIsFalse, ()) {
  const std::vector<std::uint32_t> num_values{2, 2, 3, 4, 2};
  const LogicNode formula = random_formula(num_values, 4);
  const auto clauses = to_disjoint_clauses(formula, num_values);
  if (!clauses) return;  // too many
  World world(num_values.size(), 0);
  do {
    RC_ASSERT(num_violated(*clauses, world) == (holds(formula, world) ? 0U : 1U));
  } while (next_world(world, num_values));
}

RC_GTEST_PROP(NormalForm, HasLiteralsThatSaySomethingAndEachAtomOnce, ()) {
  const std::vector<std::uint32_t> num_values{2, 3, 2, 4};
  const auto clauses = to_disjoint_clauses(random_formula(num_values, 4), num_values);
  if (!clauses) return;
  for (const ValueClause& clause : *clauses) {
    std::vector<std::uint32_t> atoms;
    for (const ValueLiteral& l : clause) {
      RC_ASSERT(!l.values.empty());
      RC_ASSERT(l.values.size() < num_values[l.atom]);
      RC_ASSERT(std::is_sorted(l.values.begin(), l.values.end()));
      RC_ASSERT(std::count(atoms.begin(), atoms.end(), l.atom) == 0);
      atoms.push_back(l.atom);
    }
  }
}

RC_GTEST_PROP(NormalForm, OfClausesThatExcludeEachOtherIsThoseClauses, ()) {
  const std::vector<std::uint32_t> num_values{2, 2, 3, 2};
  const auto clauses = to_disjoint_clauses(random_formula(num_values, 3), num_values);
  if (!clauses) return;
  std::vector<LogicNode> conjuncts;
  for (const ValueClause& clause : *clauses) {
    std::vector<LogicNode> literals;
    for (const ValueLiteral& l : clause) literals.push_back(literal(l.atom, l.values));
    conjuncts.push_back(node(LogicKind::kOr, literals));
  }
  RC_ASSERT(to_disjoint_clauses(node(LogicKind::kAnd, conjuncts), num_values) == clauses);
}

TEST(NormalForm, LeavesASingleClauseAsItIs) {
  const LogicNode formula = node(LogicKind::kOr, {literal(1, {0}), literal(0), literal(2)});
  const std::vector<ValueClause> expected{{{1, {0}}, {0, {1}}, {2, {1}}}};
  EXPECT_EQ(to_disjoint_clauses(formula, {2, 2, 2}), expected);
}

TEST(NormalForm, OfAConjunctionIsAChain) {
  const LogicNode formula = node(LogicKind::kAnd, {literal(0), literal(1), literal(2)});
  const std::vector<ValueClause> expected{
      {{0, {1}}}, {{1, {1}}, {0, {0}}}, {{2, {1}}, {0, {0}}, {1, {0}}}};
  EXPECT_EQ(to_disjoint_clauses(formula, {2, 2, 2}), expected);
}

TEST(NormalForm, OfAnEquivalenceNeedsNoSplitting) {
  const LogicNode formula = node(LogicKind::kIff, {literal(0), literal(1)});
  const std::vector<ValueClause> expected{{{0, {0}}, {1, {1}}}, {{0, {1}}, {1, {0}}}};
  EXPECT_EQ(to_disjoint_clauses(formula, {2, 2}), expected);
}

TEST(NormalForm, UnitesTheClassesOfAnAtom) {
  const LogicNode formula = node(LogicKind::kOr, {literal(0, {0}), literal(1), literal(0, {2})});
  const std::vector<ValueClause> expected{{{0, {0, 2}}, {1, {1}}}};
  EXPECT_EQ(to_disjoint_clauses(formula, {4, 2}), expected);
  const LogicNode all = node(LogicKind::kOr, {literal(0, {0, 3}), literal(0, {1, 2})});
  EXPECT_EQ(to_disjoint_clauses(all, {4, 2}), std::vector<ValueClause>{});
}

TEST(NormalForm, OfWhatIsNeverTrueIsOneEmptyClause) {
  const std::vector<ValueClause> never{{}};
  const LogicNode both = node(LogicKind::kAnd, {literal(0), node(LogicKind::kNot, {literal(0)})});
  EXPECT_EQ(to_disjoint_clauses(both, {2}), never);
  const LogicNode two_classes = node(LogicKind::kAnd,
                                     {node(LogicKind::kOr, {literal(0, {0}), literal(1)}),
                                      literal(0, {1, 2}),
                                      node(LogicKind::kNot, {literal(1)})});
  EXPECT_EQ(to_disjoint_clauses(two_classes, {3, 2}), never);
}

TEST(NormalForm, IsRefusedIfItHasTooManyClauses) {
  std::vector<LogicNode> pairs;
  std::vector<std::uint32_t> num_values;
  for (std::uint32_t i = 0; i < 9; ++i) {
    pairs.push_back(node(LogicKind::kAnd, {literal(2 * i), literal(2 * i + 1)}));
    num_values.insert(num_values.end(), {2, 2});
  }
  EXPECT_FALSE(to_disjoint_clauses(node(LogicKind::kOr, pairs), num_values));
}

TEST(NormalForm, OfDeepEquivalencesTakesNoTimeToRefuse) {
  LogicNode formula = literal(0);
  std::vector<std::uint32_t> num_values{2};
  for (std::uint32_t i = 1; i < 100; ++i) {
    formula = node(LogicKind::kIff, {std::move(formula), literal(i)});
    num_values.push_back(2);
  }
  EXPECT_FALSE(to_disjoint_clauses(formula, num_values));
}

}  // namespace
}  // namespace sorites::meanfield
