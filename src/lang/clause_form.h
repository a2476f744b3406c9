// Formulas with quantifiers as clauses.
//
// A universal quantifier in positive position, and an existential one in negative position, is
// pulled out: its variables are free in the clauses. What is left are existential parts. An
// existential quantifier goes over disjunctions (exists Y: A | B is (exists Y: A) | (exists Y: B)),
// and parts without its variables move out of it; what it keeps must be one literal and a guard,
// which is made of comparisons and of literals of closed predicates and says for which values the
// literal counts; a literal that several disjuncts have counts where one of their guards holds. So
// a clause is a disjunction of literals and of such sums.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lang/clauses.h"
#include "sorites/program.h"

namespace sorites::lang {

// The disjunction of `literal` over all values of `variables` for which the guard holds.
struct ExistentialLiteral {
  std::vector<VariableId> variables;  // each stands in the atom of the literal
  Literal<Atom> literal;
  Formula guard{.kind = FormulaKind::kAnd};  // without operands: always

  bool operator==(const ExistentialLiteral&) const = default;
};

struct QuantifiedClause {
  Clause plain;
  std::vector<ExistentialLiteral> existentials;
};

struct ClauseForm {
  std::vector<QuantifiedClause> clauses;
  std::vector<VariableId> universal;  // of the quantifiers that were pulled out
};

// What came of a formula: its form, or why it has none.
struct ClauseFormResult {
  std::optional<ClauseForm> form;
  bool too_many_clauses = false;
  std::string problem;  // why quantifiers stand where they cannot
};

// The predicates say which literals of an existential part are known. Atoms whose predicate is none
// of them count as unknown.
ClauseFormResult clause_form(const Formula& formula, std::span<const Predicate> predicates);

}  // namespace sorites::lang
