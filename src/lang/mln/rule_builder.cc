#include "lang/mln/rule_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/constant.h"
#include "lang/mln/rename_variables.h"

namespace sorites::markov {
namespace {

constexpr std::uint64_t kMostRuleWeights = std::uint64_t{1} << 24U;  // 128 MB of weights

// Predicates and functions that Alchemy computes.
constexpr std::string_view kAlchemyNames[] = {
    "greaterThan", "lessThan", "greaterThanEq", "lessThanEq", "substr"};

struct RuleVariable {
  std::string name;
  TextRange place;           // where it stands first
  Domain* domain = nullptr;  // none while no atom has said it
  TextRange domain_place;    // the atom that did
  bool plus = false;
};

FormulaKind kind_of(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kIff:
      return FormulaKind::kIff;
    case ExpressionKind::kImplies:
      return FormulaKind::kImplies;
    case ExpressionKind::kOr:
      return FormulaKind::kOr;
    case ExpressionKind::kAnd:
      return FormulaKind::kAnd;
    case ExpressionKind::kNot:
      return FormulaKind::kNot;
    case ExpressionKind::kAtom:
      return FormulaKind::kAtom;
    case ExpressionKind::kEquality:
      return FormulaKind::kComparison;
    case ExpressionKind::kForall:
      return FormulaKind::kForall;
    case ExpressionKind::kExists:
      return FormulaKind::kExists;
  }
  return FormulaKind::kAtom;  // not reached: the switch is complete
}

class RuleBuilder {
 public:
  RuleBuilder(const FormulaSyntax& syntax,
              Vocabulary& vocabulary,
              DataKnown data,
              Diagnostics& sink)
      : syntax_(syntax),
        expression_(rename_variables(syntax)),
        vocabulary_(vocabulary),
        data_(data),
        sink_(sink) {}

  std::optional<DraftRule> run() {
    collect(expression_);
    if (num_errors_ == 0) {
      while (spread_domains(expression_)) {
      }
      check_variables();
    }
    if (num_errors_ > 0) return std::nullopt;
    DraftRule result;
    result.syntax = &syntax_;
    result.rule.body = LogicalRule{build(expression_)};
    if (num_errors_ > 0) return std::nullopt;
    finish(result);
    return result;
  }

 private:
  Diagnostic& error(DiagnosticCode code, TextRange at, std::string message) {
    ++num_errors_;
    return sink_.error(code, *syntax_.source, at, std::move(message));
  }
  Span locate(TextRange at) const { return syntax_.source->locate(at); }

  // The number of a variable; a new one gets the next.
  VariableId find_or_add(const TermSyntax& term) {
    const std::uint32_t index = names_.add(term.text);
    if (index == variables_.size()) variables_.push_back({term.text, term.range});
    variables_[index].plus = variables_[index].plus || term.plus;
    return index;
  }

  // Whether the class stands as the last argument, as Alchemy writes it.
  static bool class_is_last(const PredicateEntry& predicate, const Expression& atom) {
    return predicate.classes != nullptr && atom.classes.empty() &&
           atom.terms.size() == predicate.arguments.size() + 1;
  }

  // First pass: the variables in order, and what the arguments say about their domains.
  void collect(const Expression& expression) {
    for (const TermSyntax& variable : expression.quantified) bound_.insert(variable.text);
    for (const Expression& operand : expression.operands) collect(operand);
    if (expression.kind == ExpressionKind::kEquality) {
      for (const TermSyntax& term : expression.terms) {
        if (term.is_variable) find_or_add(term);
      }
    }
    if (expression.kind == ExpressionKind::kAtom) collect_atom(expression);
    for (const TermSyntax& variable : expression.quantified) find_or_add(variable);
  }

  void collect_atom(const Expression& atom) {
    const auto found = vocabulary_.find(atom.name);
    if (!found) return report_unknown(atom);
    const PredicateEntry& predicate = vocabulary_.predicates()[*found];
    const bool class_last = class_is_last(predicate, atom);
    const std::size_t arity = predicate.arguments.size();
    if (atom.terms.size() != arity + (class_last ? 1 : 0)) {
      error(DiagnosticCode::kWrongArity,
            atom.range,
            fmt::format("`{}` has {} argument{}, not {}",
                        predicate.name,
                        arity,
                        arity == 1 ? "" : "s",
                        atom.terms.size()))
          .notes.push_back({"declared here", predicate.place});
      return;
    }
    if (!check_classes(predicate, atom, class_last)) return;
    for (std::size_t k = 0; k < arity; ++k) set_domain(atom.terms[k], *predicate.arguments[k]);
    if (class_last) set_domain(atom.terms.back(), *predicate.classes);
    for (const TermSyntax& name : atom.classes) set_domain(name, *predicate.classes);
  }

