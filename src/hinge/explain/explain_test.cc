#include "hinge/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "explain/find_target.h"
#include "sorites/program.h"

namespace sorites {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr auto kText = ArgumentType::kUniqueStringId;

// Knows(A, B) is pulled up by what both like, and down by the prior.
struct Acquaintances {
  Acquaintances() : database(predicates()) {
    program.predicates = predicates();
    add_rules(program,
              "3: Likes(A, X) & Likes(B, X) & (A != B) -> Knows(A, B) ^2\n"
              "1: !Knows(A, B) ^2\n"
              "Knows(A, B) = Knows(B, A) .\n",
              "folder/m.rules");
    for (const char* who : {"ann", "bob"}) {
      database.add(Partition::kObserved, "Likes", {who, "tea"}, 1.0);
    }
    database.add(Partition::kObserved, "Likes", {"cy", "jazz"}, 0.5);
    database.add(Partition::kObserved, "Knows", {"cy", "ann"}, 0.0);
    database.add(Partition::kTarget, "Knows", {"ann", "bob"});
    database.add(Partition::kTarget, "Knows", {"bob", "ann"});
    model = ground(program, database);
    parameters = parameters_of(model);
    solution = solve(model, parameters, {.gap = 1e-9});
  }

  static std::vector<Predicate> predicates() {
    return {{.name = "Likes", .types = {kText, kText}},
            {.name = "Knows", .types = {kText, kText}, .open = true}};
  }

  Explained explained() const { return {program, database, model, parameters, solution}; }

  AtomId atom(const char* text) const {
    return model.atom_ranges[0].first + find_targets(database, text).front().row;
  }

