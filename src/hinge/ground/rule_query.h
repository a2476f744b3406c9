// From a checked rule to what grounding works with: a query for its bindings, and the linear
// expression that every binding becomes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "join/join_plan.h"
#include "sorites/database.h"
#include "sorites/model.h"
#include "sorites/program.h"

namespace sorites {

// coefficient * atom, where the atom is one of the query's.
struct LinearAtom {
  std::uint32_t atom = 0;  // of the query
  PredicateId predicate = 0;
  Coefficient coefficient;             // a number unless it holds cardinalities
  std::vector<VariableId> summed;      // summation variables, in the order of the atom's arguments
  std::vector<std::uint32_t> columns;  // the columns they stand in
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
  bool is_clause = false;  // of a logical rule
  bool has_summation = false;
  std::vector<std::uint32_t> excluded;  // atoms of the query that a binding must not have
  bool never = false;                   // a comparison of constants rules out every binding
};

// The queries of a rule: one per clause, or one.
std::vector<RuleQuery> rule_queries(const Rule& rule,
                                    const Program& program,
                                    const Database& database);

// The number behind a coefficient, given the cardinalities of the rule's summation variables (per
// variable). Not finite if it divides by zero.
double evaluate(const Coefficient& coefficient, const std::vector<double>& cardinality);

}  // namespace sorites
