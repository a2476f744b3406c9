#include "lang/clauses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "lang/printer.h"
#include "lang/test_predicates.h"

namespace sorites::lang {
namespace {

using testing::ElementsAre;

std::vector<std::string> clauses_of(const std::string& formula) {
  const Program program = compiled("1: " + formula);
  const Rule& rule = program.rules.at(0);
  std::vector<std::string> result;
  for (const Clause& clause : to_clauses(std::get<LogicalRule>(rule.body).formula)) {
    result.push_back(to_text(clause, rule, program));
  }
  return result;
}

TEST(ToClauses, GivesOneClauseForConjunctiveBodyAndDisjunctiveHead) {
  EXPECT_THAT(clauses_of("P(A) & !R(A, B) & Q(A, B) -> P(B) | !P(A)"),
              ElementsAre("!P(A) | R(A, B) | !Q(A, B) | P(B)"));
}

TEST(ToClauses, SplitsDisjunctiveBodiesAndConjunctiveHeads) {
  EXPECT_THAT(clauses_of("P(A) | Q(A, B) -> P(B)"), ElementsAre("!P(A) | P(B)", "!Q(A, B) | P(B)"));
  EXPECT_THAT(clauses_of("P(A) -> P(B) & Q(A, B)"), ElementsAre("!P(A) | P(B)", "!P(A) | Q(A, B)"));
}

TEST(ToClauses, TurnsAnEquivalenceIntoTwoImplications) {
  EXPECT_THAT(clauses_of("P(A) <-> P(B)"), ElementsAre("!P(A) | P(B)", "P(A) | !P(B)"));
}

TEST(ToClauses, MergesEqualLiteralsAndClauses) {
  EXPECT_THAT(clauses_of("P(A) | !!P(A) | P(B)"), ElementsAre("P(A) | P(B)"));
  EXPECT_THAT(clauses_of("(P(A) | P(B)) & (P(B) | P(A))"), ElementsAre("P(A) | P(B)"));
}

TEST(ToClauses, LeavesOutClausesThatAreTrueByForm) {
  EXPECT_THAT(clauses_of("(P(A) | !P(A)) & P(B)"), ElementsAre("P(B)"));
  EXPECT_THAT(clauses_of("(P(A) & P(B)) | (A == B & Q(A, B)) | A != B"),
              ElementsAre("P(A) | Q(A, B) | !(A == B)", "P(B) | Q(A, B) | !(A == B)"));
}

TEST(ToClauses, RefusesFormulasThatWouldExplode) {
  Formula either{FormulaKind::kOr, {}, {}, {}};
  for (VariableId v = 0; v < 20; v += 2) {
    Formula both{FormulaKind::kAnd, {}, {}, {}};
    both.operands.push_back({FormulaKind::kAtom, {}, {0, {v}}, {}});
    both.operands.push_back({FormulaKind::kAtom, {}, {0, {v + 1}}, {}});
    either.operands.push_back(both);
  }
  EXPECT_THROW(to_clauses(either), std::invalid_argument);
}

// ---- Against truth tables ---------------------------------------------------------------------

bool holds(const Formula& f, unsigned world) {
  const auto& o = f.operands;
  switch (f.kind) {
    case FormulaKind::kAtom:
      return (world >> std::get<VariableId>(f.atom.arguments[0]) & 1U) != 0;
    case FormulaKind::kNot:
      return !holds(o[0], world);
    case FormulaKind::kAnd:
      return std::all_of(o.begin(), o.end(), [&](const Formula& x) { return holds(x, world); });
    case FormulaKind::kOr:
      return std::any_of(o.begin(), o.end(), [&](const Formula& x) { return holds(x, world); });
    case FormulaKind::kImplies:
      return !holds(o[0], world) || holds(o[1], world);
    case FormulaKind::kIff:
      return holds(o[0], world) == holds(o[1], world);
    case FormulaKind::kComparison:
    case FormulaKind::kForall:
    case FormulaKind::kExists:
      break;
  }
  return false;
}

bool holds(const Clause& clause, unsigned world) {
  return std::any_of(clause.atoms.begin(), clause.atoms.end(), [&](const Literal<Atom>& literal) {
    const auto atom = std::get<VariableId>(literal.what.arguments[0]);
    return (world >> atom & 1U) != (literal.negated ? 1U : 0U);
  });
}

Formula random_formula(std::mt19937& rng, int depth) {
  const auto pick = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(rng); };
  const auto atom = [&] {
    return Formula{FormulaKind::kAtom, {}, {0, {static_cast<VariableId>(pick(4))}}, {}};
  };
  if (depth == 0) return atom();
  constexpr FormulaKind kKinds[] = {FormulaKind::kAtom,
                                    FormulaKind::kNot,
                                    FormulaKind::kAnd,
                                    FormulaKind::kOr,
                                    FormulaKind::kImplies,
                                    FormulaKind::kIff};
  Formula formula{kKinds[pick(6)], {}, {}, {}};
  if (formula.kind == FormulaKind::kAtom) return atom();
  const bool chain = formula.kind == FormulaKind::kAnd || formula.kind == FormulaKind::kOr;
  const int operands = formula.kind == FormulaKind::kNot ? 1 : chain ? 2 + pick(2) : 2;
  for (int i = 0; i < operands; ++i) formula.operands.push_back(random_formula(rng, depth - 1));
  return formula;
}

TEST(ToClauses, AreEquivalentToTheFormula) {
  std::mt19937 rng(3);
  int converted = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Formula formula = random_formula(rng, 4);
    const auto clauses = try_to_clauses(formula);
    if (!clauses) continue;
    ++converted;
    for (unsigned world = 0; world < 16; ++world) {
      const bool all = std::all_of(
          clauses->begin(), clauses->end(), [&](const Clause& c) { return holds(c, world); });
      ASSERT_EQ(all, holds(formula, world)) << "trial " << trial << ", world " << world;
    }
  }
  EXPECT_GT(converted, 2000);
}

}  // namespace
}  // namespace sorites::lang
