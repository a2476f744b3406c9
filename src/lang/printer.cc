#include "lang/printer.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "base/constant.h"
#include "lang/escapes.h"

namespace sorites {
namespace {

using lang::quoted;

// How tightly an expression binds; an operand that binds less tightly than its place asks for goes
// in parentheses.
enum class Binding : std::uint8_t {
  kIff,
  kImplies,
  kOr,
  kAnd,
  kNot,
  kSum,
  kProduct,
  kOperand,
};

Binding next(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) + 1); }

class Printer {
 public:
  Printer(const Program& program, const std::vector<Variable>& variables)
      : program_(program), variables_(variables) {}

  std::string take() { return std::move(text_); }

  void add(std::string_view text) { text_ += text; }
  // `last`: nothing follows it up to the next bracket, so that a quantifier can end it.
  void add(const Formula& formula, Binding place, bool last = true);
  void add(const Atom& atom);
  void add(const Comparison& comparison);
  void add(const Coefficient& coefficient, Binding place);
  void add(const ArithmeticRule& rule, bool hard);
  void add(const Filter& filter);
  void add_first(const Summand& summand, bool hard);

 private:
  void add_term(const Term& term);
  void add_side(const std::vector<Summand>& side, bool hard);
  void add_further(const Summand& summand);
  void add_plain(const Summand& summand);
  void add_scaled(const Coefficient& coefficient, const Atom& atom);
  void add_chain(const Formula& formula, std::string_view op, bool last);
  void add_quantified(const Formula& formula);

  const Program& program_;
  const std::vector<Variable>& variables_;
  std::string text_;
  bool in_filter_ = false;  // where a summation variable stands for one value
};

// ---- Logic ------------------------------------------------------------------------------------

Binding binding_of(FormulaKind kind) {
  switch (kind) {
    case FormulaKind::kIff:
      return Binding::kIff;
    case FormulaKind::kImplies:
      return Binding::kImplies;
    case FormulaKind::kOr:
      return Binding::kOr;
    case FormulaKind::kAnd:
      return Binding::kAnd;
    case FormulaKind::kNot:
    case FormulaKind::kForall:
    case FormulaKind::kExists:
      return Binding::kNot;
    case FormulaKind::kAtom:
    case FormulaKind::kComparison:
      return Binding::kOperand;
  }
  return Binding::kOperand;  // not reached: the switch is complete
}

void Printer::add_chain(const Formula& formula, std::string_view op, bool last) {
  const Binding operand = next(binding_of(formula.kind));
  for (std::size_t i = 0; i < formula.operands.size(); ++i) {
    if (i > 0) add(op);
    add(formula.operands[i], operand, last && i + 1 == formula.operands.size());
  }
}

void Printer::add_quantified(const Formula& formula) {
  add(formula.kind == FormulaKind::kForall ? "forall " : "exists ");
  for (std::size_t i = 0; i < formula.quantified.size(); ++i) {
    if (i > 0) add(", ");
    add(variables_[formula.quantified[i]].name);
  }
  add(": ");
  add(formula.operands[0], Binding::kIff);
}

void Printer::add(const Formula& formula, Binding place, bool last) {
  const Binding binding = binding_of(formula.kind);
  const bool quantified =
      formula.kind == FormulaKind::kForall || formula.kind == FormulaKind::kExists;
  const bool parentheses = binding < place || (quantified && !last);
  if (parentheses) add("(");
  last = last || parentheses;
  switch (formula.kind) {
    case FormulaKind::kIff:
      add_chain(formula, " <-> ", last);
      break;
    case FormulaKind::kImplies:
      add_chain(formula, " -> ", last);
      break;
    case FormulaKind::kOr:
      add_chain(formula, " | ", last);
      break;
    case FormulaKind::kAnd:
      add_chain(formula, " & ", last);
      break;
    case FormulaKind::kNot:
      add("!");
      if (formula.operands[0].kind == FormulaKind::kComparison) {  // `!A == B` reads badly
        add("(");
        add(formula.operands[0].comparison);
        add(")");
      } else {
        add(formula.operands[0], binding, last);
      }
      break;
    case FormulaKind::kForall:
    case FormulaKind::kExists:
      add_quantified(formula);
      break;
    case FormulaKind::kAtom:
      add(formula.atom);
      break;
    case FormulaKind::kComparison:
      add(formula.comparison);
      break;
  }
  if (parentheses) add(")");
}

void Printer::add_term(const Term& term) {
  if (const auto* variable = std::get_if<VariableId>(&term)) {
    add(variables_[*variable].name);
  } else {
    add(quoted(std::get<std::string>(term)));
  }
}

void Printer::add(const Atom& atom) {
  add(program_.predicates[atom.predicate].name);
  add("(");
  for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
    if (i > 0) add(", ");
    const auto* variable = std::get_if<VariableId>(&atom.arguments[i]);
    if (variable != nullptr && variables_[*variable].summed && !in_filter_) add("+");
    add_term(atom.arguments[i]);
  }
  add(")");
}

void Printer::add(const Comparison& comparison) {
  add_term(comparison.left);
  switch (comparison.op) {
    case ComparisonOperator::kEqual:
      add(" == ");
      break;
    case ComparisonOperator::kNotEqual:
      add(" != ");
      break;
    case ComparisonOperator::kLess:
      add(" % ");
      break;
  }
  add_term(comparison.right);
}

// ---- Arithmetic -------------------------------------------------------------------------------

