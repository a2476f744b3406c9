#include "hinge/lower/lower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hinge/ground/fingerprint.h"
#include "hinge/ground/random_program.h"
#include "hinge/ground/reference_grounder.h"
#include "hinge/lower/constant_weights.h"
#include "hinge/lower/open_world.h"
#include "hinge/model/rule_numbers.h"
#include "sorites/ground.h"

namespace sorites {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kText = ArgumentType::kUniqueStringId;

Program smokers(std::string_view rules) {
  Program program;
  program.predicates = {
      {.name = "Person", .types = {kText}},
      {.name = "Friends", .types = {kText, kText}},
      {.name = "Smokes", .types = {kText}, .open = true, .open_world = true},
      {.name = "Label", .types = {kText, kText}, .open = true, .has_classes = true},
  };
  add_rules(program, rules, "test.rules");
  return program;
}

std::vector<std::string> problems(const Program& program, Database& database) {
  Diagnostics sink;
  lower_to_hinge(program, database, sink);
  std::vector<std::string> texts;
  for (const Diagnostic& diagnostic : sink.take_sorted()) {
    texts.push_back(diagnostic.code + ": " + diagnostic.message);
  }
  return texts;
}

Program lowered(const Program& program, Database& database) {
  Diagnostics sink;
  Program result = lower_to_hinge(program, database, sink);
  EXPECT_FALSE(sink.has_errors());
  return result;
}

TEST(LowerToHinge, LeavesProgramsOfPslAsTheyAre) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomProgram random(seed);
    Program program;
    program.predicates = RandomProgram::predicates();
    while (program.rules.size() < 3) random.add_rule(program);
    Database database = random.database(program.predicates);
    const std::uint64_t before = fingerprint(program, database);
    EXPECT_EQ(lowered(program, database), program);
    EXPECT_EQ(fingerprint(program, database), before);
  }
}

TEST(LowerToHinge, MakesTargetsOfAllUnknownAtomsOfAnOpenWorld) {
  const Program program = smokers("1: Friends(A, B) & Smokes(A) -> Smokes(B)");
  Database database(program.predicates);
  database.add(Partition::kObserved, "Friends", {"ann", "bob"});
  database.add(Partition::kObserved, "Person", {"cid"});
  database.add(Partition::kObserved, "Smokes", {"ann"});
  database.add(Partition::kTarget, "Smokes", {"cid"});
  const Program result = lowered(program, database);
  const Table& targets = database.relation(2).table(Partition::kTarget);
  std::vector<std::string> names;
  for (std::uint32_t row = 0; row < targets.num_rows; ++row) {
    names.push_back(database.arguments(2, {Partition::kTarget, row})[0]);
  }
  EXPECT_THAT(names, ElementsAre("cid", "bob"));
  EXPECT_EQ(database.relation(2).table(Partition::kObserved).num_rows, 1U);
  EXPECT_EQ(ground(result, database).num_terms(), 1U);
}

// Smokes(x) | Friends(x, y) holds for all people, whether or not Friends or Smokes have rows.
TEST(LowerToHinge, VariablesOfAnOpenWorldTakeAllConstants) {
  const Program program = smokers("1: Smokes(A) | Friends(A, 'ann')");
  Database database(program.predicates);
  for (const char* who : {"ann", "bob", "cid"}) database.add(Partition::kObserved, "Person", {who});
  database.add(Partition::kObserved, "Friends", {"bob", "ann"});
  const Program result = lowered(program, database);
  EXPECT_EQ(ground(result, database).num_terms(), 2U);  // ann and cid
}

TEST(LowerToHinge, RefusesAnOpenWorldThatIsTooLarge) {
  Program program;
  program.predicates = {
      {.name = "Near", .types = {kText, kText, kText, kText}, .open = true, .open_world = true}};
  Database database(program.predicates);
  for (int i = 0; i < 25; ++i) {
    database.add(Partition::kObserved,
                 "Near",
                 {std::to_string(4 * i),
                  std::to_string(4 * i + 1),
                  std::to_string(4 * i + 2),
                  std::to_string(4 * i + 3)});
  }
  EXPECT_THAT(problems(program, database),
              ElementsAre(AllOf(HasSubstr("too-many-atoms"),
                                HasSubstr("`Near`"),
                                HasSubstr("100000000 over its domains: text (100) x text (100)"))));
  EXPECT_EQ(database.relation(0).table(Partition::kTarget).num_rows, 0U);
}

