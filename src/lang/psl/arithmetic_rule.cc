#include "lang/psl/arithmetic_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "lang/psl/linear.h"

namespace sorites::lang {
namespace {

// Where the variables of an arithmetic rule stand, and the checks that follow from it.
class VariableChecker {
 public:
  VariableChecker(Resolver& resolver, Reporter& reporter)
      : resolver_(resolver), reporter_(reporter) {}

  void check(const RuleSyntax& syntax) {
    places_.resize(resolver_.variables().size());
    collect(syntax.expression);
    mark_summed();
    check_cardinalities(syntax.expression);
    for (const FilterSyntax& filter : syntax.filters) check_filter(filter);
    check_bound();
  }

 private:
  struct Places {
    std::vector<TextRange> summed, in_atoms, compared;
  };

  Places& places(const TermSyntax& term) {
    return places_[resolver_.variable(term.text, term.range)];
  }

  void collect(const Expression& expression) {
    const bool comparison = expression.kind == ExpressionKind::kComparison;
    has_atom_ = has_atom_ || expression.kind == ExpressionKind::kAtom;
    for (const TermSyntax& term : expression.terms) {
      if (term.kind == TermSyntaxKind::kConstant) continue;
      Places& here = places(term);
      (term.kind == TermSyntaxKind::kSummation ? here.summed
       : comparison                            ? here.compared
                                               : here.in_atoms)
          .push_back(term.range);
    }
    for (const Expression& operand : expression.operands) collect(operand);
  }

  void mark_summed() {
    for (VariableId v = 0; v < places_.size(); ++v) {
      const auto& [summed, in_atoms, compared] = places_[v];
      if (summed.empty()) continue;
      Variable& variable = resolver_.variables()[v];
      variable.summed = true;
      if (summed.size() > 1) {
        Diagnostic& added =
            reporter_.error(DiagnosticCode::kSummationRepeated,
                            summed[1],
                            fmt::format("summation variable `+{}` stands twice", variable.name),
                            "each sum needs a variable of its own");
        added.notes.push_back({"it stands here first", reporter_.locate(summed[0])});
      }
      if (in_atoms.empty() && compared.empty()) continue;
      const TextRange ordinary = in_atoms.empty() ? compared[0] : in_atoms[0];
      Diagnostic& added = reporter_.error(
          DiagnosticCode::kSummationAlsoOrdinary,
          ordinary,
          fmt::format("`{0}` is summed over as `+{0}`, so it has no value here", variable.name),
          "rename one of them; to restrict a sum, use a filter {V: condition}");
      added.notes.push_back({"it is summed over here", reporter_.locate(summed[0])});
    }
  }

  std::vector<std::string_view> summed_names() const {
    std::vector<std::string_view> names;
    for (const Variable& variable : resolver_.variables()) {
      if (variable.summed) names.push_back(variable.name);
    }
    return names;
  }

