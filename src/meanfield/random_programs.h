// Random small programs with data, for tests: domains with and without names, predicates that are
// closed, open at listed targets, of an open world or with classes; rules with any connectives,
// quantifiers, comparisons, `+v` variables, constants.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

class RandomPrograms {
 public:
  explicit RandomPrograms(std::uint64_t seed, double share_of_hard_rules = 0.0)
      : random_(seed), share_of_hard_rules_(share_of_hard_rules) {}

  std::pair<Program, Database> make() {
    Program program;
    program.domains.push_back({.name = "thing", .constants = constants("T", upto(1) + 1)});
    program.domains.push_back({.name = "kind", .constants = constants("K", upto(1) + 2)});
    for (std::size_t p = 0, count = upto(2) + 1; p < count; ++p) add_predicate(program);
    for (std::size_t r = 0, count = upto(1) + 1; r < count; ++r) add_rule(program);
    Database database(program.predicates, program.domains);
    for (const Predicate& predicate : program.predicates) add_data(predicate, database);
    return {std::move(program), std::move(database)};
  }

  std::size_t upto(std::size_t last) {
    return std::uniform_int_distribution<std::size_t>(0, last)(random_);
  }
  bool chance(double p) { return std::bernoulli_distribution(p)(random_); }
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

 private:
  // The first of the built-in domains, and the first two behind them.
  static constexpr DomainId kText = 0, kThing = 3, kKind = 4;

