#include "lang/mln/resolver.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sorites::markov {
namespace {

class Resolver {
 public:
  Resolver(const FormulaSyntax& syntax, Vocabulary& vocabulary, Diagnostics& sink)
      : syntax_(syntax), vocabulary_(vocabulary), sink_(sink) {}

  std::optional<ResolvedFormula> run() {
    result_.syntax = &syntax_;
    for (const TermSyntax& variable : syntax_.quantified) number(variable);
    collect(syntax_.expression);
    if (num_errors_ > 0) return std::nullopt;
    while (spread_domains(syntax_.expression)) {
    }
    check_variables();
    if (num_errors_ > 0) return std::nullopt;
    result_.expression = build(syntax_.expression);
    if (num_errors_ > 0) return std::nullopt;
    return std::move(result_);
  }

 private:
  Diagnostic& error(DiagnosticCode code, TextRange at, std::string message) {
    ++num_errors_;
    return sink_.error(code, *syntax_.source, at, std::move(message));
  }
  Span locate(TextRange at) const { return syntax_.source->locate(at); }

  std::uint32_t number(const TermSyntax& term) {
    const std::uint32_t index = variable_names_.add(term.text);
    auto& variables = result_.variables;
    if (index == variables.size()) variables.push_back({term.text, term.range});
    variables[index].plus = variables[index].plus || term.plus;
    return index;
  }

  // Whether the class stands as the last argument, as Alchemy writes it.
  static bool class_is_last(const PredicateEntry& predicate, const Expression& atom) {
    return predicate.functional && atom.classes.empty() &&
           atom.terms.size() == predicate.arguments.size() + 1;
  }

  // First pass: the variables in order, and what the arguments say about their domains.
  void collect(const Expression& expression) {
    for (const Expression& operand : expression.operands) collect(operand);
    if (expression.kind == ExpressionKind::kEquality) {
      for (const TermSyntax& term : expression.terms) {
        if (term.is_variable) number(term);
      }
    }
    if (expression.kind == ExpressionKind::kAtom) collect_atom(expression);
  }

  void collect_atom(const Expression& atom) {
    const auto predicate_number = vocabulary_.find(atom.name);
    if (!predicate_number) {
      ++num_errors_;
      const TextRange name{atom.range.begin, static_cast<std::uint32_t>(atom.name.size())};
      vocabulary_.report_unknown(*syntax_.source, name, atom.name, sink_);
      return;
    }
    const PredicateEntry& predicate = vocabulary_.predicates()[*predicate_number];
    const bool class_last = class_is_last(predicate, atom);
    if (atom.terms.size() != predicate.arguments.size() + (class_last ? 1 : 0)) {
      error(DiagnosticCode::kWrongArity,
            atom.range,
            fmt::format("`{}` has {} argument{}, not {}",
                        predicate.name,
                        predicate.arguments.size(),
                        predicate.arguments.size() == 1 ? "" : "s",
                        atom.terms.size()))
          .notes.push_back({"declared here", predicate.place});
      return;
    }
    if (!check_classes(predicate, atom, class_last)) return;
    for (std::size_t k = 0; k < predicate.arguments.size(); ++k) {
      set_domain(atom.terms[k], *predicate.arguments[k], false);
    }
    if (class_last) set_domain(atom.terms.back(), *predicate.classes, true);
    for (const TermSyntax& name : atom.classes) set_domain(name, *predicate.classes, true);
  }

  bool check_classes(const PredicateEntry& predicate, const Expression& atom, bool class_last) {
    if (predicate.classes == nullptr && !atom.classes.empty()) {
      error(DiagnosticCode::kUnknownClass,
            atom.range,
            fmt::format("`{}` has no classes: its atoms are true or false", predicate.name))
          .notes.push_back({"declared here", predicate.place});
      return false;
    }
    if (predicate.classes != nullptr && atom.classes.empty() && !class_last) {
      error(
          DiagnosticCode::kUnknownClass,
          atom.range,
          fmt::format("`{}` has classes, so its atoms are neither true nor false", predicate.name))
          .notes.push_back({fmt::format("say which class: `{}(...) = {}`",
                                        predicate.name,
                                        predicate.classes->constants.size() == 0
                                            ? "C"
                                            : predicate.classes->constants[0]),
                            {}});
      return false;
    }
    return true;
  }

  void set_domain(const TermSyntax& term, Domain& domain, bool is_class) {
    if (!term.is_variable) return;
    FormulaVariable& variable = result_.variables[number(term)];
    variable.is_class = variable.is_class || is_class;
    if (variable.domain == nullptr) {
      variable.domain = &domain;
      variable.domain_place = term.range;
    } else if (variable.domain != &domain) {
      error(DiagnosticCode::kVariableType,
            term.range,
            fmt::format("`{}` is a {} here", term.text, domain.name))
          .notes.push_back(
              {fmt::format("but a {} here", variable.domain->name), locate(variable.domain_place)});
    }
  }

