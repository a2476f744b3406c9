// For tests: grounding by definition. Tries every constant for every variable and looks every atom
// up.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "hinge/ground/plain_terms.h"
#include "join/join_plan.h"
#include "lang/clause_form.h"
#include "lang/clauses.h"
#include "sorites/database.h"
#include "sorites/ground.h"
#include "sorites/model.h"
#include "sorites/program.h"

namespace sorites {

class ReferenceGrounder {
 public:
  ReferenceGrounder(const Program& program, const Database& database, OnMissingTarget on_missing)
      : program_(program), database_(database), on_missing_(on_missing) {}

  std::vector<PlainTerm> ground() {
    for (rule_number_ = 0; rule_number_ < program_.rules.size(); ++rule_number_) {
      rule_ = &program_.rules[rule_number_];
      if (const auto* logical = std::get_if<LogicalRule>(&rule_->body)) {
        const auto form = lang::clause_form(logical->formula, program_.predicates).form.value();
        for (const auto& clause : form.clauses) ground_clause(clause, form.universal);
      } else {
        ground_arithmetic(std::get<ArithmeticRule>(rule_->body));
      }
    }
    std::sort(terms_.begin(), terms_.end());
    return terms_;
  }

  std::uint64_t num_missing() const { return num_missing_; }

 private:
  using Binding = std::map<VariableId, std::string>;

  struct Draft {
    std::map<std::string, double> atoms, outputs;
    double offset = 0.0;
    std::vector<double> missing;
  };

  std::vector<std::string> arguments(const Atom& atom, const Binding& binding) const {
    std::vector<std::string> result;
    for (const Term& term : atom.arguments) {
      const auto* variable = std::get_if<VariableId>(&term);
      result.push_back(variable != nullptr ? binding.at(*variable) : std::get<std::string>(term));
    }
    return result;
  }

  std::optional<RowId> find(PredicateId predicate,
                            const std::vector<std::string>& arguments) const {
    for (const Partition partition : {Partition::kObserved, Partition::kTarget}) {
      const std::size_t rows = database_.relation(predicate).table(partition).num_rows;
      for (std::uint32_t row = 0; row < rows; ++row) {
        if (database_.arguments(predicate, {partition, row}) == arguments)
          return RowId{partition, row};
      }
    }
    return std::nullopt;
  }

  // Calls `visit` for every way to give constants to the variables.
  void for_all(const std::set<VariableId>& variables,
               Binding& binding,
               const std::function<void(const Binding&)>& visit) const {
    for (const VariableId variable : variables) {
      if (binding.count(variable) != 0) continue;
      const Dictionary& dictionary = database_.dictionary(rule_->variables[variable].domain);
      for (Code code = 0; code < dictionary.size(); ++code) {
        binding[variable] = dictionary.text(code);
        for_all(variables, binding, visit);
      }
      binding.erase(variable);
      return;
    }
    visit(binding);
  }

  static void collect(const Term& term, std::set<VariableId>& variables) {
    if (const auto* variable = std::get_if<VariableId>(&term)) variables.insert(*variable);
  }

  bool compare(const Comparison& comparison, const Binding& binding) const {
    const auto text = [&](const Term& term) {
      const auto* variable = std::get_if<VariableId>(&term);
      return variable != nullptr ? binding.at(*variable) : std::get<std::string>(term);
    };
    const std::string left = text(comparison.left), right = text(comparison.right);
    if (comparison.op == ComparisonOperator::kEqual) return left == right;
    if (comparison.op == ComparisonOperator::kNotEqual) return left != right;
    return text_less(database_.dictionary(comparison.domain).type(), left, right);
  }

  void add(const Atom& atom,
           const std::vector<std::string>& arguments,
           double coefficient,
           Draft& draft) {
    const Predicate& predicate = program_.predicates[atom.predicate];
    const auto row = find(atom.predicate, arguments);
    if (!row) {
      if (predicate.open || predicate.neural) draft.missing.push_back(coefficient);
      return;
    }
    if (row->partition == Partition::kObserved) {
      draft.offset +=
          coefficient *
          database_.relation(atom.predicate).table(Partition::kObserved).value(row->row);
      return;
    }
    std::string name = predicate.name;
    for (const std::string& argument : arguments) name += "|" + argument;
    (predicate.neural ? draft.outputs : draft.atoms)[name] += coefficient;
  }

