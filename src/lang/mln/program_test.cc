// From texts of Markov logic to programs and databases.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lang/mln/test_programs.h"

namespace sorites::markov {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kDeclarations =
    "person = {Ann, Bob, Eve}\n"
    "smokes(person)\n*friend(person, person)\nlabel(person) in {RL, ML, DB}\n"
    "kind(person, species!)\n";

ReadProgram read_formulas(const std::string& formulas, const std::string& facts = "") {
  return read_texts({kDeclarations, formulas, facts + "kind(Ann, Cat)\nkind(Bob, Dog)\n", ""});
}

const Formula& formula_of(const Rule& rule) { return std::get<LogicalRule>(rule.body).formula; }

TEST(MlnProgram, HasNamedDomainsAndPredicates) {
  const ReadProgram read = read_formulas("1 smokes(x)\n");
  ASSERT_EQ(read.rendered(), "");
  const Program& program = read.program();
  ASSERT_EQ(program.domains.size(), 6U);
  EXPECT_EQ(program.domains[3],
            (sorites::Domain{"person", ConstantType::kText, {"Ann", "Bob", "Eve"}, true}));
  EXPECT_EQ(program.domains[4],
            (sorites::Domain{"label", ConstantType::kText, {"RL", "ML", "DB"}, true}));
  EXPECT_EQ(program.domains[5], (sorites::Domain{"species", ConstantType::kText, {}, false}));
  const Predicate& smokes = program.predicates[0];
  EXPECT_TRUE(smokes.open && smokes.open_world && !smokes.has_classes);
  EXPECT_THAT(smokes.domains, ElementsAre(3));
  const Predicate& friends = program.predicates[1];
  EXPECT_FALSE(friends.open || friends.open_world);
  const Predicate& label = program.predicates[2];
  EXPECT_TRUE(label.open && label.open_world && label.has_classes);
  EXPECT_THAT(label.domains, ElementsAre(3, 4));
  const Predicate& kind = program.predicates[3];
  EXPECT_TRUE(kind.has_classes);
  EXPECT_THAT(kind.domains, ElementsAre(3, 5));
  EXPECT_EQ(read.database().dictionary(5).size(), 2U);
}

TEST(MlnProgram, HasFactsQueriesAndTruthAsRows) {
  const ReadProgram read =
      read_texts({kDeclarations,
                  "1 smokes(x)\n",
                  "smokes(Ann)\n!smokes(Bob)\nlabel(Ann) = ML\nfriend(Ann, Bob)\nkind(Ann, Cat)\n",
                  "smokes(Eve)\nlabel(Bob) = DB\n?label(Eve)\nkind(Bob, Dog)\n",
                  "label(Eve) = RL 1.5\nsmokes(Eve) -0.1\n"});
  ASSERT_EQ(read.rendered(), "");
  const Database& database = read.database();
  const auto rows = [&](PredicateId p, Partition partition) {
    std::string text;
    const Table& table = database.relation(p).table(partition);
    for (std::uint32_t row = 0; row < table.num_rows; ++row) {
      text += fmt::format(
          "{}={} ", fmt::join(database.arguments(p, {partition, row}), ","), table.value(row));
    }
    return text;
  };
  EXPECT_EQ(rows(0, Partition::kObserved), "Ann=1 Bob=0 ");
  EXPECT_EQ(rows(0, Partition::kTarget), "Eve=1 ");
  EXPECT_EQ(rows(0, Partition::kTruth), "Eve=1 ");
  EXPECT_EQ(rows(2, Partition::kObserved), "Ann,ML=1 ");
  EXPECT_EQ(rows(2, Partition::kTarget), "Bob,RL=1 Bob,ML=1 Bob,DB=1 Eve,RL=1 Eve,ML=1 Eve,DB=1 ");
  EXPECT_EQ(rows(2, Partition::kTruth), "Bob,DB=1 ");
  EXPECT_EQ(rows(3, Partition::kTarget), "Bob,Cat=1 Bob,Dog=1 ");
  EXPECT_EQ(database.potentials(2).num_rows, 1U);
  EXPECT_EQ(database.potentials(2).value(0), 1.5);
  EXPECT_EQ(database.potentials(0).value(0), -0.1);
  EXPECT_EQ(database.origin(0, {Partition::kObserved, 1}), (Span{"facts", 2, 0, 0}));
  EXPECT_EQ(database.potential_origin(0, 0), (Span{"unaries", 2, 0, 0}));
}

TEST(MlnProgram, HasFormulasAsTheyAreWritten) {
  const ReadProgram read = read_formulas(
      "-1.5 smokes(x) ^ friend(x, y) => smokes(y)\n"
      "label(x) in {RL, DB} v label(x) != ML.\n"
      "2 kind(x, c) ^ x != y ^ (smokes(y) ^ y = Bob) => label(y) = RL\n");
  ASSERT_EQ(read.rendered(), "");
  const auto& rules = read.program().rules;
  ASSERT_EQ(rules.size(), 3U);
  EXPECT_EQ(rules[0].weight, -1.5);
  EXPECT_EQ(formula_of(rules[0]).kind, FormulaKind::kImplies);
  EXPECT_EQ(rules[0].text, "-1.5 smokes(x) ^ friend(x, y) => smokes(y)");
  EXPECT_EQ(rules[0].source, (Span{"rules", 1, 1, 42}));
  EXPECT_EQ(rules[0].id, 0U);
  EXPECT_EQ(rules[2].id, 2U);
  EXPECT_FALSE(rules[1].weight);
  EXPECT_EQ(read.rules(),
            "-1.5 smokes(x) ^ friend(x, y) => smokes(y)\n"
            "label(x) = RL v label(x) = DB v label(x) != ML.\n"
            "2 kind(x) = c ^ x != y ^ smokes(y) ^ y = Bob => label(y) = RL\n");
  EXPECT_EQ(formula_of(rules[2]).operands[0].operands.size(), 4U);
  EXPECT_EQ(formula_of(rules[2]).operands[0].operands[1].comparison.op,
            ComparisonOperator::kNotEqual);
}

TEST(MlnProgram, HasQuantifiersInside) {
  const ReadProgram read = read_formulas(
      "1 smokes(x) => EXISTS y friend(x, y) ^ smokes(y)\n"
      "(EXIST x smokes(x)) ^ (FORALL x (friend(x, y) => (EXISTS x label(x) = RL))).\n"
      "FORALL x EXISTS y friend(x, y).\n");
  ASSERT_EQ(read.rendered(), "");
  const Rule& first = read.program().rules[0];
  const Formula& exists = formula_of(first).operands[1];
  EXPECT_EQ(exists.kind, FormulaKind::kExists);
  EXPECT_THAT(exists.quantified, ElementsAre(1));
  EXPECT_EQ(first.variables[1], (Variable{"y", 3, false, true}));
  EXPECT_EQ(read.rules(),
            "1 smokes(x) => (EXISTS y friend(x, y) ^ smokes(y))\n"
            "(EXISTS x smokes(x)) ^ (FORALL x2 friend(x2, y) => (EXISTS x3 label(x3) = RL)).\n"
            "EXISTS y friend(x, y).\n");
  EXPECT_EQ(read_formulas("1 EXISTS y smokes(x)\n").codes(), "unbound-variable");
  EXPECT_EQ(read_formulas("1 EXISTS y smokes(+y)\n").codes(), "syntax");
}

TEST(MlnProgram, GivesConstantsTheirWeights) {
  const ReadProgram read = read_formulas(
      "[1, 2, 3, 4, 5, 6] FORALL x, c smokes(+x) => kind(x, +c)\n0.5 smokes(+x)\n[2, 2, 2] "
      "smokes(+x)\n");
  ASSERT_EQ(read.rendered(), "");
  const Rule& rule = read.program().rules[0];
  EXPECT_THAT(rule.weighted, ElementsAre(0, 1));
  ASSERT_EQ(rule.constant_weights.size(), 6U);
  EXPECT_EQ(rule.constant_weights[1], (ConstantWeight{{"Ann", "Dog"}, 2.0}));
  EXPECT_EQ(rule.constant_weights[2], (ConstantWeight{{"Bob", "Cat"}, 3.0}));
  EXPECT_THAT(read.program().rules[1].constant_weights, IsEmpty());
  EXPECT_EQ(read.rules(),
            "[1, 2, 3, 4, 5, 6] smokes(+x) => kind(+x) = +c\n0.5 smokes(+x)\n2 smokes(+x)\n");
  EXPECT_EQ(read_formulas("[1, 2] smokes(+x)\n").codes(), "weight-count");
  const ReadProgram other =
      read_formulas("[1, 2, 3, 4, 5, 6] FORALL c, x smokes(+x) v kind(x, +c)\n");
  EXPECT_EQ(other.rules(), "[1, 2, 3, 4, 5, 6] FORALL c, x smokes(+x) v kind(+x) = +c\n");
}

TEST(MlnProgram, GivesConstantsTheirWeightsByName) {
  const std::string named =
      "[(Bob, Cat) = 3, (\"Eve\", Dog) = -1, ... = 0.5] FORALL x, c smokes(+x) => kind(x, +c)\n";
  const ReadProgram read = read_formulas(named + "[Eve = 2] smokes(+x)\n");
  ASSERT_EQ(read.rendered(), "");
  const Rule& rule = read.program().rules[0];
  EXPECT_THAT(
      rule.constant_weights,
      ElementsAre(ConstantWeight{{"Bob", "Cat"}, 3.0}, ConstantWeight{{"Eve", "Dog"}, -1.0}));
  EXPECT_EQ(rule.weight, 0.5);
  EXPECT_EQ(rule_text(rule, read.program()),
            "[(Bob, Cat) = 3, (Eve, Dog) = -1, ... = 0.5] smokes(+x) => kind(+x) = +c");
  EXPECT_EQ(read.program().rules[1].weight, 0.0);
  // The classes of `kind` are a domain that lists none of its constants; those of people are.
  EXPECT_EQ(rule_text(read.program().rules[1], read.program()), "[0, 0, 2] smokes(+x)");
}

TEST(MlnProgram, PutsConstantsOfFormulasIntoTheirDictionary) {
  const ReadProgram read = read_texts({"p(t)\n", "1 p(C) => p(A)\n", "p(A)\n", ""});
  EXPECT_EQ(read.codes(), "unknown-constant");
  EXPECT_EQ(read.database().dictionary(3).size(), 2U);
  EXPECT_THAT(read.program().domains[3].constants, IsEmpty());
  EXPECT_EQ(declarations_text(read.program(), &read.database()), "t = {A, C, ...}\np(t)\n");
  EXPECT_EQ(declarations_text(read.program()), "p(t)\n");
}

TEST(MlnProgram, ReadsFormulasOverSeveralLines) {
  const ReadProgram read = read_statements(
      "p(t)\nq(t,\n  t)\n\n1 p(x) ^\n  q(x,\n    y) =>\n// a comment\np(y)\n"
      "(p(x)\n  v p(y)\n). \n2 (EXISTS x,\n y\n q(x, y))\nt = {A,\n B}\n");
  EXPECT_EQ(read.rendered(), "");
  EXPECT_EQ(read.rules(), "1 p(x) ^ q(x, y) => p(y)\np(x) v p(y).\n2 EXISTS x, y q(x, y)\n");
  EXPECT_EQ(read.program().rules[0].text, "1 p(x) ^ q(x, y) => p(y)");
}

TEST(MlnProgram, LosesTheLineOfAMistakeOnly) {
  const ReadProgram read =
      read_statements("p(t)\n1 p(x\n1 r(x)\n1 p(x) ^\n2 p(x)\n1 p(x) =>\n\np(x).\n");
  EXPECT_EQ(read.codes(), "unclosed-bracket unknown-predicate syntax syntax");
  EXPECT_EQ(read.program().rules.size(), 2U);
}

TEST(MlnProgram, IncludesFiles) {
  const ReadProgram read =
      read_statements("#include \"types.mln\"\n1 p(x)\n#include \"more/rules.mln\"\n3 p(x)\n",
                      {{"folder/types.mln", "t = {A}\np(t)\n"},
                       {"folder/more/rules.mln", "#include \"last.mln\"\n"},
                       {"folder/more/last.mln", "2 !p(x)\n"}});
  EXPECT_EQ(read.rendered(), "");
  EXPECT_EQ(read.rules(), "1 p(x)\n2 !p(x)\n3 p(x)\n");
  EXPECT_EQ(read.program().rules[1].source.file, "folder/more/last.mln");
}

TEST(MlnProgram, ReportsIncludesThatCannotBe) {
  const ReadProgram missing = read_statements("p(t)\n#include \"none.mln\"\n#include none\n");
  EXPECT_EQ(missing.codes(), "unreadable-file syntax");
  EXPECT_THAT(missing.rendered(), HasSubstr("folder/model.mln:2:10"));
  const ReadProgram circle = read_statements(
      "#include \"a.mln\"\n", {{"folder/a.mln", "p(t)\n#include \"../folder/model.mln\"\n"}});
  EXPECT_THAT(
      circle.rendered(),
      HasSubstr("folder/a.mln:2:10: error: `folder/model.mln` includes itself in a circle"));
}

TEST(MlnProgram, TakesBothSignsOfAStarredAtom) {
  const ReadProgram read = read_formulas("1 *smokes(x) ^ *friend(x, y) => smokes(y)\n");
  EXPECT_EQ(read.rendered(), "");
  EXPECT_EQ(read.rules(),
            "1 smokes(x) ^ friend(x, y) => smokes(y)\n"
            "1 smokes(x) ^ !friend(x, y) => smokes(y)\n"
            "1 !smokes(x) ^ friend(x, y) => smokes(y)\n"
            "1 !smokes(x) ^ !friend(x, y) => smokes(y)\n");
  EXPECT_EQ(read_formulas("*smokes(x) v smokes(y).\n").codes(), "syntax");
}

TEST(MlnProgram, RefusesByNameWhatIsNotTaken) {
  EXPECT_THAT(read_statements("person motherOf(person)\n").rendered(),
              HasSubstr("`motherOf` is declared as a function, and there are none"));
  EXPECT_THAT(read_statements("p(t)\n1 p(motherOf(x))\n").rendered(),
              HasSubstr("give the values of `motherOf` as facts"));
  EXPECT_THAT(read_statements("p(t)\n1 p(x) ^ lessThan(x, y) => p(y)\n").rendered(),
              HasSubstr("there is no predicate `lessThan`, which Alchemy computes"));
  EXPECT_THAT(read_statements("p(t)\n1 p(x) ^ x < y => p(y)\n").rendered(),
              HasSubstr("constants have no order here"));
  EXPECT_THAT(read_statements("p(t!, t)\n").rendered(), HasSubstr("must be the last argument"));
  EXPECT_EQ(read_statements("p(t)\nP(t)\n").codes(), "duplicate-predicate");
}

TEST(MlnProgram, SettlesFactsAndQueries) {
  const ReadProgram read = read_texts({"p(t)\n*q(t)\n",
                                       "1 p(x)\n",
                                       "p(A)\n!p(B)\np(A)\n?p(C)\n?p(A)\n",
                                       "p(C)\n?p(D) = false\nq(A)\n"});
  EXPECT_EQ(read.codes(), "observed-and-target observed-and-target");
  EXPECT_EQ(facts_text(read.database()), "p(A)\n!p(B)\n");
  EXPECT_EQ(queries_text(read.database(), QueryStyle::kAsQuestions),
            "?p(C) = true\n?p(D) = false\n");
  EXPECT_EQ(read_texts({"p(t)\n", "1 p(x)\n", "p(A)\n!p(A)\n", ""}).codes(), "contradicting-facts");
  EXPECT_EQ(read_texts({"l(t) in {A, B}\n", "1 l(x) = A\n", "l(P) = A\nl(P) = B\n", ""}).codes(),
            "contradicting-facts");
  EXPECT_EQ(read_texts({"*p(t)\n", "1 p(x)\n", "p(A)\n", "", "p(A) 1\n"}).codes(), "bad-value");
  EXPECT_EQ(read_texts({"p(t)\n", "1 p(x)\n", "", "", "p(A) 1\np(B) 1\np(A) 1\n"}).codes(),
            "duplicate-atom");
}

TEST(MlnProgram, TellsFormulasThatAreNeverOrAlwaysTrue) {
  for (const char* never : {"1 smokes(x) ^ !smokes(x)\n",
                            "smokes(x) ^ !smokes(x).\n",
                            "1 (smokes(x) <=> smokes(y)) ^ smokes(x) ^ !smokes(y)\n"}) {
    EXPECT_EQ(read_formulas(never).codes(), "no-atom") << never;
  }
  for (const char* always : {"0.2 smokes(x) v !smokes(x)\n", "smokes(x) <=> smokes(x).\n"}) {
    EXPECT_EQ(read_formulas(always).codes(), "always-satisfied") << always;
  }
  for (const char* fine : {"1 smokes(x) ^ !smokes(y)\n", "1 EXISTS y friend(x, y) ^ smokes(y)\n"}) {
    EXPECT_EQ(read_formulas(fine).codes(), "") << fine;
  }
}

}  // namespace
}  // namespace sorites::markov