void Printer::add(const Coefficient& c, Binding place) {
  const auto operation = [&](std::string_view op, Binding binding) {
    const bool parentheses = binding < place;
    if (parentheses) add("(");
    add(c.operands[0], binding);
    add(op);
    add(c.operands[1], next(binding));  // a - (b - c) and a + (b + c) keep their parentheses
    if (parentheses) add(")");
  };
  const auto function = [&](std::string_view name) {
    add(name);
    add(c.operands[0], Binding::kSum);
    add(", ");
    add(c.operands[1], Binding::kSum);
    add("]");
  };
  switch (c.kind) {
    case CoefficientKind::kNumber:
      return add(to_text(c.number));
    case CoefficientKind::kCardinality:
      return add(fmt::format("|{}|", variables_[c.variable].name));
    case CoefficientKind::kAdd:
      return operation(" + ", Binding::kSum);
    case CoefficientKind::kSubtract:
      return operation(" - ", Binding::kSum);
    case CoefficientKind::kMultiply:
      return operation(" * ", Binding::kProduct);
    case CoefficientKind::kDivide:
      return operation(" / ", Binding::kProduct);
    case CoefficientKind::kMax:
      return function("@Max[");
    case CoefficientKind::kMin:
      return function("@Min[");
  }
}

bool is_number(const Coefficient& c, double number) {
  return c.kind == CoefficientKind::kNumber && c.number == number;
}

void Printer::add_scaled(const Coefficient& c, const Atom& atom) {
  if (is_number(c, -1.0)) add("-");
  if (c.kind == CoefficientKind::kDivide) {  // (n / d) * atom as n * atom / d
    add_scaled(c.operands[0], atom);
    add(" / ");
    return add(c.operands[1], Binding::kOperand);
  }
  if (!is_number(c, 1.0) && !is_number(c, -1.0)) {
    add(c, Binding::kProduct);
    add(" * ");
  }
  add(atom);
}

void Printer::add_plain(const Summand& summand) {
  if (summand.atom) {
    add_scaled(summand.coefficient, *summand.atom);
  } else {
    add(summand.coefficient, Binding::kProduct);
  }
}

// A `-` at the start of a line would go on with the weighted rule on the line before.
void Printer::add_first(const Summand& summand, bool hard) {
  const std::size_t begin = text_.size();
  add_plain(summand);
  if (hard && text_[begin] == '-') {
    text_.insert(begin, 1, '(');
    add(")");
  }
}

// With its sign as ` + ` or ` - `, such that reading it gives the same coefficient.
void Printer::add_further(const Summand& summand) {
  const Coefficient& c = summand.coefficient;
  const bool scales =
      c.kind == CoefficientKind::kMultiply && c.operands[0].kind == CoefficientKind::kNumber;
  const double factor = scales ? c.operands[0].number : c.number;
  if ((!scales && c.kind != CoefficientKind::kNumber) || factor >= 0.0) {
    add(" + ");
    return add_plain(summand);
  }
  add(" - ");
  Summand positive = summand;
  if (!scales) {
    positive.coefficient.number = -factor;
  } else if (factor == -1.0) {
    positive.coefficient = c.operands[1];
  } else {
    positive.coefficient.operands[0].number = -factor;
  }
  add_plain(positive);
}

void Printer::add_side(const std::vector<Summand>& side, bool hard) {
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (i == 0) {
      add_first(side[i], hard);
    } else {
      add_further(side[i]);
    }
  }
}

void Printer::add(const ArithmeticRule& rule, bool hard) {
  add_side(rule.left, hard);
  for (const Comparison& condition : rule.conditions) {
    add(" + (");
    add(condition);
    add(")");
  }
  switch (rule.op) {
    case RelationalOperator::kLessEqual:
      add(" <= ");
      break;
    case RelationalOperator::kGreaterEqual:
      add(" >= ");
      break;
    case RelationalOperator::kEqual:
      add(" = ");
      break;
  }
  add_side(rule.right, false);
}

void Printer::add(const Filter& filter) {
  add(fmt::format(" {{{}: ", variables_[filter.variable].name));
  in_filter_ = true;
  add(filter.condition, Binding::kIff);
  in_filter_ = false;
  add("}");
}

}  // namespace

std::string lang::quoted(std::string_view constant) { return in_quotes(constant, '\''); }

std::string lang::to_text(const Clause& clause, const Rule& rule, const Program& program) {
  Formula either;
  either.kind = FormulaKind::kOr;
  const auto add = [&](Formula literal, bool negated) {
    if (negated) {
      Formula positive = std::move(literal);
      literal = Formula{FormulaKind::kNot, {std::move(positive)}, {}, {}};
    }
    either.operands.push_back(std::move(literal));
  };
  for (const auto& [atom, negated] : clause.atoms) {
    add(Formula{FormulaKind::kAtom, {}, atom, {}}, negated);
  }
  for (const auto& [comparison, negated] : clause.comparisons) {
    add(Formula{FormulaKind::kComparison, {}, {}, comparison}, negated);
  }
  Printer printer(program, rule.variables);
  printer.add(either, Binding::kIff);
  return printer.take();
}

std::string to_text(const Rule& rule, const Program& program) {
  Printer printer(program, rule.variables);
  if (rule.weight) printer.add(to_text(*rule.weight) + ": ");
  const auto* arithmetic = std::get_if<ArithmeticRule>(&rule.body);
  if (arithmetic != nullptr) {
    printer.add(*arithmetic, !rule.weight);
  } else {
    printer.add(std::get<LogicalRule>(rule.body).formula, Binding::kIff);
  }
  if (rule.squared) printer.add(" ^2");
  if (!rule.weight) printer.add(" .");
  if (arithmetic != nullptr) {
    for (const Filter& filter : arithmetic->filters) printer.add(filter);
  }
  return printer.take();
}

std::string to_text(const Program& program) {
  std::string text;
  for (const Rule& rule : program.rules) text += to_text(rule, program) + "\n";
  return text;
}

}  // namespace sorites