  static std::vector<std::string> constants(const std::string& letter, std::size_t count) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(letter + std::to_string(i));
    return result;
  }
  static std::vector<std::string> constants_of(const std::vector<Domain>& domains,
                                               DomainId domain) {
    return domain == kText ? constants("X", 3) : domains[domain].constants;
  }

  DomainId any_domain() { return std::vector<DomainId>{kText, kThing, kThing, kKind}[upto(3)]; }

  void add_predicate(Program& program) {
    Predicate predicate{.name = "P" + std::to_string(program.predicates.size())};
    for (std::size_t k = 0, arity = upto(2); k < arity; ++k) {
      predicate.domains.push_back(any_domain());
    }
    predicate.open = chance(0.7);
    predicate.open_world = predicate.open && chance(0.5);
    predicate.has_classes = chance(0.3);
    if (predicate.has_classes) {
      if (predicate.domains.size() == 2) predicate.domains.pop_back();
      predicate.domains.push_back(chance(0.8) ? kKind : kText);
    }
    predicate.types.assign(predicate.domains.size(), ArgumentType::kUniqueStringId);
    domains_ = program.domains;
    program.predicates.push_back(std::move(predicate));
  }

  // All atoms of a predicate are observed, targets or nothing.
  void add_data(const Predicate& predicate, Database& database) {
    std::vector<std::vector<std::string>> rows{{}};
    const std::size_t fixed = predicate.domains.size() - (predicate.has_classes ? 1 : 0);
    for (std::size_t k = 0; k < fixed; ++k) rows = extended(rows, predicate.domains[k]);
    for (const auto& row : rows) {
      const bool observed = chance(predicate.open ? 0.3 : 0.5), target = chance(0.6);
      const bool potential = predicate.open && chance(0.3);
      const auto all = predicate.has_classes ? extended({row}, predicate.domains.back())
                                             : std::vector<std::vector<std::string>>{row};
      const std::size_t chosen = upto(all.size() - 1);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::vector<std::string_view> views(all[i].begin(), all[i].end());
        if (observed && i == chosen) {
          const double value = predicate.has_classes || chance(0.7) ? 1.0 : 0.0;
          database.add(Partition::kObserved, predicate.name, views, value);
        } else if (!observed && target && predicate.open) {
          database.add(Partition::kTarget, predicate.name, views);
        }
        if (potential && !observed) {
          database.add_potential(predicate.name, views, number(-1.0, 1.0));
        }
      }
    }
  }

  std::vector<std::vector<std::string>> extended(const std::vector<std::vector<std::string>>& rows,
                                                 DomainId domain) const {
    std::vector<std::vector<std::string>> result;
    for (const auto& row : rows) {
      for (const std::string& constant : constants_of(domains_, domain)) {
        result.push_back(row);
        result.back().push_back(constant);
      }
    }
    return result;
  }

  void add_rule(Program& program) {
    Rule rule;
    rule.id = static_cast<RuleId>(program.rules.size());
    rule.text = "rule " + std::to_string(rule.id);
    std::vector<VariableId> scope;
    rule.body = LogicalRule{formula(program, rule, scope, 3)};
    if (!chance(share_of_hard_rules_)) rule.weight = number(-0.5, 1.5);
    for (const VariableId variable : scope) {
      if (chance(0.2)) rule.weighted.push_back(variable);
    }
    if (!rule.weighted.empty() && chance(0.5)) {
      ConstantWeight special{{}, number(-1.0, 2.0)};
      for (const VariableId v : rule.weighted) special.constants.push_back(any(rule.variables[v]));
      rule.constant_weights.push_back(std::move(special));
    }
    program.rules.push_back(std::move(rule));
  }

  std::string any(const Variable& variable) {
    const auto all = constants_of(domains_, variable.domain);
    return all[upto(all.size() - 1)];
  }

  // `scope` has the variables that a term may be; free ones that are added stay in it.
  Formula formula(const Program& program, Rule& rule, std::vector<VariableId>& scope, int depth) {
    Formula result;
    const std::size_t kind = depth == 0 ? upto(1) * upto(1) : upto(9);
    if (kind == 1) return comparison(rule, scope);
    if (kind == 0) return atom(program, rule, scope);
    constexpr FormulaKind kKinds[] = {FormulaKind::kNot,
                                      FormulaKind::kAnd,
                                      FormulaKind::kOr,
                                      FormulaKind::kOr,
                                      FormulaKind::kImplies,
                                      FormulaKind::kIff,
                                      FormulaKind::kForall,
                                      FormulaKind::kExists};
    result.kind = kKinds[kind - 2];
    if (result.kind == FormulaKind::kForall || result.kind == FormulaKind::kExists) {
      result.quantified = {add_variable(rule, any_domain())};
      scope.push_back(result.quantified[0]);
      result.operands = {formula(program, rule, scope, depth - 1)};
      std::erase(scope, result.quantified[0]);
      return result;
    }
    for (std::size_t i = 0, n = result.kind == FormulaKind::kNot ? 1 : 2; i < n; ++i) {
      result.operands.push_back(formula(program, rule, scope, depth - 1));
    }
    return result;
  }

  static VariableId add_variable(Rule& rule, DomainId domain) {
    rule.variables.push_back({"x" + std::to_string(rule.variables.size()), domain});
    return static_cast<VariableId>(rule.variables.size() - 1);
  }

  Term term(Rule& rule, std::vector<VariableId>& scope, DomainId domain) {
    if (chance(0.15)) return any({"", domain});
    std::vector<VariableId> fit;
    for (const VariableId v : scope) {
      if (rule.variables[v].domain == domain) fit.push_back(v);
    }
    if (fit.empty() || (scope.size() < 3 && chance(0.3))) {
      fit = {add_variable(rule, domain)};
      scope.push_back(fit[0]);
    }
    return fit[upto(fit.size() - 1)];
  }

  Formula atom(const Program& program, Rule& rule, std::vector<VariableId>& scope) {
    Formula result;
    result.atom.predicate = static_cast<PredicateId>(upto(program.predicates.size() - 1));
    for (const DomainId domain : program.predicates[result.atom.predicate].domains) {
      result.atom.arguments.push_back(term(rule, scope, domain));
    }
    return result;
  }

  Formula comparison(Rule& rule, std::vector<VariableId>& scope) {
    Formula result;
    result.kind = FormulaKind::kComparison;
    result.comparison.op = static_cast<ComparisonOperator>(upto(2));
    result.comparison.domain = any_domain();
    result.comparison.left = term(rule, scope, result.comparison.domain);
    result.comparison.right = term(rule, scope, result.comparison.domain);
    return result;
  }

  std::mt19937_64 random_;
  double share_of_hard_rules_;
  std::vector<Domain> domains_;
};

}  // namespace sorites