  // Second pass, until nothing changes: `x = y` gives y the domain of x. True if something changed.
  bool spread_domains(const Expression& expression) {
    bool changed = false;
    for (const Expression& operand : expression.operands) {
      changed = spread_domains(operand) || changed;
    }
    if (expression.kind != ExpressionKind::kEquality) return changed;
    for (const int from : {0, 1}) {
      const TermSyntax &known = expression.terms[static_cast<std::size_t>(from)],
                       &open = expression.terms[static_cast<std::size_t>(1 - from)];
      if (!known.is_variable || !open.is_variable) continue;
      const FormulaVariable& given = result_.variables[number(known)];
      FormulaVariable& taking = result_.variables[number(open)];
      if (given.domain == nullptr || taking.domain != nullptr) continue;
      taking.domain = given.domain;
      taking.domain_place = open.range;
      changed = true;
    }
    return changed;
  }

  void check_variables() {
    for (FormulaVariable& variable : result_.variables) {
      if (variable.domain != nullptr) {
        variable.is_class = variable.is_class || !variable.domain->is_type;
        continue;
      }
      error(DiagnosticCode::kUnboundVariable,
            variable.place,
            fmt::format("no atom says of what type `{}` is", variable.name));
    }
  }

  ResolvedExpression build(const Expression& expression) {
    ResolvedExpression result;
    result.kind = expression.kind;
    for (const Expression& operand : expression.operands) {
      result.operands.push_back(build(operand));
    }
    if (expression.kind == ExpressionKind::kAtom) build_atom(expression, result);
    if (expression.kind == ExpressionKind::kEquality) build_equality(expression, result);
    return result;
  }

  void build_atom(const Expression& atom, ResolvedExpression& result) {
    result.predicate = *vocabulary_.find(atom.name);
    const PredicateEntry& predicate = vocabulary_.predicates()[result.predicate];
    for (std::size_t k = 0; k < predicate.arguments.size(); ++k) {
      result.terms.push_back(term(atom.terms[k], *predicate.arguments[k]));
    }
    if (class_is_last(predicate, atom)) {
      result.classes.push_back(term(atom.terms.back(), *predicate.classes));
    }
    for (const TermSyntax& name : atom.classes) {
      result.classes.push_back(term(name, *predicate.classes));
    }
  }

  // Two constants are of any type: they are equal or not. They become the kAnd of nothing, which is
  // true, or the kOr of nothing.
  void build_equality(const Expression& equality, ResolvedExpression& result) {
    const TermSyntax &left = equality.terms[0], &right = equality.terms[1];
    if (!left.is_variable && !right.is_variable) {
      result.kind = left.text == right.text ? ExpressionKind::kAnd : ExpressionKind::kOr;
      return;
    }
    const TermSyntax& variable = left.is_variable ? left : right;
    result.domain = result_.variables[number(variable)].domain;
    for (const TermSyntax& side : equality.terms) {
      if (side.is_variable && result_.variables[number(side)].domain != result.domain) {
        set_domain(side, *result.domain, false);  // reports the two types
        return;
      }
      result.terms.push_back(term(side, *result.domain));
    }
  }

  MarkovTerm term(const TermSyntax& syntax, Domain& domain) {
    if (syntax.is_variable) return {false, number(syntax)};
    const auto known = domain.constants.find(syntax.text);
    if (known) return {true, *known};
    if (domain.declared) {
      ++num_errors_;
      report_not_listed(*syntax_.source, syntax.range, syntax.text, domain, sink_);
      return {true, 0};
    }
    Diagnostic& added =
        sink_.warning(DiagnosticCode::kUnknownConstant,
                      *syntax_.source,
                      syntax.range,
                      fmt::format("no data mentions the {} `{}`", domain.name, syntax.text));
    suggest_name(added, syntax.text, domain.constants.views());
    return {true, domain.constants.add(syntax.text)};
  }

  const FormulaSyntax& syntax_;
  Vocabulary& vocabulary_;
  Diagnostics& sink_;
  ResolvedFormula result_;
  Names variable_names_;
  std::size_t num_errors_ = 0;
};

}  // namespace

std::optional<ResolvedFormula> resolve(const FormulaSyntax& syntax,
                                       Vocabulary& vocabulary,
                                       Diagnostics& sink) {
  return Resolver(syntax, vocabulary, sink).run();
}

}  // namespace sorites::markov
