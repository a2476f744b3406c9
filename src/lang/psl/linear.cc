#include "lang/psl/linear.h"

#include <utility>

namespace sorites::lang {

std::vector<Summand> Linearizer::side(const Expression& expression) {
  std::vector<Summand> sum;
  add(expression, false, sum);
  if (sum.empty()) sum.push_back({number(0.0), std::nullopt});  // nothing but conditions
  return sum;
}

void Linearizer::add(const Expression& expression, bool negate, std::vector<Summand>& sum) {
  switch (expression.kind) {
    case ExpressionKind::kSum:
      for (const Expression& operand : expression.operands) {
        add(operand, negate != operand.inverse, sum);
      }
      return;
    case ExpressionKind::kNegate:
      return add(expression.operands[0], !negate, sum);
    case ExpressionKind::kAtom:
      sum.push_back({number(negate ? -1.0 : 1.0), resolver_.atom(expression)});
      return;
    case ExpressionKind::kComparison:
      if (in_product_) return report_not_linear(expression);
      conditions_.push_back(resolver_.comparison(expression));
      return;
    default:
      break;
  }
  if (expression.numeric) return add_constant(coefficients_.build(expression), negate, sum);
  if (expression.kind == ExpressionKind::kProduct) return add_product(expression, negate, sum);
  report_not_linear(expression);
}

// A sum of cardinalities becomes one summand for each, so that a sum has one form only.
void Linearizer::add_constant(Coefficient c, bool negate, std::vector<Summand>& sum) {
  if (c.kind == CoefficientKind::kAdd || c.kind == CoefficientKind::kSubtract) {
    const bool subtract = c.kind == CoefficientKind::kSubtract;
    add_constant(std::move(c.operands[0]), negate, sum);
    add_constant(std::move(c.operands[1]), negate != subtract, sum);
    return;
  }
  const bool negation = c.kind == CoefficientKind::kMultiply &&
                        c.operands[0].kind == CoefficientKind::kNumber &&
                        c.operands[0].number == -1.0;
  if (negation) {
    Coefficient positive = std::move(c.operands[1]);
    return add_constant(std::move(positive), !negate, sum);
  }
  sum.push_back({negate ? negated(std::move(c)) : std::move(c), std::nullopt});
}

// The one factor that is not a number, or null, and a report, if that is not what there is.
const Expression* Linearizer::atomic_factor(const Expression& product) {
  const Expression* found = nullptr;
  for (const Expression& factor : product.operands) {
    if (factor.numeric) continue;
    if (factor.inverse) {
      reporter_.error(DiagnosticCode::kNotLinear,
                      factor.range,
                      "division by an atom: arithmetic rules are linear in their atoms",
                      "divide by a number or a cardinality |V|");
      return nullptr;
    }
    if (found != nullptr) {
      reporter_.error(DiagnosticCode::kNotLinear,
                      join(found->range, factor.range),
                      "a product of atoms: arithmetic rules are linear in their atoms",
                      "`P(A) & Q(A)` in a logical rule says that both hold");
      return nullptr;
    }
    found = &factor;
  }
  return found;
}

void Linearizer::add_product(const Expression& product, bool negate, std::vector<Summand>& sum) {
  const Expression* atomic = atomic_factor(product);
  if (atomic == nullptr) return;
  std::vector<Coefficient> factors;  // of the atomic one: 1, to be replaced
  for (const Expression& factor : product.operands) {
    factors.push_back(&factor == atomic ? number(1.0) : coefficients_.build(factor));
  }
  const bool outer = std::exchange(in_product_, true);
  std::vector<Summand> inner;
  add(*atomic, false, inner);
  in_product_ = outer;
  for (Summand& summand : inner) {
    const std::size_t errors = reporter_.num_errors();
    Coefficient c = number(1.0);
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const Expression& factor = product.operands[i];
      c = coefficients_.combine(
          factor.inverse ? CoefficientKind::kDivide : CoefficientKind::kMultiply,
          std::move(c),
          &factor == atomic ? summand.coefficient : factors[i],
          factor.range);
    }
    if (summand.atom) {
      sum.push_back({negate ? negated(std::move(c)) : std::move(c), std::move(summand.atom)});
    } else {
      add_constant(std::move(c), negate, sum);
    }
    if (reporter_.num_errors() > errors) return;  // it would be the same for the others
  }
}

void Linearizer::report_not_linear(const Expression& expression) {
  if (expression.kind == ExpressionKind::kComparison) {
    reporter_.error(DiagnosticCode::kNotLinear,
                    expression.range,
                    "a comparison in a product: it restricts the rule and has no value",
                    "add it to a side as a summand of its own, as in `P(A) + (A != B) <= 1`");
    return;
  }
  reporter_.error(DiagnosticCode::kNotLinear,
                  expression.range,
                  "an atom inside @Max or @Min: arithmetic rules are linear in their atoms",
                  "@Max and @Min take numbers and cardinalities |V|");
}

}  // namespace sorites::lang