  void finish(Draft draft, TermKind kind, double sign) {
    for (auto* atoms : {&draft.atoms, &draft.outputs}) {
      std::erase_if(*atoms, [](const auto& entry) { return entry.second == 0.0; });
    }
    const bool missing = !draft.missing.empty() && on_missing_ != OnMissingTarget::kZero;
    const double residual = sign * draft.offset;
    const bool is_broken = kind == TermKind::kAtMost  ? residual > 1e-4
                           : kind == TermKind::kEqual ? std::abs(residual) > 1e-4
                                                      : false;
    const bool is_observed = draft.atoms.empty() && draft.outputs.empty() && !missing;
    if (is_observed && (!is_broken || !draft.missing.empty())) return;
    double largest = sign * draft.offset;
    for (const auto& [name, c] : draft.atoms) largest += std::max(0.0, sign * c);
    for (const auto& [name, c] : draft.outputs) largest += std::max(0.0, sign * c);
    for (const double c : draft.missing) largest += std::max(0.0, sign * c);
    if (kind != TermKind::kEqual && largest <= 1e-9) return;
    if (missing) {
      ++num_missing_;
      return;
    }
    PlainTerm term{rule_number_, kind, {}, {}, rounded(sign * draft.offset)};
    for (const auto& [name, c] : draft.atoms) term.atoms[name] = rounded(sign * c);
    for (const auto& [name, c] : draft.outputs) term.outputs[name] = rounded(sign * c);
    terms_.push_back(std::move(term));
  }

  TermKind soft_kind() const { return rule_->squared ? TermKind::kSquaredHinge : TermKind::kHinge; }

  void collect(const Formula& formula, std::set<VariableId>& variables) const {
    for (const Formula& operand : formula.operands) collect(operand, variables);
    if (formula.kind == FormulaKind::kAtom) {
      for (const Term& term : formula.atom.arguments) collect(term, variables);
    } else if (formula.kind == FormulaKind::kComparison) {
      collect(formula.comparison.left, variables);
      collect(formula.comparison.right, variables);
    }
  }

  // The variables of an existential literal that it does not bind itself.
  std::set<VariableId> outer_variables(const lang::ExistentialLiteral& existential) const {
    std::set<VariableId> variables;
    for (const Term& term : existential.literal.what.arguments) collect(term, variables);
    collect(existential.guard, variables);
    for (const VariableId variable : existential.variables) variables.erase(variable);
    return variables;
  }

  // `exists Y: F(X, Y)` is F(X, y1) | F(X, y2) | ... over all constants of the domain for which the
  // guard holds. Atoms without a row are 0. Whether one of these literals is true by observation.
  bool add_existential(const lang::ExistentialLiteral& existential,
                       const Binding& binding,
                       Draft& draft) {
    Binding start = binding;
    for (const VariableId variable : existential.variables) start.erase(variable);
    bool satisfied = false;
    const auto& [atom, negated] = existential.literal;
    const std::set<VariableId> own(existential.variables.begin(), existential.variables.end());
    for_all(own, start, [&, &atom = atom, negated = negated](const Binding& one) {
      if (!formula_holds(existential.guard, one)) return;
      draft.offset -= negated ? 1.0 : 0.0;
      const auto row = find(atom.predicate, arguments(atom, one));
      if (!row) {
        satisfied |= negated;
        return;
      }
      if (row->partition == Partition::kObserved) {
        const double value =
            database_.relation(atom.predicate).table(Partition::kObserved).value(row->row);
        satisfied |= negated ? value <= 1e-4 : value >= 1 - 1e-4;
      }
      add(atom, arguments(atom, one), negated ? 1.0 : -1.0, draft);
    });
    return satisfied;
  }

