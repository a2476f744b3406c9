#include "lang/mln/formula_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/mln/printer.h"

namespace sorites::markov {
namespace {

constexpr std::uint64_t kMostWeights = std::uint64_t{1} << 24U;
constexpr std::uint64_t kMostClassCombinations = 1000;

// Added to a type, the predicate of its equality, as long as it is not clear whether any clause
// needs it.
constexpr std::uint32_t kEqualityOf = 0x80000000;

// The product of the sizes of those variables' domains, or `most` + 1 if it is larger than that.
template <class Chosen>
std::uint64_t combinations(const ResolvedFormula& formula,
                           std::uint64_t most,
                           const Chosen& chosen) {
  std::uint64_t product = 1;
  for (const FormulaVariable& variable : formula.variables) {
    if (!chosen(variable)) continue;
    const std::uint64_t size = variable.domain->constants.size();
    if (size == 0) return 0;
    product = product > most / size ? most + 1 : product * size;
  }
  return product;
}

MarkovTerm chosen(MarkovTerm term, const std::vector<std::optional<std::uint32_t>>& choice) {
  if (!term.is_constant && choice[term.index]) return {true, *choice[term.index]};
  return term;
}

std::string counted_weights(std::uint64_t count) {
  return fmt::format("{} weight{}", count, count == 1 ? "" : "s");
}

// Next combination of constants, the last variable first. False after the last one.
bool advance(const ResolvedFormula& formula, std::vector<std::optional<std::uint32_t>>& choice) {
  for (std::size_t i = choice.size(); i-- > 0;) {
    if (!choice[i]) continue;
    if (++*choice[i] < formula.variables[i].domain->constants.size()) return true;
    choice[i] = 0;
  }
  return false;
}

// Sums over one variable of an array with a place per combination of the variables' constants; row
// by row, `inner` places per constant.
std::vector<double> summed(const std::vector<double>& weights,
                           std::size_t size,
                           std::size_t inner) {
  std::vector<double> sums(weights.size() / size, 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sums[i / (size * inner) * inner + i % inner] += weights[i];
  }
  return sums;
}

// Of the same kind of array, the part with the given constant.
std::vector<double> part_of(const std::vector<double>& weights,
                            std::size_t size,
                            std::size_t inner,
                            std::size_t constant) {
  std::vector<double> part;
  part.reserve(weights.size() / size);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (i / inner % size == constant) part.push_back(weights[i]);
  }
  return part;
}

// The weights of the `+` variables that remain when those for classes have the constants of
// `choice`.
std::vector<double> weights_of(const ResolvedFormula& formula,
                               const std::vector<std::optional<std::uint32_t>>& choice,
                               std::vector<double> weights) {
  std::size_t inner = 1;
  for (std::size_t i = choice.size(); i-- > 0;) {
    const FormulaVariable& variable = formula.variables[i];
    if (!variable.plus) continue;
    const std::size_t size = variable.domain->constants.size();
    if (choice[i]) {
      weights = part_of(weights, size, inner, *choice[i]);
    } else {
      inner *= size;
    }
  }
  return weights;
}

}  // namespace

Diagnostic& FormulaBuilder::error(DiagnosticCode code,
                                  const ResolvedFormula& formula,
                                  TextRange at,
                                  std::string message) {
  return sink_.error(code, *formula.syntax->source, at, std::move(message));
}

bool FormulaBuilder::check_weights(const ResolvedFormula& formula) {
  const FormulaSyntax& syntax = *formula.syntax;
  const std::uint64_t num_weights =
      combinations(formula, kMostWeights, [](const FormulaVariable& v) { return v.plus; });
  if (num_weights > kMostWeights) {
    error(DiagnosticCode::kTooManyAtoms,
          formula,
          syntax.range,
          fmt::format("more than {} weights, one per combination of the constants of `+` variables",
                      kMostWeights));
    return false;
  }
  if (!syntax.hard && syntax.weight_list && syntax.weights.size() != num_weights) {
    error(DiagnosticCode::kWeightCount,
          formula,
          syntax.weight_range,
          fmt::format("a list of {}, but the formula has {}",
                      counted_weights(syntax.weights.size()),
                      counted_weights(num_weights)))
        .notes.push_back(
            {"there is one weight per combination of the constants of variables written `+v`", {}});
    return false;
  }
  const std::uint64_t num_formulas = combinations(
      formula, kMostClassCombinations, [](const FormulaVariable& v) { return v.is_class; });
  if (num_formulas > kMostClassCombinations) {
    error(DiagnosticCode::kTooManyClauses,
          formula,
          syntax.range,
          fmt::format("its variables for classes have more than {} combinations of classes",
                      kMostClassCombinations));
    return false;
  }
  return true;
}

void FormulaBuilder::warn_empty_domains(const ResolvedFormula& formula) {
  for (const FormulaVariable& variable : formula.variables) {
    if (variable.domain->constants.size() > 0) continue;
    sink_.warning(DiagnosticCode::kEmptyDomain,
                  *formula.syntax->source,
                  variable.place,
                  fmt::format("there is no {}, so that the formula has no groundings",
                              variable.domain->name));
    return;
  }
}

