// From a checked rule to what grounding works with: a query for its bindings, and the linear
// expression that every binding becomes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "join/join_plan.h"
#include "lang/clause_form.h"
#include "sorites/database.h"
#include "sorites/model.h"
#include "sorites/program.h"

namespace sorites {

class Diagnostics;

// coefficient * atom, where the atom is one of the query's.
struct LinearAtom {
  std::uint32_t atom = 0;  // of the query
  PredicateId predicate = 0;
  Coefficient coefficient;             // a number unless it holds cardinalities
  std::vector<VariableId> summed;      // summation variables, in the order of the atom's arguments
  std::vector<std::uint32_t> columns;  // the columns they stand in
  // Of a clause: the atom stands for the disjunction over all values of its summation variables for
  // which the guard holds (docs/language.md, "Quantifiers").
  bool existential = false;
  Formula guard{.kind = FormulaKind::kAnd};
};

// A term made from the expression r: of sign * r.
struct TermForm {
  TermKind kind = TermKind::kHinge;
  double sign = 1.0;
};

// One clause of a logical rule, or an arithmetic rule: r = sum of atoms + constant.
struct RuleQuery {
  JoinQuery query;
  std::vector<VariableId> variables;  // of the rule, per variable of the query
  std::vector<LinearAtom> atoms;
  Coefficient constant;
  std::vector<TermForm> forms;
  bool is_clause = false;      // of a logical rule
  bool is_quantified = false;  // a clause with existential atoms
  bool has_summation = false;
  std::vector<std::uint32_t> excluded;  // atoms of the query that a binding must not have
  // Constants that no data has, and that have no code, by atom of the query and argument.
  std::map<std::pair<std::size_t, std::size_t>, std::string> unknown_constants;
  bool never = false;  // a comparison of constants rules out every binding

  // Whether a variable takes all constants of its domain, or some of them are counted, so that a
  // new constant makes other ground rules.
  bool depends_on_domains() const;
  // The sign of the expression whose largest value says whether a binding can be violated; none if
  // both directions count.
  std::optional<double> decisive_sign() const {
    const bool one_sided = forms.size() == 1 && forms[0].kind != TermKind::kEqual;
    return one_sided ? std::optional(forms[0].sign) : std::nullopt;
  }
  bool is_hard() const;  // not weighted
};

// The queries of a rule: one per clause, or one. Throws InputError for a formula whose quantifiers
// hinge-loss semantics cannot take.
std::vector<RuleQuery> rule_queries(const Rule& rule,
                                    const Program& program,
                                    const Database& database);

// Says why a formula has no clauses that could be ground.
void report_unfit(const Rule& rule, const lang::ClauseFormResult& result, Diagnostics& sink);

// The number behind a coefficient, given the cardinalities of the rule's summation variables (per
// variable). Not finite if it divides by zero.
double evaluate(const Coefficient& coefficient, const std::vector<double>& cardinality);

}  // namespace sorites
