#include "hinge/ground/filter.h"

#include <algorithm>
#include <array>

#include "join/join_plan.h"

namespace sorites {
namespace {

Code code_of(const std::optional<VariableId>& variable,
             Code constant,
             std::span<const Code> codes) {
  return variable ? codes[*variable] : constant;
}

}  // namespace

FilterCondition::FilterCondition(const Formula& formula,
                                 const Program& program,
                                 const Database& database)
    : database_(database), root_(translate(formula, program)) {}

FilterCondition::Argument FilterCondition::argument(const Term& term, DomainId domain) const {
  if (const auto* variable = std::get_if<VariableId>(&term)) return {.variable = *variable};
  const auto& constant = std::get<std::string>(term);
  return {.code = database_.dictionary(domain).find(constant).value_or(kNoCode), .text = constant};
}

FilterCondition::Node FilterCondition::translate(const Formula& formula,
                                                 const Program& program) const {
  Node node{.kind = formula.kind};
  for (const Formula& operand : formula.operands)
    node.operands.push_back(translate(operand, program));
  if (formula.kind == FormulaKind::kAtom) {
    node.predicate = formula.atom.predicate;
    for (std::size_t c = 0; c < formula.atom.arguments.size(); ++c) {
      const DomainId domain = program.predicates[node.predicate].domain(c);
      node.arguments.push_back(argument(formula.atom.arguments[c], domain));
    }
  }
  if (formula.kind == FormulaKind::kComparison) {
    node.op = formula.comparison.op;
    node.domain = formula.comparison.domain;
    node.arguments = {argument(formula.comparison.left, node.domain),
                      argument(formula.comparison.right, node.domain)};
  }
  return node;
}

bool FilterCondition::atom_holds(const Node& node, std::span<const Code> codes) const {
  std::vector<Code> row;
  for (const Argument& argument : node.arguments) {
    row.push_back(code_of(argument.variable, argument.code, codes));
    if (row.back() == kNoCode) return false;
  }
  const Relation& relation = database_.relation(node.predicate);
  const auto found = relation.find(row);
  return found && found->partition == Partition::kObserved &&
         relation.table(Partition::kObserved).value(found->row) > 0.0;
}

std::string FilterCondition::text(const Argument& argument,
                                  DomainId domain,
                                  std::span<const Code> codes) const {
  return argument.variable ? database_.dictionary(domain).text(codes[*argument.variable])
                           : argument.text;
}

bool FilterCondition::comparison_holds(const Node& node, std::span<const Code> codes) const {
  const std::string left = text(node.arguments[0], node.domain, codes);
  const std::string right = text(node.arguments[1], node.domain, codes);
  switch (node.op) {
    case ComparisonOperator::kEqual:
      return left == right;
    case ComparisonOperator::kNotEqual:
      return left != right;
    case ComparisonOperator::kLess:
      return text_less(database_.dictionary(node.domain).type(), left, right);
  }
  return false;  // not reached: the switch is complete
}

bool FilterCondition::holds(const Node& node, std::span<const Code> codes) const {
  const auto operand_holds = [&](const Node& operand) { return holds(operand, codes); };
  switch (node.kind) {
    case FormulaKind::kAtom:
      return atom_holds(node, codes);
    case FormulaKind::kComparison:
      return comparison_holds(node, codes);
    case FormulaKind::kNot:
      return !operand_holds(node.operands[0]);
    case FormulaKind::kAnd:
      return std::all_of(node.operands.begin(), node.operands.end(), operand_holds);
    case FormulaKind::kOr:
      return std::any_of(node.operands.begin(), node.operands.end(), operand_holds);
    case FormulaKind::kImplies:
      return !operand_holds(node.operands[0]) || operand_holds(node.operands[1]);
    case FormulaKind::kIff:
      return operand_holds(node.operands[0]) == operand_holds(node.operands[1]);
    case FormulaKind::kForall:
    case FormulaKind::kExists:
      break;  // the compiler lets none into filters
  }
  return false;  // not reached: the switch is complete
}

}  // namespace sorites