  void report_unknown(const Expression& atom) {
    const TextRange name{atom.range.begin, static_cast<std::uint32_t>(atom.name.size())};
    if (std::find(std::begin(kAlchemyNames), std::end(kAlchemyNames), atom.name) ==
        std::end(kAlchemyNames)) {
      ++num_errors_;
      return vocabulary_.report_unknown(*syntax_.source, name, atom.name, sink_);
    }
    error(DiagnosticCode::kUnknownPredicate,
          name,
          fmt::format("there is no predicate `{}`, which Alchemy computes", atom.name))
        .notes.push_back(
            {"declare a closed predicate, and give the atoms that hold as its facts", {}});
  }

  bool check_classes(const PredicateEntry& predicate, const Expression& atom, bool class_last) {
    if (predicate.classes == nullptr && !atom.classes.empty()) {
      error(DiagnosticCode::kUnknownClass,
            atom.range,
            fmt::format("`{}` has no classes: its atoms are true or false", predicate.name))
          .notes.push_back({"declared here", predicate.place});
      return false;
    }
    if (predicate.classes == nullptr || !atom.classes.empty() || class_last) return true;
    const Constants& classes = predicate.classes->constants;
    error(DiagnosticCode::kUnknownClass,
          atom.range,
          fmt::format("`{}` has classes, so its atoms are neither true nor false", predicate.name))
        .notes.push_back({fmt::format("say which class: `{}(...) = {}`",
                                      predicate.name,
                                      classes.size() == 0 ? "C" : classes[0]),
                          {}});
    return false;
  }

  void set_domain(const TermSyntax& term, Domain& domain) {
    if (!term.is_variable) return;
    RuleVariable& variable = variables_[find_or_add(term)];
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
    for (const std::size_t from : {0U, 1U}) {
      const TermSyntax &known = expression.terms[from], &open = expression.terms[1 - from];
      if (!known.is_variable || !open.is_variable) continue;
      Domain* const given = variables_[find_or_add(known)].domain;
      RuleVariable& taking = variables_[find_or_add(open)];
      if (given == nullptr || taking.domain != nullptr) continue;
      taking.domain = given;
      taking.domain_place = open.range;
      changed = true;
    }
    return changed;
  }

  void check_variables() {
    for (const TermSyntax& variable : syntax_.quantified) find_or_add(variable);
    for (const RuleVariable& variable : variables_) {
      if (variable.domain == nullptr) {
        error(DiagnosticCode::kUnboundVariable,
              variable.place,
              fmt::format("no atom says of what type `{}` is", variable.name));
      } else if (variable.plus && bound_.count(variable.name) != 0) {
        error(DiagnosticCode::kSyntax,
              variable.place,
              fmt::format("`+{}` is bound by a quantifier, so it can have no weights of its own",
                          variable.name));
      }
    }
  }

  Formula build(const Expression& expression) {
    if (expression.kind == ExpressionKind::kAtom) return build_atom(expression);
    Formula result;
    result.kind = kind_of(expression.kind);
    if (expression.kind == ExpressionKind::kEquality) {
      result.comparison = build_equality(expression);
      return result;
    }
    if (result.kind == FormulaKind::kNot &&
        expression.operands[0].kind == ExpressionKind::kEquality) {
      result.kind = FormulaKind::kComparison;
      result.comparison = build_equality(expression.operands[0]);
      result.comparison.op = ComparisonOperator::kNotEqual;
      return result;
    }
    const bool flat = result.kind == FormulaKind::kAnd || result.kind == FormulaKind::kOr;
    for (const Expression& operand : expression.operands) {
      Formula built = build(operand);
      if (flat && built.kind == result.kind) {
        std::move(
            built.operands.begin(), built.operands.end(), std::back_inserter(result.operands));
      } else {
        result.operands.push_back(std::move(built));
      }
    }
    for (const TermSyntax& variable : expression.quantified) {
      result.quantified.push_back(find_or_add(variable));
    }
    return result;
  }

  // `p(x) in {A, B}` is p(x, A) v p(x, B).
  Formula build_atom(const Expression& atom) {
    Formula result;
    result.atom.predicate = *vocabulary_.find(atom.name);
    const PredicateEntry& predicate = vocabulary_.predicates()[result.atom.predicate];
    for (std::size_t k = 0; k < predicate.arguments.size(); ++k) {
      result.atom.arguments.push_back(term(atom.terms[k], *predicate.arguments[k]));
    }
    if (class_is_last(predicate, atom)) {
      result.atom.arguments.push_back(term(atom.terms.back(), *predicate.classes));
    }
    if (atom.classes.empty()) return result;
    Formula either;
    either.kind = FormulaKind::kOr;
    for (const TermSyntax& name : atom.classes) {
      Formula& one = either.operands.emplace_back(result);
      one.atom.arguments.push_back(term(name, *predicate.classes));
    }
    return either.operands.size() == 1 ? std::move(either.operands[0]) : either;
  }