  void ground_clause(const lang::QuantifiedClause& quantified,
                     const std::vector<VariableId>& universal) {
    const Clause& clause = quantified.plain;
    std::set<VariableId> variables, bound;
    for (const VariableId variable : universal) bound.insert(variable);
    for (VariableId v = 0; v < rule_->variables.size(); ++v) {
      if (rule_->variables[v].over_domain) bound.insert(v);
    }
    for (const auto& existential : quantified.existentials) {
      const std::set<VariableId> outer = outer_variables(existential);
      variables.insert(outer.begin(), outer.end());
    }
    for (const auto& literal : clause.comparisons) {
      collect(literal.what.left, variables);
      collect(literal.what.right, variables);
    }
    for (const auto& literal : clause.atoms) {
      for (const Term& term : literal.what.arguments) {
        collect(term, variables);
        if (literal.negated) collect(term, bound);
      }
    }
    const auto by_targets = [&](const Literal<Atom>& literal) {
      std::set<VariableId> own;
      for (const Term& term : literal.what.arguments) collect(term, own);
      const Predicate& predicate = program_.predicates[literal.what.predicate];
      return !literal.negated && predicate.open && !predicate.open_world &&
             !std::includes(bound.begin(), bound.end(), own.begin(), own.end());
    };
    Binding start;
    for_all(variables, start, [&](const Binding& binding) {
      Draft draft{.offset = 1.0};
      for (const auto& literal : clause.comparisons) {
        if (compare(literal.what, binding) != literal.negated) return;
      }
      for (const auto& literal : clause.atoms) {
        const auto row = find(literal.what.predicate, arguments(literal.what, binding));
        if (literal.negated && !row) return;
        if (by_targets(literal) && (!row || row->partition != Partition::kTarget)) return;
        draft.offset -= literal.negated ? 1.0 : 0.0;
        if (row && row->partition == Partition::kObserved) {
          const double value = database_.relation(literal.what.predicate)
                                   .table(Partition::kObserved)
                                   .value(row->row);
          if (literal.negated ? value <= 1e-4 : value >= 1 - 1e-4) return;  // satisfied
        }
        add(literal.what, arguments(literal.what, binding), literal.negated ? 1.0 : -1.0, draft);
      }
      for (const auto& existential : quantified.existentials) {
        if (add_existential(existential, binding, draft)) return;
      }
      finish(draft, rule_->weight ? soft_kind() : TermKind::kAtMost, 1.0);
    });
  }

  bool formula_holds(const Formula& formula, const Binding& binding) const {
    const auto holds = [&](const Formula& operand) { return formula_holds(operand, binding); };
    switch (formula.kind) {
      case FormulaKind::kAtom: {
        const auto row = find(formula.atom.predicate, arguments(formula.atom, binding));
        return row && row->partition == Partition::kObserved &&
               database_.relation(formula.atom.predicate).table(row->partition).value(row->row) > 0;
      }
      case FormulaKind::kComparison:
        return compare(formula.comparison, binding);
      case FormulaKind::kNot:
        return !holds(formula.operands[0]);
      case FormulaKind::kAnd:
        return std::all_of(formula.operands.begin(), formula.operands.end(), holds);
      case FormulaKind::kOr:
        return std::any_of(formula.operands.begin(), formula.operands.end(), holds);
      case FormulaKind::kImplies:
        return !holds(formula.operands[0]) || holds(formula.operands[1]);
      case FormulaKind::kIff:
        return holds(formula.operands[0]) == holds(formula.operands[1]);
      case FormulaKind::kForall:
      case FormulaKind::kExists:
        break;  // not in filters
    }
    return false;
  }

  // All argument lists that an atom stands for: one, or one per combination of the codes that its
  // summed columns have anywhere in the relation.
  std::vector<Binding> expansions(const Atom& atom, const Binding& binding) const {
    std::vector<Binding> result{binding};
    for (std::size_t column = 0; column < atom.arguments.size(); ++column) {
      const auto* variable = std::get_if<VariableId>(&atom.arguments[column]);
      if (variable == nullptr || !rule_->variables[*variable].summed) continue;
      std::set<std::string> values;
      for (const Partition partition : {Partition::kObserved, Partition::kTarget}) {
        const std::size_t rows = database_.relation(atom.predicate).table(partition).num_rows;
        for (std::uint32_t row = 0; row < rows; ++row) {
          values.insert(database_.arguments(atom.predicate, {partition, row})[column]);
        }
      }
      std::vector<Binding> longer;
      for (const Binding& one : result) {
        for (const std::string& value : values) {
          longer.push_back(one);
          longer.back()[*variable] = value;
        }
      }
      result = std::move(longer);
    }
    return result;
  }

