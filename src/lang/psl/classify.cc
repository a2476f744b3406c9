#include "lang/psl/classify.h"

#include <fmt/format.h>

#include <string>

namespace sorites::lang {
namespace {

bool is_formula(ExpressionKind kind) {
  return is_logical(kind) || kind == ExpressionKind::kAtom || kind == ExpressionKind::kComparison;
}

bool is_term_of_sum(ExpressionKind kind) {
  return !is_logical(kind) && kind != ExpressionKind::kRelation;
}

// The first part, in the order of the text, that is not of the wanted kind.
template <class Wanted>
const Expression* find_misfit(const Expression& expression, Wanted wanted) {
  if (!wanted(expression.kind)) return &expression;
  for (const Expression& operand : expression.operands) {
    if (const Expression* misfit = find_misfit(operand, wanted)) return misfit;
  }
  return nullptr;
}

// Names and constants that stand alone, for which the predicates tell what was meant.
bool report_lone_terms(const Expression& expression,
                       const PredicateIndex& predicates,
                       Reporter& reporter) {
  bool found = false;
  if (expression.kind == ExpressionKind::kLoneTerm) {
    const TermSyntax& term = expression.terms[0];
    const auto id = predicates.find(term.text);
    if (term.kind == TermSyntaxKind::kConstant) {
      reporter.error(DiagnosticCode::kSyntax,
                     expression.range,
                     fmt::format("the constant {} stands alone", reporter.slice(expression.range)),
                     "constants are arguments of atoms, or compared with `==` and the like");
    } else if (id) {
      const Predicate& predicate = predicates[*id];
      reporter.error(DiagnosticCode::kSyntax,
                     expression.range,
                     fmt::format("predicate `{}` stands without its arguments", predicate.name),
                     fmt::format("an atom looks like `{}({})`",
                                 predicate.name,
                                 predicate.arity() == 1   ? "A"
                                 : predicate.arity() == 2 ? "A, B"
                                                          : "A, B, ..."));
    } else {
      reporter.error(DiagnosticCode::kSyntax,
                     expression.range,
                     fmt::format("variable `{}` stands alone", term.text),
                     fmt::format("compare it, as in `{0} == B`, or give it arguments if it is a "
                                 "predicate: `{0}(...)`",
                                 term.text));
    }
    found = true;
  }
  for (const Expression& operand : expression.operands) {
    found = report_lone_terms(operand, predicates, reporter) || found;
  }
  return found;
}

// What to point at: the operator of an operation, all of anything else.
TextRange mark_of(const Expression& expression) {
  return expression.operands.empty() || expression.operator_range.length == 0 ||
                 expression.juxtaposed
             ? expression.range
             : expression.operator_range;
}

constexpr std::string_view kHowToNegate = "write 1 - P(A) for the negation of P(A)";

// `misfit` is arithmetic, and the operator of `root` is logic.
void report_arithmetic_in_logic(const Expression& misfit,
                                const Expression& root,
                                Reporter& reporter) {
  const bool negated_sum =
      root.kind == ExpressionKind::kNot && misfit.kind == ExpressionKind::kRelation;
  Diagnostic& added = reporter.error(
      DiagnosticCode::kMixedRule,
      mark_of(misfit),
      fmt::format("`{}` is arithmetic, but `{}` makes this a logical rule",
                  reporter.slice(mark_of(misfit)),
                  reporter.slice(mark_of(root))),
      negated_sum ? std::string(kHowToNegate)
                  : "a logical rule is made of atoms and comparisons; an arithmetic rule relates "
                    "two sums with `=`, `<=` or `>=`");
  added.notes.push_back({fmt::format("`{}` stands here", reporter.slice(mark_of(root))),
                         reporter.locate(mark_of(root))});
}

// `misfit` is logic or a relation, inside the relation that is `root`.
void report_misfit_in_sum(const Expression& misfit, const Expression& root, Reporter& reporter) {
  const bool logic = is_logical(misfit.kind);
  Diagnostic& added = reporter.error(
      DiagnosticCode::kMixedRule,
      mark_of(misfit),
      logic ? fmt::format("`{}` is logic, but `{}` makes this an arithmetic rule",
                          reporter.slice(mark_of(misfit)),
                          reporter.slice(mark_of(root)))
            : "a relation inside a relation",
      misfit.kind == ExpressionKind::kNot ? std::string(kHowToNegate)
      : logic ? "an arithmetic rule relates two sums of atoms; write the logic as a rule of its own"
              : "write two rules, one for each relation");
  added.notes.push_back({fmt::format("`{}` stands here", reporter.slice(mark_of(root))),
                         reporter.locate(mark_of(root))});
}

bool check_logical(const Expression& expression, Reporter& reporter) {
  const Expression* misfit = find_misfit(expression, is_formula);
  if (misfit == nullptr) return true;
  if (!is_logical(expression.kind)) {
    const TextRange end{expression.range.end() - 1, 1};
    reporter.error(DiagnosticCode::kSyntax,
                   end,
                   "expected `=`, `<=` or `>=` after this sum",
                   "an arithmetic rule relates two sums, as in `P(A) + Q(A) <= 1`");
    return false;
  }
  report_arithmetic_in_logic(*misfit, expression, reporter);
  return false;
}

}  // namespace

std::optional<RuleKind> classify(const Expression& expression,
                                 const PredicateIndex& predicates,
                                 Reporter& reporter) {
  if (report_lone_terms(expression, predicates, reporter)) return std::nullopt;
  if (expression.kind != ExpressionKind::kRelation) {
    return check_logical(expression, reporter) ? std::optional(RuleKind::kLogical) : std::nullopt;
  }
  for (const Expression& side : expression.operands) {
    if (const Expression* misfit = find_misfit(side, is_term_of_sum)) {
      report_misfit_in_sum(*misfit, expression, reporter);
      return std::nullopt;
    }
  }
  return RuleKind::kArithmetic;
}

bool check_formula(const Expression& condition,
                   const PredicateIndex& predicates,
                   Reporter& reporter) {
  if (report_lone_terms(condition, predicates, reporter)) return false;
  const Expression* misfit =
      find_misfit(condition, [](ExpressionKind kind) { return !is_quantifier(kind); });
  if (misfit != nullptr) {
    reporter.error(DiagnosticCode::kSyntax,
                   mark_of(*misfit),
                   "a quantifier in a filter",
                   "the condition of a filter is about the values of one variable; write it "
                   "without quantifiers");
    return false;
  }
  misfit = find_misfit(condition, is_formula);
  if (misfit == nullptr) return true;
  reporter.error(DiagnosticCode::kMixedRule,
                 mark_of(*misfit),
                 "arithmetic in a filter",
                 "the condition of a filter is made of atoms and comparisons");
  return false;
}

}  // namespace sorites::lang
