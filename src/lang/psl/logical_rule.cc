#include "lang/psl/logical_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "lang/clause_form.h"
#include "lang/clauses.h"
#include "lang/printer.h"

namespace sorites::lang {
namespace {

void report_summations(const Expression& expression, Reporter& reporter) {
  for (const TermSyntax& term : expression.terms) {
    if (term.kind != TermSyntaxKind::kSummation) continue;
    reporter.error(DiagnosticCode::kSummationInLogicalRule,
                   term.range,
                   fmt::format("`+{}` in a logical rule: only arithmetic rules sum", term.text),
                   fmt::format("write `{}`, which stands for each value in turn", term.text));
  }
  for (const Expression& operand : expression.operands) report_summations(operand, reporter);
}

void report_filters(const RuleSyntax& syntax, Reporter& reporter) {
  for (const FilterSyntax& filter : syntax.filters) {
    reporter.error(DiagnosticCode::kFilterOnLogicalRule,
                   filter.range,
                   "a filter on a logical rule: only summation variables have filters",
                   "add the condition to the body of the rule");
  }
}

// How the atoms of a clause mention a variable.
struct Mentions {
  bool bound = false;
  const Predicate* closed_head = nullptr;  // a closed predicate of a literal that is not negated
};

Mentions mentions(const Clause& clause, VariableId variable, const Resolver& resolver) {
  Mentions result;
  for (const auto& [atom, negated] : clause.atoms) {
    const auto& arguments = atom.arguments;
    if (std::find(arguments.begin(), arguments.end(), Term(variable)) == arguments.end()) continue;
    const Predicate* predicate = resolver.predicate(atom.predicate);
    if (negated || predicate == nullptr || predicate->open) {
      result.bound = true;
    } else {
      result.closed_head = predicate;
    }
  }
  return result;
}

// The variables of a clause that no quantifier binds, in the order of the text.
class FreeVariables {
 public:
  std::vector<VariableId> of(const QuantifiedClause& clause) {
    for (const auto& literal : clause.plain.atoms) add(literal.what);
    for (const auto& literal : clause.plain.comparisons) add(literal.what);
    for (const ExistentialLiteral& existential : clause.existentials) {
      hidden_ = &existential.variables;
      add(existential.literal.what);
      add(existential.guard);
      hidden_ = nullptr;
    }
    return std::move(found_);
  }

 private:
  void add(const Term& term) {
    const auto* variable = std::get_if<VariableId>(&term);
    if (variable == nullptr) return;
    const auto has = [&](const std::vector<VariableId>& list) {
      return std::find(list.begin(), list.end(), *variable) != list.end();
    };
    if (!has(found_) && (hidden_ == nullptr || !has(*hidden_))) found_.push_back(*variable);
  }
  void add(const Atom& atom) {
    for (const Term& argument : atom.arguments) add(argument);
  }
  void add(const Comparison& comparison) {
    add(comparison.left);
    add(comparison.right);
  }
  void add(const Formula& guard) {
    if (guard.kind == FormulaKind::kAtom) add(guard.atom);
    if (guard.kind == FormulaKind::kComparison) add(guard.comparison);
    for (const Formula& operand : guard.operands) add(operand);
  }

  std::vector<VariableId> found_;
  const std::vector<VariableId>* hidden_ = nullptr;
};

bool is_resolved(const QuantifiedClause& clause) {
  const auto unresolved = [](const Literal<Atom>& literal) {
    return literal.what.predicate == kUnresolved;
  };
  return clause.existentials.empty() &&
         std::none_of(clause.plain.atoms.begin(), clause.plain.atoms.end(), unresolved);
}

// The checks of a rule, clause by clause.
class ClauseChecker {
 public:
  ClauseChecker(const RuleSyntax& syntax,
                const Program& program,
                Resolver& resolver,
                Reporter& reporter)
      : syntax_(syntax),
        program_(program),
        resolver_(resolver),
        reporter_(reporter),
        reported_(resolver.variables().size(), false) {}

  void check(const ClauseForm& form) {
    several_ = form.clauses.size() > 1;
    for (const VariableId variable : form.universal) reported_[variable] = true;  // never unbound
    for (const QuantifiedClause& clause : form.clauses) {
      if (clause.plain.atoms.empty() && clause.existentials.empty()) {
        report_no_atom(clause.plain);
        continue;
      }
      for (const VariableId variable : FreeVariables().of(clause)) check(clause, variable);
    }
  }

