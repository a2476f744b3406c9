#include "lang/clause_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <string>

#include "lang/printer.h"
#include "lang/test_predicates.h"

namespace sorites::lang {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// P(x) and Q(x, y) are open, R(x, y) is closed.
ClauseFormResult result_of(const std::string& formula) {
  const Program program = compiled("1: " + formula);
  return clause_form(std::get<LogicalRule>(program.rules.at(0).body).formula, program.predicates);
}

// The clauses, each with its existential parts as {variables: literal; guard}.
std::vector<std::string> form_of(const std::string& formula) {
  const Program program = compiled("1: " + formula);
  const Rule& rule = program.rules.at(0);
  const auto result = clause_form(std::get<LogicalRule>(rule.body).formula, program.predicates);
  std::vector<std::string> clauses;
  for (const QuantifiedClause& clause : result.form.value().clauses) {
    std::string text = to_text(clause.plain, rule, program);
    for (const ExistentialLiteral& part : clause.existentials) {
      text += " {";
      for (const VariableId variable : part.variables) text += rule.variables[variable].name;
      text += ": " + to_text(Clause{{part.literal}, {}}, rule, program);
      for (const Formula& guard : part.guard.operands) {
        Rule alone = rule;
        alone.weight.reset();
        alone.body = LogicalRule{guard};
        text += "; " + to_text(alone, program);
      }
      text += "}";
    }
    clauses.push_back(text);
  }
  return clauses;
}

TEST(ClauseForm, PullsUniversalQuantifiersOut) {
  EXPECT_THAT(form_of("P(A) -> forall Y: Q(A, Y)"), ElementsAre("!P(A) | Q(A, Y)"));
  EXPECT_THAT(form_of("(exists Y: Q(A, Y)) -> P(A)"), ElementsAre("!Q(A, Y) | P(A)"));
  EXPECT_THAT(form_of("!exists Y: Q('x', Y)"), ElementsAre("!Q('x', Y)"));
}

TEST(ClauseForm, KeepsExistentialParts) {
  EXPECT_THAT(form_of("P(A) -> exists Y: Q(A, Y)"), ElementsAre("!P(A) {Y: Q(A, Y)}"));
  EXPECT_THAT(form_of("(forall Y: Q(A, Y)) -> P(A)"), ElementsAre("P(A) {Y: !Q(A, Y)}"));
  EXPECT_THAT(form_of("P(A) -> exists X, Y: Q(X, Y)"), ElementsAre("!P(A) {XY: Q(X, Y)}"));
  EXPECT_THAT(form_of("P(A) -> exists X: exists Y: Q(X, Y)"), ElementsAre("!P(A) {XY: Q(X, Y)}"));
}

TEST(ClauseForm, GuardsAreComparisonsAndClosedPredicates) {
  EXPECT_THAT(form_of("P(A) -> exists Y: R(A, Y) & Q(A, Y) & Y != A"),
              ElementsAre("!P(A) {Y: Q(A, Y); Y != A .; R(A, Y) .}"));
  EXPECT_THAT(form_of("(forall Y: R(A, Y) -> P(Y)) -> P(A)"),
              ElementsAre("P(A) {Y: !P(Y); R(A, Y) .}"));
  EXPECT_THAT(form_of("P(A) -> exists Y: R(A, Y) & R(Y, A)"),
              ElementsAre("!P(A) {Y: R(Y, A); R(A, Y) .}"));
}

TEST(ClauseForm, DisjunctionsAreSeparateParts) {
  EXPECT_THAT(form_of("P(A) -> exists Y: Q(A, Y) | P(Y)"),
              ElementsAre("!P(A) {Y: Q(A, Y)} {Y: P(Y)}"));
}

TEST(ClauseForm, OneLiteralUnderSeveralGuardsCountsOnce) {
  EXPECT_THAT(form_of("P(A) -> exists Y: Q(A, Y) & (R(A, Y) | R(Y, A))"),
              ElementsAre("!P(A) {Y: Q(A, Y); R(A, Y) .; R(Y, A) .}"));
  const auto form = result_of("P(A) -> exists Y: Q(A, Y) & (R(A, Y) | R(Y, A))").form.value();
  EXPECT_EQ(form.clauses[0].existentials[0].guard.kind, FormulaKind::kOr);
  EXPECT_THAT(form_of("P(A) -> exists Y: Q(A, Y) | Q(A, Y) & Y != A"),
              ElementsAre("!P(A) {Y: Q(A, Y)}"));
}

TEST(ClauseForm, OfKnownAtomsTheLastWithAllVariablesCounts) {
  EXPECT_THAT(form_of("P(A) -> exists Y, Z: R(Y, Z) & R(A, Y)"),
              ElementsAre("!P(A) {YZ: R(Y, Z); R(A, Y) .}"));
  EXPECT_THAT(form_of("P(A) -> exists Y, Z: R(A, Y) & R(Y, Z)"),
              ElementsAre("!P(A) {YZ: R(Y, Z); R(A, Y) .}"));
  EXPECT_THAT(form_of("P(A) -> exists Y: R(A, Y) & R(Y, Y)"),
              ElementsAre("!P(A) {Y: R(Y, Y); R(A, Y) .}"));
}

TEST(ClauseForm, WhatIsWithoutTheVariablesMovesOut) {
  EXPECT_THAT(form_of("P(A) -> exists Y: Q(A, A) & Q(A, Y)"),
              UnorderedElementsAre("!P(A) | Q(A, A)", "!P(A) {Y: Q(A, Y)}"));
}

TEST(ClauseForm, EquivalencesHaveBothDirections) {
  EXPECT_THAT(form_of("P(A) <-> exists Y: Q(A, Y)"),
              UnorderedElementsAre("!P(A) {Y: Q(A, Y)}", "P(A) | !Q(A, Y)"));
}

TEST(ClauseForm, SaysWhichVariablesWerePulledOut) {
  const Program program = compiled("1: forall X, Y: Q(X, Y) | P(X)");
  const auto form =
      clause_form(std::get<LogicalRule>(program.rules.at(0).body).formula, program.predicates)
          .form.value();
  EXPECT_THAT(form.universal, ElementsAre(0U, 1U));
}

TEST(ClauseForm, RefusesWhatIsNoSum) {
  EXPECT_THAT(result_of("P(A) -> exists Y: Q(A, Y) & P(Y)").problem, HasSubstr("is no sum"));
  EXPECT_THAT(result_of("P(A) -> exists Y: forall Z: Q(Z, Y)").problem, HasSubstr("over all"));
  EXPECT_THAT(result_of("P(A) -> exists Y: Q(A, Y) | Y == A").problem, HasSubstr("no atom"));
  EXPECT_THAT(result_of("P(A) -> exists Y, Z: R(Y, Z) & P(Y)").problem, HasSubstr("conditions"));
}

// ---- Truth ------------------------------------------------------------------------------------

// A world of two constants in which every atom is true or false by a hash of its name.
class World {
 public:
  explicit World(unsigned seed) : seed_(seed) {}

