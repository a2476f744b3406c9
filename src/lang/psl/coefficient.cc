#include "lang/psl/coefficient.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sorites::lang {
namespace {

bool is_number(const Coefficient& c) { return c.kind == CoefficientKind::kNumber; }
bool is_number(const Coefficient& c, double value) { return is_number(c) && c.number == value; }

std::size_t num_operations(const Coefficient& c) {
  std::size_t count = c.operands.empty() ? 0 : 1;
  for (const Coefficient& operand : c.operands) count += num_operations(operand);
  return count;
}

double apply(CoefficientKind op, double left, double right) {
  switch (op) {
    case CoefficientKind::kAdd:
      return left + right;
    case CoefficientKind::kSubtract:
      return left - right;
    case CoefficientKind::kMultiply:
      return left * right;
    case CoefficientKind::kDivide:
      return left / right;
    case CoefficientKind::kMax:
      return std::max(left, right);
    case CoefficientKind::kMin:
      return std::min(left, right);
    case CoefficientKind::kNumber:
    case CoefficientKind::kCardinality:
      break;  // no operations
  }
  return left;
}

}  // namespace

Coefficient number(double value) {
  Coefficient c;
  c.number = value;
  return c;
}

Coefficient negated(Coefficient c) {
  if (is_number(c)) return number(-c.number);
  if (c.kind == CoefficientKind::kMultiply && is_number(c.operands[0])) {
    if (c.operands[0].number == -1.0) return Coefficient(std::move(c.operands[1]));
    c.operands[0].number = -c.operands[0].number;
    return c;
  }
  Coefficient result;
  result.kind = CoefficientKind::kMultiply;
  result.operands.push_back(number(-1.0));
  result.operands.push_back(std::move(c));
  return result;
}

Coefficient CoefficientBuilder::build(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::kNumber:
      return number(expression.number);
    case ExpressionKind::kCardinality: {
      Coefficient c;
      c.kind = CoefficientKind::kCardinality;
      c.variable = resolver_.variable(expression.name, expression.operator_range);
      return c;
    }
    case ExpressionKind::kNegate:
      return negated(build(expression.operands[0]));
    case ExpressionKind::kMax:
    case ExpressionKind::kMin:
      return combine(
          expression.kind == ExpressionKind::kMax ? CoefficientKind::kMax : CoefficientKind::kMin,
          build(expression.operands[0]),
          build(expression.operands[1]),
          expression.range);
    default:
      return build_chain(expression);
  }
}

// Sums and products associate to the left.
Coefficient CoefficientBuilder::build_chain(const Expression& expression) {
  const bool sum = expression.kind == ExpressionKind::kSum;
  Coefficient result = build(expression.operands[0]);
  for (std::size_t i = 1; i < expression.operands.size(); ++i) {
    const Expression& operand = expression.operands[i];
    const CoefficientKind plain = sum ? CoefficientKind::kAdd : CoefficientKind::kMultiply;
    const CoefficientKind inverse = sum ? CoefficientKind::kSubtract : CoefficientKind::kDivide;
    result = combine(
        operand.inverse ? inverse : plain, std::move(result), build(operand), operand.range);
  }
  return result;
}

Coefficient CoefficientBuilder::combine(CoefficientKind op,
                                        Coefficient left,
                                        Coefficient right,
                                        TextRange at) {
  if (op == CoefficientKind::kDivide && is_number(right, 0.0)) {
    return fail(DiagnosticCode::kDivisionByZero, at, "division by zero", {});
  }
  if (is_number(left) && is_number(right)) return fold(op, left.number, right.number, at);
  const bool scales = op == CoefficientKind::kMultiply || op == CoefficientKind::kDivide;
  if (scales && is_number(right, 1.0)) return left;
  if (op == CoefficientKind::kMultiply && is_number(left, 1.0)) return right;
  const bool nested = right.kind == CoefficientKind::kMultiply && is_number(right.operands[0]);
  if (op == CoefficientKind::kMultiply && is_number(left) && nested) {  // 2 * (3 * c) is 6 * c
    Coefficient factor = fold(op, left.number, right.operands[0].number, at);
    return combine(op, std::move(factor), Coefficient(std::move(right.operands[1])), at);
  }
  Coefficient result;
  result.kind = op;
  result.operands.push_back(std::move(left));
  result.operands.push_back(std::move(right));
  if (num_operations(result) <= kMaxOperations) return result;
  return fail(DiagnosticCode::kNestingTooDeep,
              at,
              fmt::format("a coefficient of more than {} operations", kMaxOperations),
              "split the rule");
}

Coefficient CoefficientBuilder::fold(CoefficientKind op, double left, double right, TextRange at) {
  const double value = apply(op, left, right);
  if (std::isfinite(value)) return number(value);
  return fail(DiagnosticCode::kBadNumber,
              at,
              "the value of this coefficient is too large for a double",
              {});
}

Coefficient CoefficientBuilder::fail(DiagnosticCode code,
                                     TextRange at,
                                     std::string message,
                                     std::string hint) {
  if (!failed_) reporter_.error(code, at, std::move(message), std::move(hint));
  failed_ = true;
  return number(1.0);
}

}  // namespace sorites::lang