  double evaluate(const Coefficient& c, const std::map<VariableId, double>& cardinality) const {
    const auto operand = [&](int i) {
      return evaluate(c.operands[static_cast<std::size_t>(i)], cardinality);
    };
    switch (c.kind) {
      case CoefficientKind::kNumber:
        return c.number;
      case CoefficientKind::kCardinality:
        return cardinality.at(c.variable);
      case CoefficientKind::kAdd:
        return operand(0) + operand(1);
      case CoefficientKind::kSubtract:
        return operand(0) - operand(1);
      case CoefficientKind::kMultiply:
        return operand(0) * operand(1);
      case CoefficientKind::kDivide:
        return operand(0) / operand(1);
      case CoefficientKind::kMax:
        return std::max(operand(0), operand(1));
      case CoefficientKind::kMin:
        return std::min(operand(0), operand(1));
    }
    return 0;
  }

  struct SignedSummand {
    const Summand* summand;
    double sign;
  };

  void ground_arithmetic(const ArithmeticRule& rule) {
    std::vector<SignedSummand> summands;
    for (const Summand& summand : rule.left) summands.push_back({&summand, 1.0});
    for (const Summand& summand : rule.right) summands.push_back({&summand, -1.0});
    std::set<VariableId> ordinary;
    for (const auto& [summand, sign] : summands) {
      if (!summand->atom) continue;
      for (const Term& term : summand->atom->arguments) collect(term, ordinary);
    }
    std::erase_if(ordinary, [&](VariableId v) { return rule_->variables[v].summed; });
    Binding start;
    for_all(ordinary, start, [&](const Binding& binding) { ground_sum(rule, summands, binding); });
  }

  void ground_sum(const ArithmeticRule& rule,
                  const std::vector<SignedSummand>& summands,
                  const Binding& binding) {
    for (const Comparison& condition : rule.conditions) {
      if (!compare(condition, binding)) return;
    }
    std::vector<std::vector<Binding>> kept(summands.size());
    std::map<VariableId, double> cardinality;
    bool any = false;
    for (std::size_t i = 0; i < summands.size(); ++i) {
      if (!summands[i].summand->atom) continue;
      const Atom& atom = *summands[i].summand->atom;
      bool exists = false;
      for (const Binding& one : expansions(atom, binding)) {
        const bool found = find(atom.predicate, arguments(atom, one)).has_value();
        exists |= found;
        const bool passes =
            std::all_of(rule.filters.begin(), rule.filters.end(), [&](const Filter& filter) {
              return one.count(filter.variable) == 0 || formula_holds(filter.condition, one);
            });
        if (passes && (found || !program_.predicates[atom.predicate].open)) kept[i].push_back(one);
        any |= passes && found;
      }
      if (!exists) return;
      for (const Term& term : atom.arguments) {
        const auto* variable = std::get_if<VariableId>(&term);
        if (variable != nullptr && rule_->variables[*variable].summed) {
          cardinality[*variable] = static_cast<double>(kept[i].size());
        }
      }
    }
    if (!any) return;
    Draft draft;
    for (std::size_t i = 0; i < summands.size(); ++i) {
      const auto& [summand, sign] = summands[i];
      if (summand->atom && kept[i].empty()) continue;
      const double coefficient = sign * evaluate(summand->coefficient, cardinality);
      if (!std::isfinite(coefficient)) return;
      if (!summand->atom) draft.offset += coefficient;
      for (const Binding& one : kept[i]) {
        add(*summand->atom, arguments(*summand->atom, one), coefficient, draft);
      }
    }
    const TermKind kind = rule_->weight ? soft_kind() : TermKind::kAtMost;
    switch (rule.op) {
      case RelationalOperator::kLessEqual:
        return finish(draft, kind, 1.0);
      case RelationalOperator::kGreaterEqual:
        return finish(draft, kind, -1.0);
      case RelationalOperator::kEqual:
        if (!rule_->weight) return finish(draft, TermKind::kEqual, 1.0);
        finish(draft, kind, 1.0);
        return finish(draft, kind, -1.0);
    }
  }

  const Program& program_;
  const Database& database_;
  OnMissingTarget on_missing_;
  const Rule* rule_ = nullptr;
  std::uint32_t rule_number_ = 0;
  std::vector<PlainTerm> terms_;
  std::uint64_t num_missing_ = 0;
};

}  // namespace sorites