  Comparison build_equality(const Expression& equality) {
    const TermSyntax &left = equality.terms[0], &right = equality.terms[1];
    // Two constants may be of any domain: they are equal or not.
    if (!left.is_variable && !right.is_variable) {
      return {ComparisonOperator::kEqual, 0, left.text, right.text};
    }
    Domain& domain = *variables_[find_or_add(left.is_variable ? left : right)].domain;
    Comparison result;
    result.domain = domain.id;
    for (const TermSyntax& side : equality.terms) {
      if (side.is_variable && variables_[find_or_add(side)].domain != &domain) {
        set_domain(side, domain);  // reports the two types
        return result;
      }
    }
    result.left = term(left, domain);
    result.right = term(right, domain);
    return result;
  }

  Term term(const TermSyntax& syntax, Domain& domain) {
    if (syntax.is_variable) return find_or_add(syntax);
    if (!domain.constants.can_be(syntax.text)) {
      ++num_errors_;
      report_bad_constant(*syntax_.source, syntax.range, syntax.text, domain, sink_);
      return syntax.text;
    }
    if (const auto known = domain.constants.find(syntax.text)) return domain.constants[*known];
    if (domain.declared) {
      ++num_errors_;
      report_not_listed(*syntax_.source, syntax.range, syntax.text, domain, sink_);
      return syntax.text;
    }
    if (data_ == DataKnown::kYes) {
      Diagnostic& added =
          sink_.warning(DiagnosticCode::kUnknownConstant,
                        *syntax_.source,
                        syntax.range,
                        fmt::format("no data mentions the {} `{}`", domain.name, syntax.text));
      suggest_name(added, syntax.text, domain.constants.views());
    }
    return domain.constants[domain.constants.add(syntax.text)];
  }

  void finish(DraftRule& result) {
    Rule& rule = result.rule;
    for (const RuleVariable& variable : variables_) {
      rule.variables.push_back({.name = variable.name,
                                .domain = variable.domain->id,
                                .over_domain = true});  // formulas hold for all constants
    }
    const std::string_view text = syntax_.source->text();
    rule.text = one_line(text.substr(syntax_.whole.begin, syntax_.whole.length));
    rule.source = locate(syntax_.whole);
    if (!syntax_.hard) rule.weight = syntax_.weights.empty() ? 0.0 : syntax_.weights[0];
    if (syntax_.hard) return;  // weights of single constants mean nothing
    // In the order of FORALL, then of the formula.
    for (const TermSyntax& variable : syntax_.quantified)
      add_weighted(find_or_add(variable), result);
    for (VariableId v = 0; v < variables_.size(); ++v) add_weighted(v, result);
  }

  void add_weighted(VariableId variable, DraftRule& result) {
    auto& weighted = result.rule.weighted;
    if (!variables_[variable].plus ||
        std::find(weighted.begin(), weighted.end(), variable) != weighted.end()) {
      return;
    }
    weighted.push_back(variable);
    result.weighted_domains.push_back(variables_[variable].domain);
  }

  // A line break with the blanks and comments around it is a blank.
  static std::string one_line(std::string_view text) {
    std::string result;
    char quote = '\0';
    while (!text.empty()) {
      const char c = text[0];
      const bool comment = quote == '\0' && text.starts_with("//");
      if (!comment && c != '\n') {
        if ((c == '"' || c == '\'') && (quote == '\0' || quote == c)) quote = quote == c ? '\0' : c;
        result += c;
        text.remove_prefix(1);
        continue;
      }
      result.resize(result.find_last_not_of(" \t\r") + 1);
      text.remove_prefix(std::min(text.find('\n'), text.size()));
      text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
      if (!text.empty()) result += ' ';
    }
    return result;
  }