 private:
  void check(const QuantifiedClause& clause, VariableId variable) {
    const auto [bound, closed_head] = mentions(clause.plain, variable, resolver_);
    if (bound || reported_[variable]) return;
    reported_[variable] = true;
    const std::string& name = resolver_.variables()[variable].name;
    Diagnostic& added = reporter_.error(DiagnosticCode::kUnboundVariable,
                                        resolver_.first_use(variable),
                                        fmt::format("variable `{}` is bound by no atom", name));
    std::vector<std::string_view> others = resolver_.variable_names();
    others.erase(others.begin() + variable);
    if (closed_head == nullptr) Resolver::suggest_variable(added, name, others);
    if (several_ && is_resolved(clause)) {
      added.notes.push_back({"the rule says, among other things: " + text(clause.plain), {}});
    }
    if (closed_head != nullptr) {
      added.notes.push_back(
          {fmt::format(
               "`{0}` is closed: in a head, or negated, it gives `{1}` no values; add an atom "
               "with `{1}` to the body",
               closed_head->name,
               name),
           {}});
    } else if (added.notes.empty() || !clause.existentials.empty()) {
      added.notes.push_back({fmt::format("add an atom with `{}` to the body", name), {}});
    }
    if (!clause.existentials.empty()) {
      added.notes.push_back(
          {fmt::format("or write `forall {0}:` in front, if the rule is meant for all constants of "
                       "its domain: what stands under `exists` binds nothing",
                       name),
           {}});
    }
  }

  void report_no_atom(const Clause& clause) {
    if (!several_) {
      reporter_.error(DiagnosticCode::kNoAtom,
                      syntax_.expression.range,
                      "the rule has no atom: there is nothing to infer",
                      "comparisons only restrict the atoms of a rule");
      return;
    }
    reporter_.error(
        DiagnosticCode::kNoAtom,
        syntax_.expression.range,
        fmt::format("the rule says `{}`, which has no atom", text(clause)),
        "comparisons only restrict the atoms of a rule; put them in a body, before `->`");
  }

  std::string text(const Clause& clause) const {
    Rule rule;
    rule.variables = resolver_.variables();
    return lang::to_text(clause, rule, program_);
  }

  const RuleSyntax& syntax_;
  const Program& program_;
  Resolver& resolver_;
  Reporter& reporter_;
  std::vector<bool> reported_;  // per variable
  bool several_ = false;
};

std::size_t num_literals(const Formula& formula) {
  std::size_t count = formula.operands.empty() ? 1 : 0;
  for (const Formula& operand : formula.operands) count += num_literals(operand);
  return count;
}

}  // namespace

std::optional<LogicalRule> check_logical_rule(const RuleSyntax& syntax,
                                              const Program& program,
                                              Resolver& resolver,
                                              Reporter& reporter) {
  report_summations(syntax.expression, reporter);
  report_filters(syntax, reporter);
  LogicalRule rule{resolver.formula(syntax.expression)};
  // Checks compare literals with each other, and joins go as deep as there are variables.
  constexpr std::size_t kMostLiterals = 10'000;
  if (num_literals(rule.formula) > kMostLiterals) {
    reporter.error(DiagnosticCode::kTooManyClauses,
                   syntax.expression.range,
                   fmt::format("the formula has more than {} literals", kMostLiterals),
                   "split it into several rules");
    return std::nullopt;
  }
  const ClauseFormResult result = clause_form(rule.formula, program.predicates);
  if (result.too_many_clauses) {
    reporter.error(
        DiagnosticCode::kTooManyClauses,
        syntax.expression.range,
        fmt::format("the formula has more than {} clauses in conjunctive normal form", kMaxClauses),
        "split it into several rules");
    return std::nullopt;
  }
  // Shapes that a semantics cannot take are its to refuse; without clauses there is nothing to
  // check.
  if (!result.form) return rule;
  if (result.form->clauses.empty()) {
    reporter.warning(DiagnosticCode::kAlwaysSatisfied,
                     syntax.range,
                     "the rule is true by its form and has no effect; it is left out");
    return std::nullopt;
  }
  ClauseChecker(syntax, program, resolver, reporter).check(*result.form);
  return rule;
}

}  // namespace sorites::lang