TEST(LowerToHinge, ClassesAddUpToOneWhereSomethingIsUnknown) {
  const Program program = smokers("1: Friends(A, B) & Label(A, C) -> Label(B, C)");
  Database database(program.predicates);
  database.add(Partition::kObserved, "Label", {"p1", "x"});
  for (const char* label : {"x", "y"}) database.add(Partition::kTarget, "Label", {"p2", label});
  database.add(Partition::kObserved, "Label", {"p3", "x"}, 0.25);
  database.add(Partition::kTarget, "Label", {"p3", "y"});
  const Program result = lowered(program, database);
  ASSERT_EQ(result.rules.size(), 2U);
  EXPECT_EQ(result.rules[1].text, "Label(X1, +Class) = 1 .");
  EXPECT_EQ(result.rules[1].id, result.rules[0].id + 1);
  const auto terms = plain_terms(ground(result, database), database);
  ASSERT_EQ(terms.size(), 2U);  // p1 has no unknown class
  EXPECT_EQ(terms[0].atoms, (std::map<std::string, double>{{"Label|p2|x", 1}, {"Label|p2|y", 1}}));
  EXPECT_EQ(terms[0].offset, -1.0);
  EXPECT_EQ(terms[1].atoms, (std::map<std::string, double>{{"Label|p3|y", 1}}));
  EXPECT_EQ(terms[1].offset, -0.75);
  EXPECT_EQ(terms[1].kind, TermKind::kEqual);
}

TEST(LowerToHinge, RefusesTwoObservedClasses) {
  const Program program = smokers("1: Label(A, C)");
  Database database(program.predicates);
  for (const char* label : {"x", "y", "z"}) {
    database.add(Partition::kObserved, "Label", {"p1", label});
  }
  EXPECT_THAT(problems(program, database),
              ElementsAre(HasSubstr("contradicting-facts: Label('p1', 'y') is observed")));
}

TEST(LowerToHinge, RefusesNegativeWeights) {
  Program program = smokers("1: Friends(A, B) -> Smokes(A)\n2: Smokes(A)");
  program.rules[0].weight = -1.5;
  program.rules[1].weighted = {0};
  program.rules[1].constant_weights = {{{"ann"}, -3.0}};
  Database database(program.predicates);
  EXPECT_THAT(problems(program, database),
              ElementsAre(HasSubstr("negative-weight: the weight -1.5"),
                          HasSubstr("negative-weight: the weight -3")));
}

TEST(LowerToHinge, RefusesUnaryPotentials) {
  const Program program = smokers("1: Person(A) -> Smokes(A)");
  Database database(program.predicates);
  database.add_potential("Smokes", {"ann"}, 1.5);
  EXPECT_THAT(problems(program, database),
              ElementsAre(HasSubstr("unary-potential: `Smokes` has unary potentials")));
}

TEST(LowerToHinge, ClassesBesidesAnObservedOneAreFalse) {
  Program program;
  program.domains.push_back({"topic", ConstantType::kText, {"A", "B", "C"}, true});
  program.predicates = {{.name = "Topic",
                         .types = {kText, kText},
                         .open = true,
                         .domains = {0, 3},
                         .has_classes = true}};
  Database database(program.predicates, program.domains);
  database.add(Partition::kObserved, "Topic", {"p1", "B"});
  database.add(Partition::kTarget, "Topic", {"p2", "A"});
  Diagnostics sink;
  lower_to_hinge(program, database, sink);
  const Table& observed = database.relation(0).table(Partition::kObserved);
  ASSERT_EQ(observed.num_rows, 3U);
  EXPECT_EQ(observed.value(1), 0.0);
  EXPECT_EQ(observed.value(2), 0.0);
}

TEST(LowerToHinge, RefusesQuantifiersThatAreNoSums) {
  const Program program =
      smokers("1: Person(A) -> exists Y: Label(A, Y) & Smokes(Y)\n1: Person(A) -> Smokes(A)");
  Database database(program.predicates);
  EXPECT_THAT(problems(program, database),
              ElementsAre(AllOf(HasSubstr("unfit-formula"), HasSubstr("is no sum"))));
  EXPECT_THROW(ground(program, database), InputError);
}

TEST(LowerToHinge, GivesEveryCombinationARuleWithItsWeight) {
  Program program = smokers("1: Person(A) -> Smokes(A)\n2: Label(A, C) -> Smokes(A) ^2");
  program.rules[1].weighted = {1, 0};  // C, then A
  program.rules[1].constant_weights = {{{"x", "p"}, 0.5}, {{"p", "p"}, 4.0}};
  program.rules[1].id = 7;
  Database database(program.predicates);
  database.add(Partition::kTarget, "Label", {"p", "x"});
  const Program result = lowered(program, database);
  ASSERT_EQ(result.rules.size(), 6U);  // the rule before, four combinations, the classes
  EXPECT_EQ(result.rules[0], program.rules[0]);
  std::vector<std::string> texts;
  for (std::size_t r = 1; r < 5; ++r) {
    texts.push_back(to_text(result.rules[r], result));
    EXPECT_EQ(result.rules[r].id, 7U);
    EXPECT_THAT(result.rules[r].weighted, IsEmpty());
  }
  EXPECT_THAT(texts,
              ElementsAre("4: Label('p', 'p') -> Smokes('p') ^2",
                          "2: Label('x', 'p') -> Smokes('x') ^2",
                          "0.5: Label('p', 'x') -> Smokes('p') ^2",
                          "2: Label('x', 'x') -> Smokes('x') ^2"));
  EXPECT_THAT(result.rules[3].text, HasSubstr("[C = x, A = p]"));
  EXPECT_EQ(result.rules[3].constant_weights, (std::vector<ConstantWeight>{{{"x", "p"}, 0.5}}));
  const Model model = ground(result, database);
  EXPECT_EQ(model.rules[3].id, 7U);
  EXPECT_EQ(model.rules[3].weight, 0.5);
  EXPECT_EQ(model.rules[5].id, 8U);  // one of its own
}