  const FormulaSyntax& syntax_;
  Expression expression_;
  Vocabulary& vocabulary_;
  DataKnown data_;
  Diagnostics& sink_;
  std::vector<RuleVariable> variables_;
  Names names_;  // of the variables
  std::set<std::string> bound_;
  std::size_t num_errors_ = 0;
};

// The next combination of constants, the last variable first. False after the last one.
bool next_combination(const std::vector<const Domain*>& domains, std::vector<Code>& codes) {
  for (std::size_t i = codes.size(); i-- > 0;) {
    if (++codes[i] < domains[i]->constants.size()) return true;
    codes[i] = 0;
  }
  return false;
}

// A constant that the data does not have is no mistake: its weight waits for other data.
std::optional<std::string> weighted_constant(const Source& source,
                                             const TermSyntax& term,
                                             const Domain& domain,
                                             Diagnostics& sink) {
  auto constant = domain.constants.canonical(term.text);
  if (!constant) {
    report_bad_constant(source, term.range, term.text, domain, sink);
  } else if (domain.declared && !domain.constants.find(*constant)) {
    report_not_listed(source, term.range, term.text, domain, sink);
    return std::nullopt;
  }
  return constant;
}

std::optional<Rule> with_constant_weights(DraftRule draft, Diagnostics& sink) {
  const FormulaSyntax& syntax = *draft.syntax;
  const std::size_t errors = sink.num_errors();
  const std::size_t num_variables = draft.weighted_domains.size();
  std::set<std::vector<std::string>> seen;
  for (const ConstantWeightSyntax& one : syntax.constant_weights) {
    if (one.constants.size() != num_variables) {
      sink.error(
          DiagnosticCode::kWeightCount,
          *syntax.source,
          one.range,
          fmt::format("a weight for {} constant{}, but the formula has {} variable{} written "
                      "`+v`",
                      one.constants.size(),
                      one.constants.size() == 1 ? "" : "s",
                      num_variables,
                      num_variables == 1 ? "" : "s"));
      continue;
    }
    ConstantWeight added{{}, one.weight};
    for (std::size_t i = 0; i < num_variables; ++i) {
      auto constant =
          weighted_constant(*syntax.source, one.constants[i], *draft.weighted_domains[i], sink);
      if (constant) added.constants.push_back(std::move(*constant));
    }
    if (added.constants.size() < num_variables) continue;
    if (!seen.insert(added.constants).second) {
      sink.error(
          DiagnosticCode::kWeightCount, *syntax.source, one.range, "a second weight for the same");
    }
    draft.rule.constant_weights.push_back(std::move(added));
  }
  if (sink.num_errors() > errors) return std::nullopt;
  return std::move(draft.rule);
}

}  // namespace

std::optional<DraftRule> build_rule(const FormulaSyntax& syntax,
                                    Vocabulary& vocabulary,
                                    DataKnown data,
                                    Diagnostics& sink) {
  return RuleBuilder(syntax, vocabulary, data, sink).run();
}

std::optional<Rule> finish_rule(DraftRule draft, DataKnown data, Diagnostics& sink) {
  const FormulaSyntax& syntax = *draft.syntax;
  if (syntax.hard) return std::move(draft.rule);
  std::uint64_t count = 1;
  bool all_known = true;
  for (const Domain* domain : draft.weighted_domains) {
    const std::uint64_t size = domain->constants.size();
    all_known = all_known && (domain->declared || data == DataKnown::kYes);
    count = size != 0 && count > kMostRuleWeights / size ? kMostRuleWeights + 1 : count * size;
  }
  if (count > kMostRuleWeights) {
    sink.error(
        DiagnosticCode::kTooManyAtoms,
        *syntax.source,
        syntax.range,
        fmt::format("more than {} weights, one per combination of the constants of `+` variables",
                    kMostRuleWeights));
    return std::nullopt;
  }
  if (!syntax.constant_weights.empty()) return with_constant_weights(std::move(draft), sink);
  if (!syntax.weight_list || !all_known) return std::move(draft.rule);
  if (syntax.weights.size() != count) {
    sink.error(DiagnosticCode::kWeightCount,
               *syntax.source,
               syntax.weight_range,
               fmt::format("a list of {} weight{}, but the formula has {} weight{}",
                           syntax.weights.size(),
                           syntax.weights.size() == 1 ? "" : "s",
                           count,
                           count == 1 ? "" : "s"))
        .notes.push_back(
            {"there is one weight per combination of the constants of variables written `+v`", {}});
    return std::nullopt;
  }
  const auto& weights = syntax.weights;
  if (std::all_of(weights.begin(), weights.end(), [&](double w) { return w == weights[0]; })) {
    return std::move(draft.rule);  // one weight for all of them
  }
  draft.rule.weight = 0.0;
  std::vector<Code> codes(draft.weighted_domains.size(), 0);
  for (const double weight : weights) {
    ConstantWeight& added = draft.rule.constant_weights.emplace_back();
    added.weight = weight;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      added.constants.push_back(draft.weighted_domains[i]->constants[codes[i]]);
    }
    next_combination(draft.weighted_domains, codes);
  }
  return std::move(draft.rule);
}

}  // namespace sorites::markov
