#include "lang/psl/check_rule.h"

#include <limits>
#include <utility>
#include <vector>

#include "lang/psl/arithmetic_rule.h"
#include "lang/psl/classify.h"
#include "lang/psl/logical_rule.h"
#include "lang/psl/resolver.h"

namespace sorites::lang {
namespace {

// Numbers the variables in the order of the rule as it is, not of the text: `H(A) << B(C)` and
// `B(C) >> H(A)` are the same rule, and what is printed reads back as the same rule.
class Renumbering {
 public:
  explicit Renumbering(std::vector<Variable> variables)
      : old_(std::move(variables)), new_id_(old_.size(), kUnseen) {}

  std::vector<Variable> take() { return std::move(new_); }

  void visit(Rule& rule) {
    if (auto* logical = std::get_if<LogicalRule>(&rule.body)) return visit(logical->formula);
    auto& arithmetic = std::get<ArithmeticRule>(rule.body);
    for (Summand& summand : arithmetic.left) visit(summand);
    for (Comparison& condition : arithmetic.conditions) visit(condition);
    for (Summand& summand : arithmetic.right) visit(summand);
    for (Filter& filter : arithmetic.filters) {
      visit(filter.variable);
      visit(filter.condition);
    }
  }

 private:
  static constexpr VariableId kUnseen = std::numeric_limits<VariableId>::max();

  void visit(VariableId& id) {
    if (new_id_[id] == kUnseen) {
      new_id_[id] = static_cast<VariableId>(new_.size());
      new_.push_back(std::move(old_[id]));
    }
    id = new_id_[id];
  }
  void visit(Term& term) {
    if (auto* variable = std::get_if<VariableId>(&term)) visit(*variable);
  }
  void visit(Atom& atom) {
    for (Term& argument : atom.arguments) visit(argument);
  }
  void visit(Comparison& comparison) {
    visit(comparison.left);
    visit(comparison.right);
  }
  void visit(Formula& formula) {
    if (formula.kind == FormulaKind::kAtom) visit(formula.atom);
    if (formula.kind == FormulaKind::kComparison) visit(formula.comparison);
    for (VariableId& variable : formula.quantified) visit(variable);
    for (Formula& operand : formula.operands) visit(operand);
  }
  void visit(Coefficient& coefficient) {
    if (coefficient.kind == CoefficientKind::kCardinality) visit(coefficient.variable);
    for (Coefficient& operand : coefficient.operands) visit(operand);
  }
  void visit(Summand& summand) {
    visit(summand.coefficient);
    if (summand.atom) visit(*summand.atom);
  }

  std::vector<Variable> old_, new_;
  std::vector<VariableId> new_id_;  // per old one
};

bool check_filters_are_formulas(const RuleSyntax& syntax,
                                const PredicateIndex& predicates,
                                Reporter& reporter) {
  bool all = true;
  for (const FilterSyntax& filter : syntax.filters) {
    all = check_formula(filter.condition, predicates, reporter) && all;
  }
  return all;
}

}  // namespace

std::optional<Rule> check_rule(const RuleSyntax& syntax,
                               const Program& program,
                               const PredicateIndex& predicates,
                               Reporter& reporter) {
  const std::size_t errors = reporter.num_errors();
  Resolver resolver(predicates, program.domains, reporter);
  resolver.declare(syntax.expression);
  for (const FilterSyntax& filter : syntax.filters) resolver.declare(filter.condition);
  resolver.check_quantified();
  const auto kind = classify(syntax.expression, predicates, reporter);
  if (!check_filters_are_formulas(syntax, predicates, reporter) || !kind) return std::nullopt;

  Rule rule;
  if (*kind == RuleKind::kLogical) {
    auto logical = check_logical_rule(syntax, program, resolver, reporter);
    if (!logical) return std::nullopt;
    rule.body = std::move(*logical);
  } else {
    rule.body = check_arithmetic_rule(syntax, resolver, reporter);
  }
  if (reporter.num_errors() > errors || !syntax.sound) return std::nullopt;

  Renumbering renumbering(std::move(resolver.variables()));
  renumbering.visit(rule);
  rule.variables = renumbering.take();
  if (syntax.weight) rule.weight = syntax.weight->value;
  rule.squared = syntax.squared;
  rule.text = syntax.text;
  rule.source = reporter.locate(syntax.range);
  return rule;
}

}  // namespace sorites::lang
