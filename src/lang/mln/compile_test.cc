#include "lang/mln/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lang/mln/printer.h"
#include "lang/mln/test_texts.h"

namespace sorites::markov {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

MarkovModel compiled(const TestTexts& texts) {
  TestResult result = compile_texts(texts);
  EXPECT_EQ(result.rendered(), "");
  return result.model ? std::move(*result.model) : MarkovModel{};
}

std::string formulas(const std::string& rules) {
  return formulas_text(
      compiled({"smokes(person)\nfriend(person, person)\nage(person, number)\n"
                "label(person) in {RL, ML, DB}\n",
                rules,
                "smokes(A)\nfriend(B, A)\nage(A, 1)\nage(B, 2)\n",
                ""}));
}

TEST(MarkovCompile, NumbersConstantsByFactsThenQueriesThenRules) {
  const TestResult result = compile_texts(
      {"p(t, u)\nq(u)\n", "1 q(C) v p(x, y)\n", "q(B)\np(X, A)\n", "q(D)\n!p(Y, B)\n"});
  ASSERT_TRUE(result.model);
  EXPECT_EQ(result.codes(), "unknown-constant");
  EXPECT_THAT(result.model->types[0].constants, ElementsAre("X", "Y"));
  EXPECT_THAT(result.model->types[1].constants, ElementsAre("B", "A", "D", "C"));
  EXPECT_THAT(result.model->facts[0].constants, ElementsAre(0, 1));
  EXPECT_THAT(result.model->queries[0].constants, ElementsAre(1, 0));
  EXPECT_THAT(result.model->queries[0].values, ElementsAre(0));
}

TEST(MarkovCompile, TakesSmallLettersAsConstantsInDataOnly) {
  const MarkovModel model = compiled({"p(t)\n", "1 p(a) v p(\"a\")\n", "p(a)\n", ""});
  ASSERT_EQ(model.formulas.size(), 1U);
  EXPECT_EQ(model.formulas[0].variables.size(), 1U);
  const MarkovClause& clause = model.formulas[0].clauses[0];
  EXPECT_FALSE(clause[0].terms[0].is_constant);
  EXPECT_TRUE(clause[1].terms[0].is_constant);
}

TEST(MarkovCompile, KeepsTheTextWithoutTheWeight) {
  const MarkovModel model =
      compiled({"p(t)\n", "1.5  p(x)=>p(y)  // why\n p(x) .\n", "p(A)\n", ""});
  EXPECT_EQ(model.formulas[0].text, "p(x)=>p(y)");
  EXPECT_EQ(model.formulas[0].place, (Span{"rules", 1, 6, 10}));
  EXPECT_EQ(model.formulas[1].text, "p(x)");
  EXPECT_TRUE(model.formulas[1].hard);
  EXPECT_THAT(model.formulas[1].weights, IsEmpty());
}

TEST(MarkovCompile, BindsNotBeforeAndBeforeOrBeforeArrows) {
  EXPECT_EQ(formulas("1 !smokes(x) ^ smokes(y) => smokes(x) v !smokes(y) v friend(x, y)\n"),
            "1 smokes(x) v !smokes(y) v friend(x, y)\n");
  EXPECT_EQ(formulas("1 smokes(x) => smokes(y) <=> friend(x, y)\n"),
            formulas("1 (smokes(x) => smokes(y)) <=> friend(x, y)\n"));
  EXPECT_EQ(formulas("1 smokes(x) v smokes(y) ^ friend(x, y)\n"),
            formulas("1 smokes(x) v (smokes(y) ^ friend(x, y))\n"));
}

TEST(MarkovCompile, ReadsVAsVariableWhereATermStands) {
  EXPECT_EQ(formulas("1 smokes(v) v smokes(x) v v = x\n"), "1 smokes(v) v smokes(x) v v = x\n");
}

TEST(MarkovCompile, MakesOneWeightPerCombinationOfConstants) {
  const MarkovModel model = compiled({"p(t, u)\n",
                                      "[1, 2, 3, 4, 5, 6] p(+x, +y)\n0.5 p(x, +y)\n",
                                      "p(A, C)\np(B, D)\np(B, E)\n",
                                      ""});
  EXPECT_THAT(model.formulas[0].weighted, ElementsAre(0, 1));
  EXPECT_THAT(model.formulas[0].weights, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(model.formulas[1].weighted, ElementsAre(1));
  EXPECT_THAT(model.formulas[1].weights, ElementsAre(0.5, 0.5, 0.5));
}

TEST(MarkovCompile, SumsTheWeightsOfVariablesThatVanish) {
  const MarkovModel model = compiled({"p(t)\nq(u)\n",
                                      "[1, 2, 3, 4, 5, 6] FORALL x, y p(+x) ^ (q(+y) v !q(y))\n"
                                      "[1, 2, 3, 4, 5, 6] FORALL y, x p(+x) ^ (q(+y) v !q(y))\n",
                                      "p(A)\np(B)\nq(C)\nq(D)\nq(E)\n",
                                      ""});
  EXPECT_THAT(model.formulas[0].weights, ElementsAre(1 + 2 + 3, 4 + 5 + 6));
  EXPECT_THAT(model.formulas[1].weights, ElementsAre(1 + 3 + 5, 2 + 4 + 6));
}

TEST(MarkovCompile, GivesEachClassOfAVariableItsPartOfTheWeights) {
  EXPECT_EQ(formulas("[1, 2, 3, 4, 5, 6] FORALL x, c smokes(+x) => label(x) = +c\n"),
            "[1, 4] !smokes(+x) v label(+x) = RL\n"
            "[2, 5] !smokes(+x) v label(+x) = ML\n"
            "[3, 6] !smokes(+x) v label(+x) = DB\n");
}

TEST(MarkovCompile, LeavesOutClassesForWhichAFormulaIsDecided) {
  EXPECT_EQ(formulas("1 c = RL => label(x) = c\n"), "1 label(x) = RL\n");
  EXPECT_EQ(formulas("1 c != RL ^ label(x) = c\n"), "1 label(x) = ML\n1 label(x) = DB\n");
  const TestResult hard =
      compile_texts({"l(t) in {A, B}\n", "c = A ^ l(x) = c.\n", "l(P) = A\n", ""});
  EXPECT_EQ(hard.codes(), "no-atom");
}

TEST(MarkovCompile, MakesEqualityAClosedPredicateOfEqualPairs) {
  const MarkovModel model = compiled({"p(t, t)\n", "1 p(x, y) => x = y\n", "p(A, B)\n", ""});
  ASSERT_EQ(model.predicates.size(), 2U);
  EXPECT_EQ(model.predicates[1], (MarkovPredicate{"=", {0, 0}, {}, true}));
  EXPECT_THAT(model.facts[1].constants, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(model.facts[1].values, ElementsAre(1, 1));
}

TEST(MarkovCompile, TakesTheTypeOfAVariableOverEqualities) {
  EXPECT_EQ(formulas("1 smokes(x) ^ z = y ^ y = x => z != B\n"),
            "1 !smokes(x) v z != y v x != y v z != B\n");
  EXPECT_EQ(compile_texts({"p(t)\nq(u)\n", "1 p(x) ^ q(y) => x = y\n", "p(A)\nq(A)\n", ""}).codes(),
            "variable-type");
}

TEST(MarkovCompile, KeepsEachFactOnceAndQueriesThatAreUnknown) {
  const TestResult result = compile_texts(
      {"p(t)\n", "1 p(x)\n", "p(A)\n!p(B)\np(A)\n?p(C)\n?p(A)\n", "p(C)\n?p(D) = false\n?p(C)\n"});
  ASSERT_TRUE(result.model);
  EXPECT_EQ(result.codes(), "observed-and-target");
  EXPECT_THAT(result.model->facts[0].constants, ElementsAre(0, 1));
  EXPECT_THAT(result.model->queries[0].constants, ElementsAre(2, 3));
  EXPECT_THAT(result.model->queries[0].values, ElementsAre(1, 0));
}

TEST(MarkovCompile, NumbersAtomsRowByRow) {
  const MarkovModel model =
      compiled({"p(t, u)\n", "1 p(x, y)\n", "p(A, C)\np(B, D)\np(B, \"e f\")\n", ""});
  EXPECT_EQ(atom_text(model, 0, 0), "p(A, C)");
  EXPECT_EQ(atom_text(model, 0, 5), "p(B, \"e f\")");
}

TEST(MarkovCompile, TellsAllMistakesOfAllTextsAtOnce) {
  const TestResult result =
      compile_texts({"p(t)\nq q\n", "1 p(x\n1 r(x)\n", "p(A, B)\n", "!s(A)\n"});
  EXPECT_FALSE(result.model);
  EXPECT_EQ(result.codes(),
            "syntax unclosed-bracket unknown-predicate wrong-arity unknown-predicate");
  EXPECT_THAT(result.rendered(), HasSubstr("rules:2:3: error: there is no predicate `r`"));
}

}  // namespace
}  // namespace sorites::markov