void FormulaBuilder::add(const ResolvedFormula& formula) {
  if (!check_weights(formula)) return;
  warn_empty_domains(formula);
  const FormulaSyntax& syntax = *formula.syntax;
  std::vector<double> weights = syntax.weights;
  if (!syntax.weight_list && !syntax.hard) {
    weights.assign(
        combinations(formula, kMostWeights, [](const FormulaVariable& v) { return v.plus; }),
        syntax.weights[0]);
  }
  Choice choice(formula.variables.size());
  for (std::size_t i = 0; i < choice.size(); ++i) {
    if (formula.variables[i].is_class) choice[i] = 0;
  }
  Outcome worst = Outcome::kAlwaysTrue;
  for (bool more = true; more;) {
    const Outcome outcome =
        add(formula,
            choice,
            syntax.hard ? std::vector<double>{} : weights_of(formula, choice, weights));
    const bool contradiction = syntax.hard && outcome == Outcome::kNeverTrue;
    worst = contradiction ? outcome : std::max(worst, outcome);
    more = !contradiction && outcome != Outcome::kRefused && advance(formula, choice);
  }
  report(formula, worst);
}

FormulaBuilder::Outcome FormulaBuilder::add(const ResolvedFormula& formula,
                                            const Choice& choice,
                                            std::vector<double> weights) {
  numbers_.clear();
  atoms_.clear();
  num_values_.clear();
  const LogicNode node = logic(formula.expression, choice);
  const auto clauses = to_disjoint_clauses(node, num_values_);
  if (!clauses) return Outcome::kRefused;
  if (clauses->empty()) return Outcome::kAlwaysTrue;
  if ((*clauses)[0].empty()) return Outcome::kNeverTrue;
  add(formula, choice, *clauses, std::move(weights));
  return Outcome::kAdded;
}

// What a formula for one class is can be always or never true, and only changes a constant then;
// the whole should do more.
void FormulaBuilder::report(const ResolvedFormula& formula, Outcome worst) {
  const TextRange at = formula.syntax->range;
  switch (worst) {
    case Outcome::kAdded:
      return;
    case Outcome::kAlwaysTrue:
      sink_.warning(DiagnosticCode::kAlwaysSatisfied,
                    *formula.syntax->source,
                    at,
                    "this formula is always true, so that it has no effect");
      return;
    case Outcome::kNeverTrue:
      error(DiagnosticCode::kNoAtom,
            formula,
            at,
            "this formula is never true, whatever the atoms are");
      return;
    case Outcome::kRefused:
      error(DiagnosticCode::kTooManyClauses,
            formula,
            at,
            fmt::format("more than {} clauses that exclude each other", kMaxClauses))
          .notes.push_back({"split it into several formulas, or name a part of it by a predicate "
                            "of its own",
                            {}});
      return;
  }
}

LogicNode FormulaBuilder::logic(const ResolvedExpression& expression, const Choice& choice) {
  LogicNode node;
  switch (expression.kind) {
    case ExpressionKind::kAtom:
      node.literal = literal(expression, choice);
      return node;
    case ExpressionKind::kEquality:
      return equality(expression, choice);
    case ExpressionKind::kIff:
      node.kind = LogicKind::kIff;
      break;
    case ExpressionKind::kImplies:
      node.kind = LogicKind::kImplies;
      break;
    case ExpressionKind::kOr:
      node.kind = LogicKind::kOr;
      break;
    case ExpressionKind::kAnd:
      node.kind = LogicKind::kAnd;
      break;
    case ExpressionKind::kNot:
      node.kind = LogicKind::kNot;
      break;
  }
  for (const ResolvedExpression& operand : expression.operands) {
    node.operands.push_back(logic(operand, choice));
  }
  return node;
}

ValueLiteral FormulaBuilder::literal(const ResolvedExpression& atom, const Choice& choice) {
  std::vector<MarkovTerm> terms;
  for (const MarkovTerm& term : atom.terms) terms.push_back(chosen(term, choice));
  ValueLiteral result;
  result.atom = atom_number(atom.predicate, std::move(terms));
  if (atom.classes.empty()) result.values = {1};
  for (const MarkovTerm& name : atom.classes) result.values.push_back(chosen(name, choice).index);
  std::sort(result.values.begin(), result.values.end());
  result.values.erase(std::unique(result.values.begin(), result.values.end()), result.values.end());
  return result;
}