  using Binding = std::map<VariableId, std::string>;

  bool holds(const Formula& formula, Binding binding) const {
    const auto operand = [&](std::size_t i) { return holds(formula.operands[i], binding); };
    switch (formula.kind) {
      case FormulaKind::kAtom:
        return holds(formula.atom, binding);
      case FormulaKind::kComparison: {
        const bool same =
            value(formula.comparison.left, binding) == value(formula.comparison.right, binding);
        return same == (formula.comparison.op == ComparisonOperator::kEqual);
      }
      case FormulaKind::kNot:
        return !operand(0);
      case FormulaKind::kImplies:
        return !operand(0) || operand(1);
      case FormulaKind::kIff:
        return operand(0) == operand(1);
      case FormulaKind::kAnd:
      case FormulaKind::kOr: {
        const bool all = formula.kind == FormulaKind::kAnd;
        for (std::size_t i = 0; i < formula.operands.size(); ++i) {
          if (operand(i) != all) return !all;
        }
        return all;
      }
      case FormulaKind::kForall:
      case FormulaKind::kExists: {
        const bool all = formula.kind == FormulaKind::kForall;
        bool result = all;
        for_all(formula.quantified, binding, [&](const Binding& one) {
          if (holds(formula.operands[0], one) != all) result = !all;
        });
        return result;
      }
    }
    return false;
  }

  bool holds(const ClauseForm& form, std::size_t num_variables) const {
    std::vector<VariableId> all;
    for (VariableId v = 0; v < num_variables; ++v) all.push_back(v);
    bool result = true;
    for (const QuantifiedClause& clause : form.clauses) {
      for_all(all, {}, [&](const Binding& one) { result = result && holds(clause, one); });
    }
    return result;
  }

