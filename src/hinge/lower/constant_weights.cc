#include "hinge/lower/constant_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sorites {
namespace {

bool has_combinations(const Rule& rule) { return rule.weight && !rule.weighted.empty(); }

double num_combinations(const Rule& rule, const Database& database) {
  double count = 1.0;
  for (const VariableId variable : rule.weighted) {
    count *= static_cast<double>(database.dictionary(rule.variables[variable].domain).size());
  }
  return count;
}

// Puts constants for the weighted variables of a rule.
class Substitution {
 public:
  Substitution(const std::vector<VariableId>& variables, const std::vector<std::string>& constants)
      : variables_(variables), constants_(constants) {}

  void apply(Formula& formula) const {
    if (formula.kind == FormulaKind::kAtom) {
      for (Term& argument : formula.atom.arguments) apply(argument);
    } else if (formula.kind == FormulaKind::kComparison) {
      apply(formula.comparison.left);
      apply(formula.comparison.right);
    }
    for (Formula& operand : formula.operands) apply(operand);
  }

 private:
  void apply(Term& term) const {
    const auto* variable = std::get_if<VariableId>(&term);
    if (variable == nullptr) return;
    const auto found = std::find(variables_.begin(), variables_.end(), *variable);
    if (found != variables_.end()) {
      term = constants_[static_cast<std::size_t>(found - variables_.begin())];
    }
  }

  const std::vector<VariableId>& variables_;
  const std::vector<std::string>& constants_;
};

// The rules of a rule, one per combination, the last variable first.
class Combinations {
 public:
  Combinations(const Rule& rule, const Database& database, std::vector<Rule>& out)
      : rule_(rule), database_(database), out_(out) {
    for (const ConstantWeight& constant : rule.constant_weights) {
      weights_.emplace(constant.constants, constant.weight);
    }
  }

  void add_all() {
    if (constants_.size() == rule_.weighted.size()) return add();
    const VariableId variable = rule_.weighted[constants_.size()];
    const Dictionary& dictionary = database_.dictionary(rule_.variables[variable].domain);
    for (Code code = 0; code < dictionary.size(); ++code) {
      constants_.push_back(dictionary.text(code));
      add_all();
      constants_.pop_back();
    }
  }

 private:
  void add() {
    Rule rule = rule_;
    const auto own = weights_.find(constants_);
    if (own != weights_.end()) rule.weight = own->second;
    Substitution(rule_.weighted, constants_).apply(std::get<LogicalRule>(rule.body).formula);
    rule.weighted.clear();
    rule.constant_weights = {{constants_, *rule.weight}};
    for (std::size_t i = 0; i < constants_.size(); ++i) {
      rule.text += fmt::format("{}{} = {}",
                               i == 0 ? "  [" : ", ",
                               rule_.variables[rule_.weighted[i]].name,
                               constants_[i]);
    }
    rule.text += "]";
    out_.push_back(std::move(rule));
  }

  const Rule& rule_;
  const Database& database_;
  std::vector<Rule>& out_;
  std::map<std::vector<std::string>, double> weights_;
  std::vector<std::string> constants_;
};

}  // namespace

void check_constant_weights(const Rule& rule,
                            const Program& program,
                            const Database& database,
                            Diagnostics& sink) {
  if (!has_combinations(rule)) return;
  if (!std::holds_alternative<LogicalRule>(rule.body)) {
    sink.error(DiagnosticCode::kUnfitFormula,
               rule.source,
               "an arithmetic rule has one weight: only formulas have weights per constant");
    return;
  }
  const double count = num_combinations(rule, database);
  if (count <= kMostCombinations) return;
  std::string sizes;
  for (const VariableId variable : rule.weighted) {
    const DomainId domain = rule.variables[variable].domain;
    sizes += fmt::format("{}`+{}` has {} constants of {}",
                         sizes.empty() ? "" : ", ",
                         rule.variables[variable].name,
                         database.dictionary(domain).size(),
                         program.domains[domain].name);
  }
  sink.error(DiagnosticCode::kTooManyAtoms,
             rule.source,
             fmt::format(
                 "the rule has {:.0f} weights, one per combination of constants: {}", count, sizes))
      .notes = {
      {fmt::format("at most {:.0f} are possible; give fewer variables a `+`", kMostCombinations),
       {}}};
}

void give_combinations_rules(Program& program, const Database& database) {
  if (std::none_of(program.rules.begin(), program.rules.end(), [](const Rule& rule) {
        return !rule.weighted.empty();
      })) {
    return;
  }
  std::vector<Rule> rules;
  for (Rule& rule : program.rules) {
    if (has_combinations(rule)) {
      Combinations(rule, database, rules).add_all();
    } else {
      rule.weighted.clear();  // of a hard rule: all combinations must hold
      rules.push_back(std::move(rule));
    }
  }
  program.rules = std::move(rules);
}

}  // namespace sorites
