#include "hinge/ground/rule_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <variant>

#include "base/diagnostics.h"
#include "hinge/model/term_kind.h"
#include "lang/clauses.h"

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

  // The variables in `summed` are summation variables of this atom, besides those of the rule.
  std::uint32_t add_atom(const Atom& atom,
                         RowSet rows,
                         bool optional,
                         std::span<const VariableId> summed = {}) {
    JoinAtom joined{.predicate = atom.predicate, .rows = rows, .optional = optional};
    for (std::size_t column = 0; column < atom.arguments.size(); ++column) {
      const DomainId domain = program_.predicates[atom.predicate].domain(column);
      joined.arguments.push_back(argument(atom.arguments[column], domain, summed));
      const auto* constant = std::get_if<std::string>(&atom.arguments[column]);
      if (constant != nullptr && joined.arguments.back().value == kNoCode) {
        out_.unknown_constants[{out_.query.atoms.size(), column}] = *constant;
      }
    }
    out_.query.atoms.push_back(std::move(joined));
    return static_cast<std::uint32_t>(out_.query.atoms.size() - 1);
  }

  // The variables of a guard, but those in `summed`, are variables of the query.
  void add_guard(const Formula& guard, std::span<const VariableId> summed) {
    for (const Formula& operand : guard.operands) add_guard(operand, summed);
    if (guard.kind == FormulaKind::kAtom) {
      for (const Term& term : guard.atom.arguments) argument(term, 0, summed);
    } else if (guard.kind == FormulaKind::kComparison) {
      argument(guard.comparison.left, 0, summed);
      argument(guard.comparison.right, 0, summed);
    }
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

  JoinArgument argument(const Term& term,
                        DomainId domain,
                        std::span<const VariableId> summed = {}) {
    using Kind = JoinArgument::Kind;
    if (const auto* constant = std::get_if<std::string>(&term)) {
      return {Kind::kConstant, database_.dictionary(domain).find(*constant).value_or(kNoCode)};
    }
    const VariableId variable = std::get<VariableId>(term);
    if (rule_.variables[variable].summed ||
        std::find(summed.begin(), summed.end(), variable) != summed.end()) {
      return {Kind::kSummed, variable};
    }
    if (number_[variable] == kUnnumbered) {
      number_[variable] = static_cast<std::uint32_t>(out_.query.num_variables++);
      out_.variables.push_back(variable);
      out_.query.domain_sizes.push_back(static_cast<std::uint32_t>(
          database_.dictionary(rule_.variables[variable].domain).size()));
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
// negated one (docs/language.md, "Where variables get their values"). Variables of quantifiers and
// those of open-world predicates take all constants of their domain instead.
bool binds_by_targets(const Atom& atom,
                      const Clause& clause,
                      const Program& program,
                      std::span<const VariableId> universal) {
  const Predicate& predicate = program.predicates[atom.predicate];
  if (!predicate.open || predicate.open_world) return false;
  return std::any_of(atom.arguments.begin(), atom.arguments.end(), [&](const Term& term) {
    const auto* variable = std::get_if<VariableId>(&term);
    return variable != nullptr &&
           std::find(universal.begin(), universal.end(), *variable) == universal.end() &&
           std::none_of(
               clause.atoms.begin(), clause.atoms.end(), [&](const Literal<Atom>& literal) {
                 return literal.negated && mentions(literal.what, *variable);
               });
  });
}

// The disjunction of a literal over all values of some variables. A binding need not have a row.
void add_existential(const lang::ExistentialLiteral& existential,
                     QueryBuilder& builder,
                     RuleQuery& out) {
  const Literal<Atom>& literal = existential.literal;
  LinearAtom linear{
      .atom = builder.add_atom(literal.what, RowSet::kAll, true, existential.variables),
      .predicate = literal.what.predicate,
      .coefficient = number(literal.negated ? 1.0 : -1.0),
      .existential = true,
      .guard = existential.guard};
  const auto& arguments = out.query.atoms[linear.atom].arguments;
  for (std::uint32_t column = 0; column < arguments.size(); ++column) {
    if (arguments[column].kind != JoinArgument::Kind::kSummed) continue;
    linear.summed.push_back(arguments[column].value);
    linear.columns.push_back(column);
  }
  builder.add_guard(existential.guard, existential.variables);
  out.atoms.push_back(std::move(linear));
  out.is_quantified = true;
}

// Distance to satisfaction of a clause: max(0, 1 - |P| + sum_P v - sum_N v), where P are its
// negated literals (the body) and N the others.
RuleQuery clause_query(const lang::QuantifiedClause& quantified,
                       std::span<const VariableId> universal,
                       const Rule& rule,
                       const Program& program,
                       const Database& database) {
  const Clause& clause = quantified.plain;
  RuleQuery out;
  QueryBuilder builder(rule, program, database, out);
  out.is_clause = true;
  double constant = 1.0;
  for (const Literal<Atom>& literal : clause.atoms) {
    const bool by_targets =
        !literal.negated && binds_by_targets(literal.what, clause, program, universal);
    const std::uint32_t atom = builder.add_atom(literal.what,
                                                by_targets ? RowSet::kTargets : RowSet::kAll,
                                                !literal.negated && !by_targets);
    if (literal.negated) constant -= 1.0;
    out.atoms.push_back({.atom = atom,
                         .predicate = literal.what.predicate,
                         .coefficient = number(literal.negated ? 1.0 : -1.0)});
  }
  for (const lang::ExistentialLiteral& existential : quantified.existentials) {
    add_existential(existential, builder, out);
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

bool RuleQuery::depends_on_domains() const {
  std::vector<bool> driven(query.num_variables, false);
  for (const JoinAtom& atom : query.atoms) {
    if (atom.optional) continue;
    for (const JoinArgument& argument : atom.arguments) {
      if (argument.kind == JoinArgument::Kind::kVariable) driven[argument.value] = true;
    }
  }
  const bool counts = std::any_of(atoms.begin(), atoms.end(), [](const LinearAtom& atom) {
    return atom.existential && atom.coefficient.number > 0.0;
  });
  return counts || std::find(driven.begin(), driven.end(), false) != driven.end();
}

bool RuleQuery::is_hard() const {
  return std::any_of(
      forms.begin(), forms.end(), [](const TermForm& form) { return sorites::is_hard(form.kind); });
}

std::vector<RuleQuery> rule_queries(const Rule& rule,
                                    const Program& program,
                                    const Database& database) {
  std::vector<RuleQuery> queries;
  const auto* logical = std::get_if<LogicalRule>(&rule.body);
  if (logical == nullptr) {
    queries.push_back(
        arithmetic_query(std::get<ArithmeticRule>(rule.body), rule, program, database));
    return queries;
  }
  const lang::ClauseFormResult result = lang::clause_form(logical->formula, program.predicates);
  if (!result.form) {
    Diagnostics sink;
    report_unfit(rule, result, sink);
    throw InputError(sink.take_sorted());
  }
  std::vector<VariableId> universal = result.form->universal;
  for (VariableId v = 0; v < rule.variables.size(); ++v) {
    if (rule.variables[v].over_domain) universal.push_back(v);
  }
  for (const lang::QuantifiedClause& clause : result.form->clauses) {
    queries.push_back(clause_query(clause, universal, rule, program, database));
  }
  return queries;
}

void report_unfit(const Rule& rule, const lang::ClauseFormResult& result, Diagnostics& sink) {
  if (result.too_many_clauses) {
    sink.error(DiagnosticCode::kTooManyClauses,
               rule.source,
               fmt::format("the formula has more than {} clauses in conjunctive normal form",
                           lang::kMaxClauses))
        .notes = {{"split it into several rules", {}}};
    return;
  }
  sink.error(DiagnosticCode::kUnfitFormula,
             rule.source,
             "hinge-loss semantics cannot take this formula: " + result.problem)
      .notes = {
      {"under a quantifier over some value, write one atom that is not known, and "
       "conditions on it that are",
       {}}};
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