  template <class Visit>
  void for_all(std::vector<VariableId> variables, Binding binding, const Visit& visit) const {
    if (variables.empty()) return visit(binding);
    const VariableId variable = variables.back();
    variables.pop_back();
    for (const char* constant : {"a", "b"}) {
      binding[variable] = constant;
      for_all(variables, binding, visit);
    }
  }

 private:
  static std::string value(const Term& term, const Binding& binding) {
    const auto* variable = std::get_if<VariableId>(&term);
    return variable != nullptr ? binding.at(*variable) : std::get<std::string>(term);
  }
  bool holds(const Atom& atom, const Binding& binding) const {
    std::string name = std::to_string(seed_) + "/" + std::to_string(atom.predicate);
    for (const Term& term : atom.arguments) name += value(term, binding);
    return std::hash<std::string>{}(name) % 2 == 0;
  }
  bool holds(const QuantifiedClause& clause, const Binding& binding) const {
    bool result = false;
    for (const auto& [atom, negated] : clause.plain.atoms)
      result |= holds(atom, binding) != negated;
    for (const auto& [comparison, negated] : clause.plain.comparisons) {
      Formula formula{.kind = FormulaKind::kComparison};
      formula.comparison = comparison;
      result |= holds(formula, binding) != negated;
    }
    for (const ExistentialLiteral& part : clause.existentials) {
      for_all(part.variables, binding, [&](const Binding& one) {
        const auto& [atom, negated] = part.literal;
        result |= holds(part.guard, one) && holds(atom, one) != negated;
      });
    }
    return result;
  }

  unsigned seed_;
};

// A random formula over A, B and the variables of quantifiers around it.
std::string random_formula(std::mt19937& random, int depth, std::vector<std::string> scope) {
  const auto one_of = [&](const std::vector<std::string>& from) {
    return from[random() % from.size()];
  };
  const auto inner = [&] { return random_formula(random, depth - 1, scope); };
  if (depth == 0) {
    switch (random() % 4) {
      case 0:
        return "P(" + one_of(scope) + ")";
      case 1:
        return one_of(scope) + " != " + one_of(scope);
      default:
        return one_of({"Q", "R"}) + "(" + one_of(scope) + ", " + one_of(scope) + ")";
    }
  }
  switch (random() % 5) {
    case 0:
      return "!(" + inner() + ")";
    case 1:
    case 2: {
      const std::string name = "Y" + std::to_string(scope.size());
      scope.push_back(name);
      const std::string anchor =
          one_of({"P", "R"}) == "P" ? "P(" + name + ")" : "R(" + scope[0] + ", " + name + ")";
      return one_of({"(exists ", "(forall "}) + name + ": " + anchor +
             one_of({" & ", " | ", " -> "}) + "(" + inner() + "))";
    }
    default:
      return "(" + inner() + ") " + one_of({"&", "|", "->", "<->"}) + " (" + inner() + ")";
  }
}

TEST(ClauseForm, IsTrueWhereTheFormulaIs) {
  int with_form = 0, existential = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    std::mt19937 random(seed);
    Program program = test_program();
    try {
      add_rules(program, "1: P(A) & P(B) -> (" + random_formula(random, 3, {"A", "B"}) + ")");
    } catch (const InputError&) {
      continue;  // too many clauses, or one without an atom
    }
    if (program.rules.empty()) continue;
    const Rule& rule = program.rules[0];
    const Formula& formula = std::get<LogicalRule>(rule.body).formula;
    const auto form = clause_form(formula, program.predicates).form;
    if (!form || rule.variables.size() > 5) continue;
    ++with_form;
    for (const QuantifiedClause& clause : form->clauses) {
      existential += clause.existentials.empty() ? 0 : 1;
    }
    for (unsigned i = 0; i < 8; ++i) {
      const World world(8 * seed + i);
      bool expected = true;
      world.for_all({0, 1}, {}, [&](const World::Binding& binding) {
        expected = expected && world.holds(formula, binding);
      });
      ASSERT_EQ(world.holds(*form, rule.variables.size()), expected) << to_text(rule, program);
    }
  }
  EXPECT_GT(with_form, 1000);
  EXPECT_GT(existential, 500);
}

}  // namespace
}  // namespace sorites::lang