  std::string problem_with_atom(const char* text) const {
    try {
      find_targets(database, text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  Program program;
  Database database;
  Model model;
  Parameters parameters;
  Solution solution;
};

TEST(RuleStatistics, CountAndSumTheGroundRulesOfEveryRule) {
  const Acquaintances a;
  const auto rules = rule_statistics(a.model, a.parameters, std::vector<double>{0.5, 1.0});
  ASSERT_THAT(rules, SizeIs(3));
  EXPECT_EQ(rules[0].terms, 2U);  // weight 1 after normalising: distances 0.5 and 0
  EXPECT_EQ(rules[0].satisfied, 1U);
  EXPECT_DOUBLE_EQ(rules[0].energy, 0.25);
  EXPECT_DOUBLE_EQ(rules[0].distance, 0.5);
  EXPECT_DOUBLE_EQ(rules[1].energy, (0.25 + 1.0) / 3.0);
  EXPECT_EQ(rules[1].worst, 1.0);
  EXPECT_EQ(rules[2].satisfied, 0U);  // violated in both directions
  EXPECT_EQ(rules[2].energy, 0.0);
  EXPECT_EQ(rules[2].worst, 0.5);
}

TEST(RuleStatistics, EnergiesAddUpToTheObjective) {
  const Acquaintances a;
  double sum = 0.0;
  for (const auto& rule : rule_statistics(a.model, a.parameters, a.solution.truth)) {
    sum += rule.energy;
  }
  EXPECT_NEAR(sum, a.solution.objective, 1e-12);
}

TEST(RuleStatistics, RefuseTruthOfAnotherModel) {
  const Acquaintances a;
  EXPECT_THROW(rule_statistics(a.model, a.parameters, std::vector<double>{0.5}),
               std::invalid_argument);
}

TEST(GroundRuleTexts, ShowConstantsAndFacts) {
  const Acquaintances a;
  std::vector<TermId> terms;
  for (std::uint32_t b = 0; b < a.model.blocks.size(); ++b) {
    for (std::uint32_t t = 0; t < a.model.blocks[b].num_terms; ++t) terms.push_back({b, t});
  }
  const auto found = ground_rule_texts(a.program, a.database, a.model, terms);
  std::map<std::string, std::vector<Fact>> texts;
  for (const GroundRuleText& ground : found) texts[ground.text] = ground.facts;
  EXPECT_THAT(texts, SizeIs(6));
  const auto& facts = texts.at("Likes('ann', 'tea') & Likes('bob', 'tea') -> Knows('ann', 'bob')");
  ASSERT_THAT(facts, SizeIs(2));
  EXPECT_EQ(facts[1].atom, "Likes('bob', 'tea')");
  EXPECT_EQ(facts[1].value, 1.0);
  EXPECT_THAT(texts.at("!Knows('ann', 'bob')"), IsEmpty());
  EXPECT_THAT(texts.at("Knows('ann', 'bob') - Knows('bob', 'ann') = 0"), IsEmpty());
}

TEST(GroundRuleTexts, QuoteConstantsAsTheLanguageDoes) {
  Database database({{.name = "X", .types = {kText}, .open = true}});
  database.add(Partition::kTarget, "X", {"it's a\ttab\\"});
  EXPECT_EQ(atom_text(database, 0, {Partition::kTarget, 0}), "X('it\\'s a\\ttab\\\\')");
}

TEST(ExplainAtom, ForcesAreInBalanceBetweenTheBounds) {
  const Acquaintances a;
  const AtomId atom = a.atom("knows(ann, 'bob')");
  EXPECT_NEAR(a.solution.truth[atom], 0.75, 1e-4);  // 3 (1 - y)^2 + y^2
  const AtomExplanation why = explain_atom(a.explained(), atom);
  EXPECT_EQ(why.atom, "Knows('ann', 'bob')");
  EXPECT_EQ(why.terms, 4U);
  EXPECT_NEAR(why.force_up, why.force_down, 1e-3);
  ASSERT_THAT(why.up, testing::Not(IsEmpty()));
  EXPECT_EQ(why.up[0].rule, 0U);
  EXPECT_NEAR(why.up[0].force, 0.5, 1e-3);
  EXPECT_NEAR(why.up[0].distance, 0.25, 1e-4);
  ASSERT_THAT(why.down, testing::Not(IsEmpty()));
  EXPECT_EQ(why.down[0].rule, 1U);
  EXPECT_EQ(why.down[0].ground.text, "!Knows('ann', 'bob')");
  EXPECT_LT(why.down[0].force, 0.0);
}

TEST(ExplainAtom, ShowsNoMoreThanTheLimitButCountsAll) {
  const Acquaintances a;
  const AtomExplanation why = explain_atom(a.explained(), 0, {.limit = 0});
  EXPECT_THAT(why.up, IsEmpty());
  EXPECT_GE(why.pull_up, 1U);
  EXPECT_GT(why.force_up, 0.4);
}

TEST(ExplainRule, ShowsTheGroundRulesThatHoldLeastFirst) {
  Acquaintances a;
  a.solution.truth = {0.25, 0.75};
  const RuleExplanation prior = explain_rule(a.explained(), 1);
  ASSERT_THAT(prior.worst, SizeIs(2));
  EXPECT_EQ(prior.worst[0].ground.text, "!Knows('bob', 'ann')");
  EXPECT_DOUBLE_EQ(prior.worst[0].distance, 0.75);
  EXPECT_DOUBLE_EQ(prior.worst[1].distance, 0.25);
  EXPECT_EQ(prior.statistics.terms, 2U);
  EXPECT_THAT(explain_rule(a.explained(), 1, {.limit = 1}).worst, SizeIs(1));
  a.solution.truth = {1.0, 1.0};
  EXPECT_THAT(explain_rule(a.explained(), 0).worst, IsEmpty());
}

TEST(Explain, RefusesASolutionOfAnotherModel) {
  Acquaintances a;
  EXPECT_THROW(explain_atom(a.explained(), 2), std::invalid_argument);
  a.solution.multipliers.pop_back();
  EXPECT_THROW(explain_atom(a.explained(), 0), std::invalid_argument);
  EXPECT_THROW(explain_rule(a.explained(), 3), std::invalid_argument);
}

TEST(FindTarget, TakesQuotedAndBareConstantsAndAnyCase) {
  const Acquaintances a;
  for (const char* text : {"Knows('bob','ann')", " KNOWS( bob , \"ann\" ) ", "knows(bob,ann)"}) {
    EXPECT_EQ(a.atom(text), 1U) << text;
  }
}

TEST(FindTarget, SaysWhyAnAtomIsNone) {
  const Acquaintances a;
  EXPECT_THAT(a.problem_with_atom("Know(ann, bob)"), HasSubstr("did you mean `Knows`?"));
  EXPECT_THAT(a.problem_with_atom("Knows(ann)"), HasSubstr("has 2 arguments, not 1"));
  EXPECT_THAT(a.problem_with_atom("Knows(cy, ann)"), HasSubstr("is observed, with value 0"));
  EXPECT_THAT(a.problem_with_atom("Likes(ann, tea)"), HasSubstr("is observed, with value 1"));
  EXPECT_THAT(a.problem_with_atom("Likes(ann, jazz)"), HasSubstr("`Likes` is closed"));
  EXPECT_THAT(a.problem_with_atom("Knows(ann, cy)"), HasSubstr("neither observed nor a target"));
  EXPECT_THAT(a.problem_with_atom("Knows(ann, eve)"), HasSubstr("'eve' stands nowhere"));
  for (const char* text : {"",
                           "Knows",
                           "Knows(",
                           "Knows()",
                           "Knows(ann,)",
                           "Knows('ann, bob)",
                           "Knows(ann, bob) x",
                           "(ann)"}) {
    EXPECT_THAT(a.problem_with_atom(text), HasSubstr("is no atom")) << text;
  }
}

}  // namespace
}  // namespace sorites
