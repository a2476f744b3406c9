#include "meanfield/evidence_variables.h"

#include <variant>

namespace sorites::meanfield {
namespace {

void mark(const Term& term, std::vector<bool>& found) {
  if (const auto* variable = std::get_if<VariableId>(&term)) found[*variable] = true;
}

void visit(const Formula& formula,
           bool under_quantifier,
           const MeanFieldModel& model,
           std::vector<bool>& found) {
  if (under_quantifier && formula.kind == FormulaKind::kAtom &&
      model.predicates[formula.atom.predicate].closed) {
    for (const Term& term : formula.atom.arguments) mark(term, found);
  }
  if (under_quantifier && formula.kind == FormulaKind::kComparison) {
    mark(formula.comparison.left, found);
    mark(formula.comparison.right, found);
  }
  const bool is_under = under_quantifier || !formula.quantified.empty();
  for (const Formula& operand : formula.operands) visit(operand, is_under, model, found);
}

}  // namespace

std::vector<bool> evidence_variables(const Formula& formula,
                                     const MeanFieldModel& model,
                                     std::size_t num_variables) {
  std::vector<bool> found(num_variables, false);
  visit(formula, false, model, found);
  return found;
}

}  // namespace sorites::meanfield