  bool is_summed(const std::string& name) const {
    const auto names = summed_names();
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  // For |V| and {V: ...}: what V should have been.
  void suggest_summation(Diagnostic& added, const std::string& name) const {
    const auto names = summed_names();
    if (names.empty()) {
      added.notes.push_back({fmt::format("sum over it in an atom: `+{}`", name), {}});
    } else if (names.size() == 1) {
      added.notes.push_back({fmt::format("the rule sums over `+{}` only", names[0]), {}});
    } else {
      suggest_name(added, name, names);
    }
  }

  void check_cardinalities(const Expression& expression) {
    if (expression.kind == ExpressionKind::kCardinality && !is_summed(expression.name)) {
      Diagnostic& added = reporter_.error(
          DiagnosticCode::kCardinalityWithoutSummation,
          expression.range,
          fmt::format("`|{0}|` counts the values of `+{0}`, which the rule does not have",
                      expression.name));
      suggest_summation(added, expression.name);
    }
    for (const Expression& operand : expression.operands) check_cardinalities(operand);
  }

  void check_filter(const FilterSyntax& filter) {
    const std::string& name = filter.variable.text;
    if (!is_summed(name)) {
      Diagnostic& added =
          reporter_.error(DiagnosticCode::kFilterWithoutSummation,
                          filter.variable.range,
                          fmt::format("the filter is for `{0}`, but the rule has no `+{0}`", name));
      suggest_summation(added, name);
    } else if (std::find(filtered_.begin(), filtered_.end(), name) != filtered_.end()) {
      reporter_.error(DiagnosticCode::kFilterRepeated,
                      filter.variable.range,
                      fmt::format("a second filter for `+{}`", name),
                      "join the conditions with `&` in one filter");
    }
    filtered_.push_back(name);
    check_condition(filter.condition, name);
  }

  void check_condition(const Expression& expression, const std::string& filtered) {
    if (expression.kind == ExpressionKind::kAtom) {
      const Predicate* predicate = resolver_.predicate(resolver_.atom(expression).predicate);
      if (predicate != nullptr && predicate->open) {
        reporter_.error(DiagnosticCode::kFilterOpenPredicate,
                        expression.operator_range,
                        fmt::format("`{}` is open, so a filter cannot use it", predicate->name),
                        "filters choose by what is known: use a predicate without targets");
      }
    }
    for (const TermSyntax& term : expression.terms) check_filter_term(term, filtered);
    for (const Expression& operand : expression.operands) check_condition(operand, filtered);
  }

  void check_filter_term(const TermSyntax& term, const std::string& filtered) {
    if (term.kind == TermSyntaxKind::kConstant) return;
    if (term.kind == TermSyntaxKind::kSummation) {
      reporter_.error(DiagnosticCode::kSummationInLogicalRule,
                      term.range,
                      fmt::format("`+{}` in a filter: only the rule itself sums", term.text),
                      fmt::format("write `{}`", term.text));
      return;
    }
    const Places& here = places(term);
    if (term.text == filtered || !here.in_atoms.empty()) return;
    if (!here.summed.empty()) {
      reporter_.error(
          DiagnosticCode::kFilterUnboundVariable,
          term.range,
          fmt::format(
              "`{}` is summed over, so it has no value in the filter of `{}`", term.text, filtered),
          "a filter may use its own variable and the ordinary variables of the rule");
      return;
    }
    Diagnostic& added = reporter_.error(
        DiagnosticCode::kFilterUnboundVariable,
        term.range,
        fmt::format("variable `{}` of the filter stands in no atom of the rule", term.text));
    Resolver::suggest_variable(added, term.text, usable_in_filter(filtered));
    if (added.notes.empty()) {
      added.notes.push_back(
          {"a filter may use its own variable and the ordinary variables of the rule", {}});
    }
  }

  std::vector<std::string_view> usable_in_filter(const std::string& filtered) const {
    std::vector<std::string_view> names;
    for (VariableId v = 0; v < places_.size(); ++v) {
      const std::string& name = resolver_.variables()[v].name;
      if (name == filtered || !places_[v].in_atoms.empty()) names.push_back(name);
    }
    return names;
  }

  void check_bound() {
    if (!has_atom_) return;  // that is told already
    for (VariableId v = 0; v < places_.size(); ++v) {
      const auto& [summed, in_atoms, compared] = places_[v];
      if (compared.empty() || !in_atoms.empty() || !summed.empty()) continue;
      const std::string& name = resolver_.variables()[v].name;
      Diagnostic& added = reporter_.error(DiagnosticCode::kUnboundVariable,
                                          compared[0],
                                          fmt::format("variable `{}` is bound by no atom", name));
      Resolver::suggest_variable(added, name, usable_in_filter({}));
      if (added.notes.empty()) {
        added.notes.push_back({fmt::format("only atoms give values; add one with `{}`", name), {}});
      }
    }
  }

  Resolver& resolver_;
  Reporter& reporter_;
  std::vector<Places> places_;         // per variable, in the expression; not in filters
  std::vector<std::string> filtered_;  // variables with a filter so far
  bool has_atom_ = false;
};

bool has_atom(const std::vector<Summand>& side) {
  return std::any_of(
      side.begin(), side.end(), [](const Summand& summand) { return summand.atom.has_value(); });
}

}  // namespace

ArithmeticRule check_arithmetic_rule(const RuleSyntax& syntax,
                                     Resolver& resolver,
                                     Reporter& reporter) {
  VariableChecker(resolver, reporter).check(syntax);
  const std::size_t errors = reporter.num_errors();
  Linearizer linearizer(resolver, reporter);
  ArithmeticRule rule;
  rule.op = syntax.expression.relation;
  rule.left = linearizer.side(syntax.expression.operands[0]);
  rule.right = linearizer.side(syntax.expression.operands[1]);
  rule.conditions = std::move(linearizer.conditions());
  if (!has_atom(rule.left) && !has_atom(rule.right) && reporter.num_errors() == errors) {
    reporter.error(DiagnosticCode::kNoAtom,
                   syntax.expression.range,
                   "the rule has no atom: there is nothing to infer",
                   "an arithmetic rule relates sums of atoms, as in `P(A) + Q(A) <= 1`");
  }
  for (const FilterSyntax& filter : syntax.filters) {
    rule.filters.push_back({resolver.variable(filter.variable.text, filter.variable.range),
                            resolver.formula(filter.condition)});
  }
  return rule;
}

}  // namespace sorites::lang