TEST(LowerToHinge, RefusesTooManyWeights) {
  Program program = smokers("1: Label(A, C) -> Smokes(A)");
  program.rules[0].weighted = {0, 1};
  Database database(program.predicates);
  for (int i = 0; i < 101; ++i) {
    database.add(Partition::kObserved, "Person", {std::to_string(i)});
  }
  EXPECT_THAT(problems(program, database),
              ElementsAre(AllOf(HasSubstr("too-many-atoms: the rule has 10201 weights"),
                                HasSubstr("`+A` has 101 constants of text"))));
}

// ---- Random programs: open worlds, classes and weights per constant --------------------------

// The terms of a model without the rule they belong to, with its weight.
std::multiset<std::string> weighted_terms(const Model& model,
                                          const Database& database,
                                          const std::set<RuleId>& of) {
  std::multiset<std::string> result;
  for (const PlainTerm& term : plain_terms(model, database)) {
    const GroundRule& rule = model.rules[term.rule];
    if (of.count(rule.id) == 0) continue;
    std::string text =
        fmt::format("{} {} {} {}", rule.id, rule.weight, static_cast<int>(term.kind), term.offset);
    for (const auto& [name, c] : term.atoms) text += fmt::format(" {}*{}", c, name);
    for (const auto& [name, c] : term.outputs) text += fmt::format(" {}*[{}]", c, name);
    result.insert(text);
  }
  return result;
}

TEST(LowerToHinge, WeightsPerConstantKeepTheGroundRules) {
  int changed = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    RandomProgram random(seed);
    Program program;
    program.predicates = RandomProgram::predicates();
    while (program.rules.size() < 2) random.add_rule(program, seed % 2 == 0);
    for (Rule& rule : program.rules) {
      if (!std::holds_alternative<LogicalRule>(rule.body)) continue;
      for (Variable& variable : rule.variables) variable.over_domain = true;
    }
    Program weighted = program;
    for (Rule& rule : weighted.rules) {
      // The first variable, if no quantifier binds it. (A clause without it would be made again
      // for each of its constants.)
      const auto* logical = std::get_if<LogicalRule>(&rule.body);
      if (logical == nullptr || rule.variables.empty() || !rule.weight) continue;
      if (rule.variables[0].name == "Y" || rule.variables[0].name == "K") continue;
      if (logical->formula.kind == FormulaKind::kForall) continue;
      if (lang::clause_form(logical->formula, program.predicates).form->clauses.size() > 1)
        continue;
      rule.weighted = {0};
      ++changed;
    }
    Database database = random.database(program.predicates);
    const GroundOptions options{.threads = 1, .on_missing_target = OnMissingTarget::kZero};
    const auto expected = weighted_terms(ground(program, database, options), database, {0, 1});
    const Program result = lowered(weighted, database);
    ASSERT_EQ(weighted_terms(ground(result, database, options), database, {0, 1}), expected)
        << to_text(program);
  }
  EXPECT_GT(changed, 200);
}

TEST(LowerToHinge, GroundingAgreesWithTheDefinitionOnLoweredPrograms) {
  std::size_t terms = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomProgram random(seed);
    Program program;
    program.predicates = RandomProgram::predicates();
    for (Predicate& predicate : program.predicates) {
      if (predicate.neural || !predicate.open) continue;
      predicate.open_world = random.one_in(2);
      predicate.has_classes = random.one_in(4);
    }
    while (program.rules.size() < 2) random.add_rule(program, seed % 2 == 0);
    for (Rule& rule : program.rules) {
      for (Variable& variable : rule.variables) {
        variable.over_domain = !variable.summed && random.one_in(3);
      }
    }
    Database database = random.database(program.predicates);
    Diagnostics sink;
    const Program result = lower_to_hinge(program, database, sink);
    if (sink.has_errors()) continue;  // two observed classes
    ReferenceGrounder reference(result, database, OnMissingTarget::kSkip);
    const auto expected = reference.ground();
    const auto actual = plain_terms(
        ground(result, database, {.threads = 2, .on_missing_target = OnMissingTarget::kSkip}),
        database);
    ASSERT_EQ(actual, expected) << "seed " << seed << "\n" << to_text(result);
    terms += actual.size();
  }
  EXPECT_GT(terms, 10000U);
}

}  // namespace
}  // namespace sorites
