#include "meanfield/formula_logic.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "meanfield/lower_rules.h"

namespace sorites::meanfield {
namespace {

LogicNode decided(bool holds) {
  LogicNode node;
  node.kind = holds ? LogicKind::kAnd : LogicKind::kOr;
  return node;
}

bool is_decided(const LogicNode& node, bool holds) {
  return node.operands.empty() && node.kind == (holds ? LogicKind::kAnd : LogicKind::kOr);
}

LogicNode negated(LogicNode operand) {
  if (is_decided(operand, true)) return decided(false);
  if (is_decided(operand, false)) return decided(true);
  LogicNode node;
  node.kind = LogicKind::kNot;
  node.operands.push_back(std::move(operand));
  return node;
}

// Adds an operand to a conjunction or disjunction, unless it says nothing there. False if it
// decides the whole.
bool append(LogicNode& node, LogicNode operand) {
  const bool all = node.kind == LogicKind::kAnd;
  if (is_decided(operand, !all)) return false;
  if (!is_decided(operand, all)) node.operands.push_back(std::move(operand));
  return true;
}

LogicKind kind_of(FormulaKind kind) {
  switch (kind) {
    case FormulaKind::kNot:
      return LogicKind::kNot;
    case FormulaKind::kAnd:
    case FormulaKind::kForall:
      return LogicKind::kAnd;
    case FormulaKind::kOr:
    case FormulaKind::kExists:
    case FormulaKind::kImplies:  // its body is negated
      return LogicKind::kOr;
    case FormulaKind::kIff:
      return LogicKind::kIff;
    case FormulaKind::kAtom:
    case FormulaKind::kComparison:
      break;
  }
  return LogicKind::kLiteral;
}

}  // namespace

std::optional<LogicNode> FormulaLogic::logic(std::size_t rule,
                                             const Formula& formula,
                                             Binding binding) {
  rule_ = rule;
  binding_ = std::move(binding);
  atoms_ = {};
  num_literals_ = 0;
  num_decided_ = 0;
  used_facts_ = false;
  unknown_constant_.clear();
  LogicNode node = node_of(formula);
  if (is_too_large() || !unknown_constant_.empty()) return std::nullopt;
  return node;
}

LogicNode FormulaLogic::node_of(const Formula& formula) {
  switch (formula.kind) {
    case FormulaKind::kAtom:
      return atom(formula.atom);
    case FormulaKind::kComparison:
      return comparison(formula.comparison);
    case FormulaKind::kForall:
    case FormulaKind::kExists:
      return quantified(formula);
    default:
      break;
  }
  if (formula.kind == FormulaKind::kNot) return negated(node_of(formula.operands[0]));
  LogicNode node;
  node.kind = kind_of(formula.kind);
  const std::size_t num_before = num_literals_;
  bool is_open = true;
  for (const Formula& operand : formula.operands) {
    LogicNode part = node_of(operand);
    const bool is_body = formula.kind == FormulaKind::kImplies && &operand == &formula.operands[0];
    if (is_body) part = negated(std::move(part));
    if (node.kind == LogicKind::kIff) {
      node.operands.push_back(std::move(part));
    } else {
      is_open = append(node, std::move(part)) && is_open;
    }
  }
  return is_open ? node : settle(node, num_before);
}

// One of its operands decides it, so that the literals of the others are no longer needed.
LogicNode FormulaLogic::settle(const LogicNode& node, std::size_t num_literals_before) {
  num_literals_ = num_literals_before;
  return decided(node.kind == LogicKind::kOr);
}

// The operand for all combinations of constants, the last variable first.
LogicNode FormulaLogic::quantified(const Formula& formula) {
  LogicNode node;
  node.kind = kind_of(formula.kind);
  const std::vector<std::uint32_t>& domains = domains_.of_variable[rule_];
  const auto size = [&](VariableId v) { return model_.domains[domains[v]].size(); };
  const Binding before = binding_;
  const std::size_t num_before = num_literals_;
  bool more = true, is_open = true;
  for (const VariableId v : formula.quantified) {
    more = more && size(v) > 0;
    binding_[v] = 0;
  }
  while (more && is_open && !is_too_large()) {
    is_open = append(node, node_of(formula.operands[0]));
    more = false;
    for (std::size_t i = formula.quantified.size(); i-- > 0 && !more;) {
      std::uint32_t& constant = *binding_[formula.quantified[i]];
      more = ++constant < size(formula.quantified[i]);
      if (!more) constant = 0;
    }
  }
  binding_ = before;
  return is_open ? node : settle(node, num_before);
}

bool FormulaLogic::is_too_large() const {
  return num_literals_ > kMostLiterals || num_decided_ > kMostDecided;
}

std::optional<MeanFieldTerm> FormulaLogic::term(const Term& term, std::uint32_t domain) {
  if (const auto* variable = std::get_if<VariableId>(&term)) {
    const auto bound = binding_[*variable];
    return bound ? MeanFieldTerm{true, *bound} : MeanFieldTerm{false, *variable};
  }
  const MeanFieldDomain& constants = model_.domains[domain];
  const auto code = database_.dictionary(constants.domain).find(std::get<std::string>(term));
  const auto constant = code ? constants.find(*code) : std::nullopt;
  if (!constant) return std::nullopt;
  return MeanFieldTerm{true, *constant};
}

bool FormulaLogic::is_fact(std::uint32_t predicate, const std::vector<MeanFieldTerm>& terms) const {
  std::vector<std::uint32_t> constants;
  constants.reserve(terms.size());
  for (const MeanFieldTerm& term : terms) constants.push_back(term.index);
  const std::vector<KnownAtom>& facts = model_.facts[predicate];
  return std::binary_search(
      facts.begin(), facts.end(), KnownAtom{atom_number(model_, predicate, constants), 1});
}

LogicNode FormulaLogic::atom(const Atom& atom) {
  const MeanFieldPredicate& predicate = model_.predicates[atom.predicate];
  const std::vector<std::uint32_t>& domains = domains_.of_argument[atom.predicate];
  std::vector<MeanFieldTerm> terms;
  for (std::size_t k = 0; k < atom.arguments.size(); ++k) {
    const auto found = term(atom.arguments[k], domains[k]);
    if (!found) {  // in no data
      const bool is_class = k == predicate.arguments.size();
      if (!predicate.closed && !predicate.listed && !is_class) {
        unknown_constant_ = std::get<std::string>(atom.arguments[k]);
      }
      used_facts_ = true;
      return decided(false);
    }
    terms.push_back(*found);
  }
  if (predicate.num_classes() == 0) return literal(atom.predicate, std::move(terms), {1});
  // Variables for classes are bound; a constant may be none of the classes.
  const Code code = model_.domains[domains.back()].codes[terms.back().index];
  terms.pop_back();
  const auto at = std::lower_bound(predicate.classes.begin(), predicate.classes.end(), code);
  if (at == predicate.classes.end() || *at != code) return decided(false);
  return literal(atom.predicate,
                 std::move(terms),
                 {static_cast<std::uint32_t>(at - predicate.classes.begin())});
}

std::optional<std::string> FormulaLogic::constant_text(const Term& term) const {
  if (const auto* text = std::get_if<std::string>(&term)) return *text;
  const VariableId variable = std::get<VariableId>(term);
  if (!binding_[variable]) return std::nullopt;
  const MeanFieldDomain& domain = model_.domains[domains_.of_variable[rule_][variable]];
  return database_.dictionary(domain.domain).text(domain.codes[*binding_[variable]]);
}

LogicNode FormulaLogic::comparison(const Comparison& comparison) {
  const auto left = constant_text(comparison.left), right = constant_text(comparison.right);
  if (left && right) {
    const ConstantType type = program_.domains[comparison.domain].type;
    return decided(holds(comparison.op, type, *left, *right));
  }
  if (comparison.op == ComparisonOperator::kLess && (left || right)) {
    return less_than_constant(comparison);
  }
  const VariableId variable =
      left ? std::get<VariableId>(comparison.right) : std::get<VariableId>(comparison.left);
  const std::uint32_t domain = domains_.of_variable[rule_][variable];
  const auto first = term(comparison.left, domain), second = term(comparison.right, domain);
  const bool negative = comparison.op == ComparisonOperator::kNotEqual;
  if (!first || !second) return decided(negative);  // a constant in no data equals nothing
  if (*first == *second) return decided(comparison.op == ComparisonOperator::kEqual);
  std::vector<MeanFieldTerm> terms{*first, *second};
  if (comparison.op != ComparisonOperator::kLess) {
    const auto order = [](const MeanFieldTerm& t) { return std::pair(t.is_constant, t.index); };
    if (order(terms[1]) < order(terms[0])) std::swap(terms[0], terms[1]);
  }
  LogicNode node = literal(comparisons_.pairs(comparison.op, domain), std::move(terms), {1});
  return negative ? negated(std::move(node)) : node;
}

LogicNode FormulaLogic::less_than_constant(const Comparison& comparison) {
  const auto left = constant_text(comparison.left), right = constant_text(comparison.right);
  const bool less = right.has_value();  // the variable is less than the constant
  const VariableId variable = std::get<VariableId>(less ? comparison.left : comparison.right);
  const std::uint32_t domain = domains_.of_variable[rule_][variable];
  const std::uint32_t predicate = comparisons_.bound(domain, less ? *right : *left, less);
  return literal(predicate, {MeanFieldTerm{false, variable}}, {1});
}

LogicNode FormulaLogic::literal(std::uint32_t predicate,
                                std::vector<MeanFieldTerm> terms,
                                std::vector<std::uint32_t> values) {
  const bool ground = std::all_of(
      terms.begin(), terms.end(), [](const MeanFieldTerm& term) { return term.is_constant; });
  if (ground && model_.predicates[predicate].closed) {
    used_facts_ = true;
    ++num_decided_;
    return decided(is_fact(predicate, terms));
  }
  ++num_literals_;
  std::vector<std::uint32_t> key{predicate};
  for (const MeanFieldTerm& term : terms) {
    key.push_back(term.is_constant ? 1 : 0);
    key.push_back(term.index);
  }
  const auto [found, added] =
      atoms_.numbers.emplace(std::move(key), static_cast<std::uint32_t>(atoms_.atoms.size()));
  if (added) {
    atoms_.atoms.push_back({predicate, std::move(terms)});
    atoms_.num_values.push_back(model_.predicates[predicate].num_values());
  }
  LogicNode node;
  node.literal = {found->second, std::move(values)};
  return node;
}

}  // namespace sorites::meanfield
