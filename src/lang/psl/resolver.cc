#include "lang/psl/resolver.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/constant.h"
#include "lang/printer.h"

namespace sorites::lang {
namespace {

std::string_view with_article(ConstantType type) {
  switch (type) {
    case ConstantType::kText:
      return "text";
    case ConstantType::kInteger:
      return "an integer";
    case ConstantType::kReal:
      return "a real number";
  }
  return {};  // not reached: the switch is complete
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

std::vector<std::string_view> Resolver::variable_names() const {
  std::vector<std::string_view> names;
  for (const Variable& variable : variables_) names.push_back(variable.name);
  return names;
}

void Resolver::suggest_variable(Diagnostic& added,
                                std::string_view name,
                                const std::vector<std::string_view>& known) {
  constexpr std::size_t kShortestName = 3;  // A and B are no slips of each other
  if (name.size() >= kShortestName) suggest_name(added, name, known);
}

std::optional<VariableId> Resolver::find_variable(const std::string& name) const {
  const auto in_scope = std::find_if(
      scope_.rbegin(), scope_.rend(), [&](VariableId id) { return variables_[id].name == name; });
  if (in_scope != scope_.rend()) return *in_scope;
  const auto found = ids_.find(name);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

VariableId Resolver::variable(const std::string& name, TextRange at) {
  if (const auto known = find_variable(name)) return *known;
  const auto [found, added] = ids_.emplace(name, static_cast<VariableId>(variables_.size()));
  if (added) {
    variables_.push_back({name, 0, false});
    uses_.push_back({at, std::nullopt, at});
  }
  return found->second;
}

// ---- Declaration ------------------------------------------------------------------------------

void Resolver::declare(const Expression& expression) {
  if (expression.kind == ExpressionKind::kAtom) declare_atom(expression);
  if (expression.kind == ExpressionKind::kComparison) {
    for (const TermSyntax& term : expression.terms) {
      if (term.kind != TermSyntaxKind::kVariable) continue;
      uses_[variable(term.text, term.range)].compared = true;
    }
  }
  if (is_quantifier(expression.kind)) return declare_quantified(expression);
  for (const Expression& operand : expression.operands) declare(operand);
}

void Resolver::report_hidden(const TermSyntax& hiding, TextRange hidden) {
  Diagnostic& added = reporter_.error(
      DiagnosticCode::kHiddenVariable,
      hiding.range,
      fmt::format("`{}` is a variable of the rule already, which this one would hide",
                  hiding.text));
  added.notes.push_back(
      {fmt::format("here `{}` is another one", hiding.text), reporter_.locate(hidden)});
  added.notes.push_back({"give one of them another name", {}});
}

void Resolver::declare_quantified(const Expression& quantifier) {
  const std::size_t outside = scope_.size();
  for (const TermSyntax& term : quantifier.terms) {
    const auto hidden = std::find_if(scope_.begin(), scope_.end(), [&](VariableId id) {
      return variables_[id].name == term.text;
    });
    if (hidden != scope_.end()) {
      report_hidden(term, uses_[*hidden].first);
      uses_[*hidden].unresolved = true;  // nobody can say which one is used
    }
    const auto id = static_cast<VariableId>(variables_.size());
    variables_.push_back({term.text, 0, false});
    uses_.push_back({.first = term.range, .typed_at = term.range, .quantified = true});
    quantified_at_[term.range.begin] = id;
    scope_.push_back(id);
  }
  for (const Expression& operand : quantifier.operands) declare(operand);
  scope_.resize(outside);
}

void Resolver::check_quantified() {
  for (VariableId id = 0; id < variables_.size(); ++id) {
    const Use& use = uses_[id];
    const std::string& name = variables_[id].name;
    if (!use.quantified) continue;
    if (const auto free = ids_.find(name); free != ids_.end()) {
      report_hidden({TermSyntaxKind::kVariable, name, use.first}, uses_[free->second].first);
    }
    if (use.domain) continue;
    if (use.compared) {
      reporter_.error(
          DiagnosticCode::kUnboundVariable,
          use.first,
          fmt::format("`{}` stands in no atom, so nothing says what its domain is", name),
          fmt::format("use `{}` in an atom, not in comparisons alone", name));
    } else if (!use.unresolved) {
      reporter_.warning(DiagnosticCode::kUnusedVariable,
                        use.first,
                        fmt::format("nothing uses the variable `{}` of this quantifier", name));
    }
  }
}

PredicateId Resolver::find(const Expression& atom) const {
  const auto id = predicates_.find(atom.name);
  return id && predicates_[*id].arity() == atom.terms.size() ? *id : kUnresolved;
}

void Resolver::declare_atom(const Expression& atom) {
  const auto id = predicates_.find(atom.name);
  if (!id) {
    Diagnostic& added = reporter_.error(DiagnosticCode::kUnknownPredicate,
                                        atom.operator_range,
                                        fmt::format("unknown predicate `{}`", atom.name));
    suggest_name(added, atom.name, predicates_.names());
    if (added.notes.empty()) {
      added.notes.push_back({"predicates are declared in the model file, under `predicates`", {}});
    }
  } else if (predicates_[*id].arity() != atom.terms.size()) {
    reporter_.error(DiagnosticCode::kWrongArity,
                    atom.range,
                    fmt::format("`{}` has {}, but {} here",
                                predicates_[*id].name,
                                plural(predicates_[*id].arity(), "argument"),
                                atom.terms.size()));
  }
  const bool resolved = find(atom) != kUnresolved;
  for (std::size_t i = 0; i < atom.terms.size(); ++i) {
    const TermSyntax& term = atom.terms[i];
    const bool constant = term.kind == TermSyntaxKind::kConstant;
    if (!resolved) {
      if (!constant) uses_[variable(term.text, term.range)].unresolved = true;
      continue;
    }
    const DomainId domain = predicates_[*id].domain(i);
    if (!constant) {
      declare_variable(term, domain);
    } else {
      const Predicate& predicate = predicates_[*id];
      check_constant(term, domain, fmt::format("argument {} of `{}`", i + 1, predicate.name));
      check_listed(term, domain, predicate.has_classes && i + 1 == predicate.arity());
    }
  }
}

void Resolver::declare_variable(const TermSyntax& term, DomainId domain) {
  const VariableId id = variable(term.text, term.range);
  Use& use = uses_[id];
  if (!use.domain) {
    use.domain = domain;
    use.typed_at = term.range;
    variables_[id].domain = domain;
  } else if (*use.domain != domain) {
    Diagnostic& added = reporter_.error(
        DiagnosticCode::kVariableType,
        term.range,
        fmt::format("variable `{}` is {} here, but {} elsewhere: they can never be equal",
                    term.text,
                    describe(domain),
                    describe(*use.domain)));
    added.notes.push_back({fmt::format("here `{}` is {}", term.text, describe(*use.domain)),
                           reporter_.locate(use.typed_at)});
  }
}

std::string Resolver::describe(DomainId domain) const {
  const bool builtin = domain < builtin_domains().size();
  return builtin ? std::string(with_article(domains_[domain].type))
                 : fmt::format("of domain `{}`", domains_[domain].name);
}

void Resolver::check_constant(const TermSyntax& term, DomainId domain, const std::string& what) {
  const ConstantType type = domains_[domain].type;
  if (canonical_constant(type, term.text)) return;
  reporter_.error(
      DiagnosticCode::kConstantType,
      term.range,
      fmt::format("{} is {}, but {} is not", what, with_article(type), quoted(term.text)));
}

// A domain that lists all its constants has no others: an atom of them would be false for ever,
// which is no rule but a slip.
void Resolver::check_listed(const TermSyntax& term, DomainId id, bool is_class) {
  const Domain& domain = domains_[id];
  const auto constant = canonical_constant(domain.type, term.text);
  if (!domain.closed || !constant) return;
  const auto& listed = domain.constants;
  if (std::find(listed.begin(), listed.end(), *constant) != listed.end()) return;
  Diagnostic& added = reporter_.error(
      is_class ? DiagnosticCode::kUnknownClass : DiagnosticCode::kUnknownConstant,
      term.range,
      fmt::format("`{}` is no {}{}", term.text, is_class ? "class of " : "", domain.name));
  suggest_name(added, *constant, {listed.begin(), listed.end()});
  if (!added.notes.empty()) return;
  added.notes.push_back(
      {fmt::format("there are {} of them, and all are listed", listed.size()), {}});
}

// ---- Resolution -------------------------------------------------------------------------------

Term Resolver::term(const TermSyntax& syntax, DomainId domain) {
  if (syntax.kind != TermSyntaxKind::kConstant) return variable(syntax.text, syntax.range);
  return canonical_constant(domains_[domain].type, syntax.text).value_or(syntax.text);
}

Atom Resolver::atom(const Expression& expression) {
  Atom atom;
  atom.predicate = find(expression);
  for (std::size_t i = 0; i < expression.terms.size(); ++i) {
    const bool resolved = atom.predicate != kUnresolved;
    const DomainId domain = resolved ? predicates_[atom.predicate].domain(i) : 0;
    atom.arguments.push_back(term(expression.terms[i], domain));
  }
  return atom;
}

std::optional<DomainId> Resolver::domain(const TermSyntax& term) const {
  if (term.kind == TermSyntaxKind::kConstant) return std::nullopt;
  const auto found = find_variable(term.text);
  return found ? uses_[*found].domain : std::nullopt;
}

Comparison Resolver::comparison(const Expression& expression) {
  const TermSyntax& left = expression.terms[0];
  const TermSyntax& right = expression.terms[1];
  const auto left_domain = domain(left), right_domain = domain(right);
  if (left_domain && right_domain && *left_domain != *right_domain) {
    reporter_.error(DiagnosticCode::kVariableType,
                    expression.range,
                    fmt::format("`{}` is {} and `{}` is {}: they cannot be compared",
                                left.text,
                                describe(*left_domain),
                                right.text,
                                describe(*right_domain)));
  }
  const DomainId common = left_domain.value_or(right_domain.value_or(0));
  for (const auto& [side, other] : {std::pair(&left, &right), std::pair(&right, &left)}) {
    if (side->kind != TermSyntaxKind::kConstant) continue;
    check_constant(*side, common, "`" + other->text + "`");
    check_listed(*side, common, false);
  }
  return {expression.comparison, common, term(left, common), term(right, common)};
}

Formula Resolver::quantified(const Expression& expression) {
  Formula result;
  result.kind =
      expression.kind == ExpressionKind::kForall ? FormulaKind::kForall : FormulaKind::kExists;
  const std::size_t outside = scope_.size();
  for (const TermSyntax& term : expression.terms) {
    const VariableId id = quantified_at_.at(term.range.begin);
    scope_.push_back(id);
    // Of a variable that nothing uses nobody knows the domain, and it would change nothing.
    if (uses_[id].domain || uses_[id].compared) result.quantified.push_back(id);
  }
  Formula operand = formula(expression.operands[0]);
  scope_.resize(outside);
  if (result.quantified.empty()) return operand;
  result.operands.push_back(std::move(operand));
  return result;
}

Formula Resolver::formula(const Expression& expression) {
  Formula result;
  switch (expression.kind) {
    case ExpressionKind::kAtom:
      result.atom = atom(expression);
      return result;
    case ExpressionKind::kComparison:
      result.kind = FormulaKind::kComparison;
      result.comparison = comparison(expression);
      return result;
    case ExpressionKind::kIff:
      result.kind = FormulaKind::kIff;
      break;
    case ExpressionKind::kImplies:
      result.kind = FormulaKind::kImplies;
      break;
    case ExpressionKind::kOr:
      result.kind = FormulaKind::kOr;
      break;
    case ExpressionKind::kAnd:
      result.kind = FormulaKind::kAnd;
      break;
    case ExpressionKind::kForall:
    case ExpressionKind::kExists:
      return quantified(expression);
    default:
      result.kind = FormulaKind::kNot;  // the classifier lets nothing else through
  }
  const bool flat = result.kind == FormulaKind::kAnd || result.kind == FormulaKind::kOr;
  for (const Expression& operand : expression.operands) {
    Formula part = formula(operand);
    if (flat && part.kind == result.kind) {
      for (Formula& nested : part.operands) result.operands.push_back(std::move(nested));
    } else {
      result.operands.push_back(std::move(part));
    }
  }
  return result;
}

}  // namespace sorites::lang
