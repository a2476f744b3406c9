#include "hinge/ground/rule_query.h"

#include <algorithm>
#include <variant>

namespace sorites {
namespace {

// Numbers the variables of a query and translates atoms and comparisons into it.
class QueryBuilder {
 public:
  QueryBuilder(const Rule& rule, const Program& program, const Database& database, RuleQuery& out)
      : rule_(rule),
        program_(program),
        database_(database),
        out_(out),
        number_(rule.variables.size(), kUnnumbered) {}

  std::uint32_t add_atom(const Atom& atom, RowSet rows, bool optional) {
    JoinAtom joined{.predicate = atom.predicate, .rows = rows, .optional = optional};
    for (std::size_t column = 0; column < atom.arguments.size(); ++column) {
      const DomainId domain = program_.predicates[atom.predicate].domain(column);
      joined.arguments.push_back(argument(atom.arguments[column], domain));
    }
    out_.query.atoms.push_back(std::move(joined));
    return static_cast<std::uint32_t>(out_.query.atoms.size() - 1);
  }

  // The comparison must come out as `wanted`.
  void add_comparison(const Comparison& comparison, bool wanted) {
    const auto* left = std::get_if<std::string>(&comparison.left);
    const auto* right = std::get_if<std::string>(&comparison.right);
    if (left != nullptr && right != nullptr) {
      out_.never |= compare(comparison, *left, *right) != wanted;
      return;
    }
    out_.query.comparisons.push_back({.op = comparison.op,
                                      .negated = !wanted,
                                      .domain = comparison.domain,
                                      .left = argument(comparison.left, comparison.domain),
                                      .right = argument(comparison.right, comparison.domain),
                                      .left_text = left != nullptr ? *left : "",
                                      .right_text = right != nullptr ? *right : ""});
  }

 private:
  static constexpr std::uint32_t kUnnumbered = 0xFFFFFFFF;

  bool compare(const Comparison& comparison,
               const std::string& left,
               const std::string& right) const {
    switch (comparison.op) {
      case ComparisonOperator::kEqual:
        return left == right;
      case ComparisonOperator::kNotEqual:
        return left != right;
      case ComparisonOperator::kLess:
        return text_less(database_.dictionary(comparison.domain).type(), left, right);
    }
    return false;  // not reached: the switch is complete
  }

  JoinArgument argument(const Term& term, DomainId domain) {
    using Kind = JoinArgument::Kind;
    if (const auto* constant = std::get_if<std::string>(&term)) {
      return {Kind::kConstant, database_.dictionary(domain).find(*constant).value_or(kNoCode)};
    }
    const VariableId variable = std::get<VariableId>(term);
    if (rule_.variables[variable].summed) return {Kind::kSummed, variable};
    if (number_[variable] == kUnnumbered) {
      number_[variable] = static_cast<std::uint32_t>(out_.query.num_variables++);
      out_.variables.push_back(variable);
    }
    return {Kind::kVariable, number_[variable]};
  }