// An atom of a closed predicate of which the equal pairs are the facts, unless its form decides it.
LogicNode FormulaBuilder::equality(const ResolvedExpression& expression, const Choice& choice) {
  std::vector<MarkovTerm> terms{chosen(expression.terms[0], choice),
                                chosen(expression.terms[1], choice)};
  const auto order = [](const MarkovTerm& term) { return std::pair(term.is_constant, term.index); };
  if (order(terms[1]) < order(terms[0])) std::swap(terms[0], terms[1]);
  LogicNode node;
  if (terms[0] == terms[1]) {
    node.kind = LogicKind::kAnd;
  } else if (terms[0].is_constant && terms[1].is_constant) {
    node.kind = LogicKind::kOr;
  } else {
    node.literal = {atom_number(kEqualityOf + expression.domain->type, std::move(terms)), {1}};
  }
  return node;
}

std::uint32_t FormulaBuilder::equality_predicate(std::uint32_t type) {
  const auto [found, added] = equality_predicates_.emplace(type, model_.predicates.size());
  if (!added) return found->second;
  model_.predicates.push_back({"=", {type, type}, {}, true});
  MarkovAtoms& facts = model_.facts.emplace_back();
  model_.queries.emplace_back();
  model_.unaries.emplace_back();
  for (std::uint32_t c = 0; c < model_.types[type].constants.size(); ++c) {
    facts.constants.insert(facts.constants.end(), {c, c});
    facts.values.push_back(1);
  }
  return found->second;
}

std::uint32_t FormulaBuilder::atom_number(std::uint32_t predicate, std::vector<MarkovTerm> terms) {
  std::vector<std::uint32_t> key{predicate};
  for (const MarkovTerm& term : terms) {
    key.push_back(term.is_constant ? 1 : 0);
    key.push_back(term.index);
  }
  const auto [found, added] =
      numbers_.emplace(std::move(key), static_cast<std::uint32_t>(atoms_.size()));
  if (added) {
    atoms_.push_back({predicate, std::move(terms)});
    num_values_.push_back(predicate < kEqualityOf ? model_.predicates[predicate].num_values() : 2);
  }
  return found->second;
}

// Variables that no clause mentions are left out: what such a formula weighs counts once for each
// of their constants.
void FormulaBuilder::add(const ResolvedFormula& formula,
                         const Choice& choice,
                         const std::vector<ValueClause>& clauses,
                         std::vector<double> weights) {
  const std::vector<bool> used = used_variables(formula, clauses);
  std::size_t inner = 1;
  for (std::size_t i = used.size(); i-- > 0;) {
    if (choice[i]) continue;
    const FormulaVariable& variable = formula.variables[i];
    const std::size_t size = variable.domain->constants.size();
    if (used[i]) {
      if (variable.plus) inner *= size;
      continue;
    }
    if (size == 0) return;  // without groundings, and without a variable that would show it
    if (variable.plus && !formula.syntax->hard) {
      weights = summed(weights, size, inner);
    } else {
      for (double& weight : weights) weight *= static_cast<double>(size);
    }
  }
  MarkovFormula result = to_formula(formula, used, clauses);
  result.weights = std::move(weights);
  const bool one_of_many =
      std::any_of(choice.begin(), choice.end(), [](const auto& c) { return c.has_value(); });
  if (one_of_many) result.text = formula_text(model_, result);
  model_.formulas.push_back(std::move(result));
}

std::vector<bool> FormulaBuilder::used_variables(const ResolvedFormula& formula,
                                                 const std::vector<ValueClause>& clauses) const {
  std::vector<bool> used(formula.variables.size(), false);
  for (const ValueClause& clause : clauses) {
    for (const ValueLiteral& literal : clause) {
      for (const MarkovTerm& term : atoms_[literal.atom].terms) {
        if (!term.is_constant) used[term.index] = true;
      }
    }
  }
  return used;
}

MarkovFormula FormulaBuilder::to_formula(const ResolvedFormula& formula,
                                         const std::vector<bool>& used,
                                         const std::vector<ValueClause>& clauses) {
  const FormulaSyntax& syntax = *formula.syntax;
  MarkovFormula result;
  result.text = syntax.source->text().substr(syntax.range.begin, syntax.range.length);
  result.place = syntax.source->locate(syntax.range);
  result.hard = syntax.hard;
  std::vector<std::uint32_t> number(used.size(), 0);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    const FormulaVariable& variable = formula.variables[i];
    number[i] = static_cast<std::uint32_t>(result.variables.size());
    if (variable.plus && !result.hard) result.weighted.push_back(number[i]);
    result.variables.push_back({variable.name, variable.domain->type});
  }
  for (const ValueClause& clause : clauses) {
    MarkovClause& to = result.clauses.emplace_back();
    for (const ValueLiteral& literal : clause) {
      const Atom& atom = atoms_[literal.atom];
      std::vector<MarkovTerm> terms = atom.terms;
      for (MarkovTerm& term : terms) {
        if (!term.is_constant) term.index = number[term.index];
      }
      const std::uint32_t predicate = atom.predicate < kEqualityOf
                                          ? atom.predicate
                                          : equality_predicate(atom.predicate - kEqualityOf);
      to.push_back({predicate, std::move(terms), literal.values});
    }
  }
  return result;
}

}  // namespace sorites::markov