  const Rule& rule_;
  const Program& program_;
  const Database& database_;
  RuleQuery& out_;
  std::vector<std::uint32_t> number_;  // per variable of the rule
};

Coefficient number(double value) { return {.kind = CoefficientKind::kNumber, .number = value}; }

// coefficient * factor, for a number factor.
Coefficient scaled(const Coefficient& coefficient, double factor) {
  if (factor == 1.0) return coefficient;
  if (coefficient.kind == CoefficientKind::kNumber) return number(coefficient.number * factor);
  return {.kind = CoefficientKind::kMultiply, .operands = {number(factor), coefficient}};
}

bool mentions(const Atom& atom, VariableId variable) {
  return std::find(atom.arguments.begin(), atom.arguments.end(), Term(variable)) !=
         atom.arguments.end();
}

// Whether a positive literal drives the join: it is open, and one of its variables is bound by no
// negated one (docs/language.md, "Binding of variables").
bool binds_by_targets(const Atom& atom, const Clause& clause, const Program& program) {
  if (!program.predicates[atom.predicate].open) return false;
  return std::any_of(atom.arguments.begin(), atom.arguments.end(), [&](const Term& term) {
    const auto* variable = std::get_if<VariableId>(&term);
    return variable != nullptr &&
           std::none_of(
               clause.atoms.begin(), clause.atoms.end(), [&](const Literal<Atom>& literal) {
                 return literal.negated && mentions(literal.what, *variable);
               });
  });
}

// Distance to satisfaction of a clause: max(0, 1 - |P| + sum_P v - sum_N v), where P are its
// negated literals (the body) and N the others.
RuleQuery clause_query(const Clause& clause,
                       const Rule& rule,
                       const Program& program,
                       const Database& database) {
  RuleQuery out;
  QueryBuilder builder(rule, program, database, out);
  out.is_clause = true;
  double constant = 1.0;
  for (const Literal<Atom>& literal : clause.atoms) {
    const bool by_targets = !literal.negated && binds_by_targets(literal.what, clause, program);
    const std::uint32_t atom = builder.add_atom(literal.what,
                                                by_targets ? RowSet::kTargets : RowSet::kAll,
                                                !literal.negated && !by_targets);
    if (literal.negated) constant -= 1.0;
    out.atoms.push_back({.atom = atom,
                         .predicate = literal.what.predicate,
                         .coefficient = number(literal.negated ? 1.0 : -1.0)});
  }
  // A comparison that is true satisfies the clause: only bindings that make it false count.
  for (const Literal<Comparison>& literal : clause.comparisons) {
    builder.add_comparison(literal.what, literal.negated);
  }
  out.constant = number(constant);
  const TermKind soft = rule.squared ? TermKind::kSquaredHinge : TermKind::kHinge;
  out.forms = {{rule.weight ? soft : TermKind::kAtMost, 1.0}};
  return out;
}

std::vector<TermForm> forms_of(const Rule& rule, RelationalOperator op) {
  const TermKind soft = rule.squared ? TermKind::kSquaredHinge : TermKind::kHinge;
  const TermKind kind = rule.weight ? soft : TermKind::kAtMost;
  switch (op) {
    case RelationalOperator::kLessEqual:
      return {{kind, 1.0}};
    case RelationalOperator::kGreaterEqual:
      return {{kind, -1.0}};
    case RelationalOperator::kEqual:
      if (!rule.weight) return {{TermKind::kEqual, 1.0}};
      return {{kind, 1.0}, {kind, -1.0}};
  }
  return {};  // not reached: the switch is complete
}

void add_side(const std::vector<Summand>& side,
              double sign,
              const Rule& rule,
              QueryBuilder& builder,
              RuleQuery& out) {
  for (const Summand& summand : side) {
    const Coefficient coefficient = scaled(summand.coefficient, sign);
    if (!summand.atom) {
      out.constant = {.kind = CoefficientKind::kAdd, .operands = {out.constant, coefficient}};
      continue;
    }
    LinearAtom linear{.atom = builder.add_atom(*summand.atom, RowSet::kAll, false),
                      .predicate = summand.atom->predicate,
                      .coefficient = coefficient};
    for (std::uint32_t column = 0; column < summand.atom->arguments.size(); ++column) {
      const auto* variable = std::get_if<VariableId>(&summand.atom->arguments[column]);
      if (variable != nullptr && rule.variables[*variable].summed) {
        linear.summed.push_back(*variable);
        linear.columns.push_back(column);
        out.has_summation = true;
      }
    }
    out.atoms.push_back(std::move(linear));
  }
}

// left op right becomes left - right op 0.
RuleQuery arithmetic_query(const ArithmeticRule& arithmetic,
                           const Rule& rule,
                           const Program& program,
                           const Database& database) {
  RuleQuery out;
  out.constant = number(0.0);
  QueryBuilder builder(rule, program, database, out);
  add_side(arithmetic.left, 1.0, rule, builder, out);
  add_side(arithmetic.right, -1.0, rule, builder, out);
  for (const Comparison& condition : arithmetic.conditions) builder.add_comparison(condition, true);
  out.forms = forms_of(rule, arithmetic.op);
  return out;
}

}  // namespace

std::vector<RuleQuery> rule_queries(const Rule& rule,
                                    const Program& program,
                                    const Database& database) {
  std::vector<RuleQuery> queries;
  if (const auto* logical = std::get_if<LogicalRule>(&rule.body)) {
    for (const Clause& clause : to_clauses(logical->formula)) {
      queries.push_back(clause_query(clause, rule, program, database));
    }
  } else {
    queries.push_back(
        arithmetic_query(std::get<ArithmeticRule>(rule.body), rule, program, database));
  }
  return queries;
}

double evaluate(const Coefficient& coefficient, const std::vector<double>& cardinality) {
  const auto operand = [&](std::size_t i) {
    return evaluate(coefficient.operands[i], cardinality);
  };
  switch (coefficient.kind) {
    case CoefficientKind::kNumber:
      return coefficient.number;
    case CoefficientKind::kCardinality:
      return cardinality[coefficient.variable];
    case CoefficientKind::kAdd:
      return operand(0) + operand(1);
    case CoefficientKind::kSubtract:
      return operand(0) - operand(1);
    case CoefficientKind::kMultiply:
      return operand(0) * operand(1);
    case CoefficientKind::kDivide:
      return operand(0) / operand(1);
    case CoefficientKind::kMax:
      return std::max(operand(0), operand(1));
    case CoefficientKind::kMin:
      return std::min(operand(0), operand(1));
  }
  return 0.0;  // not reached: the switch is complete
}

}  // namespace sorites
