// Messages of a program by their definition (logicmp eq. 2 and 3), straight from its formulas: all
// groundings by name, and for each all states of its unknown atoms. Shares nothing with lowering.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

class ReferenceProgram {
 public:
  using Names = std::vector<std::string>;
  using AtomName = std::pair<PredicateId, Names>;  // with classes: without the class
  // Of the values of an unknown atom: "" (false) and "true", or the classes.
  using Probabilities = std::map<AtomName, std::map<std::string, double>>;
  static constexpr std::size_t kMostStates = 20'000;

  ReferenceProgram(const Program& program, const Database& database)
      : program_(program), database_(database) {
    for (PredicateId p = 0; p < program.predicates.size(); ++p) read(p);
    find_domains();
  }

  // The unknown atoms of the predicate that has no class.
  bool is_unknown(const AtomName& atom) const {
    const Predicate& predicate = program_.predicates[atom.first];
    if (!predicate.open || observed_.contains(atom)) return false;
    return predicate.has_classes || predicate.open_world || targets_.contains(atom);
  }

  // What all rules add to each value, up to a constant per atom; and how many groundings are
  // expected to be violated, per rule and constants of its weighted variables. False if there are
  // too many states to look at.
  bool run(const Probabilities& probabilities, double hard_weight) {
    messages.clear();
    violations.clear();
    probabilities_ = &probabilities;
    for (std::size_t r = 0; r < program_.rules.size(); ++r) {
      std::map<VariableId, std::string> binding;
      std::set<VariableId> bound;
      find_bound(formula_of(r), bound);
      if (!ground(r, 0, bound, binding, hard_weight)) return false;
    }
    return true;
  }

  std::map<AtomName, std::map<std::string, double>> messages;
  std::map<std::pair<std::size_t, Names>, double> violations;

 private:
  using Binding = std::map<VariableId, std::string>;
  using State = std::map<AtomName, std::string>;
  using Place = std::pair<std::size_t, std::size_t>;  // predicate or rule, argument or variable

  // Without the quantifiers in front of it, whose variables are those of the rule.
  const Formula& formula_of(std::size_t r) const {
    const Formula* formula = &std::get<LogicalRule>(program_.rules[r].body).formula;
    while (formula->kind == FormulaKind::kForall) formula = &formula->operands[0];
    return *formula;
  }

  static void find_bound(const Formula& formula, std::set<VariableId>& bound) {
    bound.insert(formula.quantified.begin(), formula.quantified.end());
    for (const Formula& operand : formula.operands) find_bound(operand, bound);
  }

  AtomName name_of(PredicateId p, Names names) const {
    if (has_class(p)) names.pop_back();
    return {p, std::move(names)};
  }
  bool has_class(PredicateId p) const {
    return program_.predicates[p].has_classes && program_.predicates[p].open;
  }

  void read(PredicateId p) {
    const Relation& relation = database_.relation(p);
    for (const Partition partition : {Partition::kObserved, Partition::kTarget}) {
      const Table& table = relation.table(partition);
      for (std::uint32_t row = 0; row < table.num_rows; ++row) {
        const Names names = database_.arguments(p, {partition, row});
        for (std::size_t k = 0; k < names.size(); ++k) seen_[{p, k}].insert(names[k]);
        const AtomName atom = name_of(p, names);
        if (partition == Partition::kTarget) {
          targets_.insert(atom);
        } else if (has_class(p)) {
          observed_[atom] = names.back();
        } else {
          observed_[atom] = table.value(row) == 1.0 ? "true" : "";
        }
      }
    }
    const Table& potentials = database_.potentials(p);
    for (std::size_t k = 0; k < potentials.columns.size(); ++k) {
      const Dictionary& dictionary = database_.dictionary(program_.predicates[p].domain(k));
      for (const Code code : potentials.columns[k]) seen_[{p, k}].insert(dictionary.text(code));
    }
    for (std::size_t k = 0; k < program_.predicates[p].arity(); ++k) {
      if (program_.predicates[p].open_world) seen_[{p, k}] = all(program_.predicates[p].domain(k));
    }
  }

  std::set<std::string> all(DomainId domain) const {
    std::set<std::string> result;
    const Dictionary& dictionary = database_.dictionary(domain);
    for (Code code = 0; code < dictionary.size(); ++code) result.insert(dictionary.text(code));
    return result;
  }

  // Variables and arguments that stand in the same place share constants: until nothing changes.
  void find_domains() {
    for (std::size_t r = 0; r < program_.rules.size(); ++r) {
      for (std::size_t v = 0; v < program_.rules[r].variables.size(); ++v) {
        values_[{r, v}] = {};
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t r = 0; r < program_.rules.size(); ++r) {
        share(r, std::get<LogicalRule>(program_.rules[r].body).formula, changed);
      }
    }
    for (auto& [place, values] : values_) {
      const DomainId domain = program_.rules[place.first].variables[place.second].domain;
      const bool stands_in_no_atom = !in_atom_.contains(place);
      if (domain >= 3 || stands_in_no_atom) values = all(domain);
    }
  }

  static void unite(std::set<std::string>& a, std::set<std::string>& b, bool& changed) {
    if (a == b) return;
    a.insert(b.begin(), b.end());
    b = a;
    changed = true;
  }

  void share(std::size_t r, const Formula& formula, bool& changed) {
    // Quantifiers range over everything.
    for (const VariableId v : formula.quantified) {
      std::set<std::string>& values = values_[{r, v}];
      const std::size_t before = values.size();
      values.merge(all(program_.rules[r].variables[v].domain));
      changed = changed || values.size() > before;
    }
    for (const Formula& operand : formula.operands) share(r, operand, changed);
    if (formula.kind == FormulaKind::kAtom) {
      for (std::size_t k = 0; k < formula.atom.arguments.size(); ++k) {
        std::set<std::string>& seen = seen_[{formula.atom.predicate, k}];
        if (const auto* v = std::get_if<VariableId>(&formula.atom.arguments[k])) {
          unite(seen, values_[{r, *v}], changed);
          if (in_atom_.insert({r, *v}).second) changed = true;
        } else {
          const DomainId domain = program_.predicates[formula.atom.predicate].domain(k);
          const std::string& constant = std::get<std::string>(formula.atom.arguments[k]);
          if (database_.dictionary(domain).find(constant) && seen.insert(constant).second) {
            changed = true;
          }
        }
      }
    }
    if (formula.kind == FormulaKind::kComparison) {
      const auto* left = std::get_if<VariableId>(&formula.comparison.left);
      const auto* right = std::get_if<VariableId>(&formula.comparison.right);
      if (left == nullptr || right == nullptr) return;
      unite(values_[{r, *left}], values_[{r, *right}], changed);
      const bool both = in_atom_.contains({r, *left}) || in_atom_.contains({r, *right});
      if (both && in_atom_.insert({r, *left}).second) changed = true;
      if (both && in_atom_.insert({r, *right}).second) changed = true;
    }
  }

  bool ground(std::size_t r,
              std::size_t variable,
              const std::set<VariableId>& bound,
              Binding& binding,
              double hard_weight) {
    const Rule& rule = program_.rules[r];
    if (variable == rule.variables.size()) return add_grounding(r, binding, hard_weight);
    if (bound.contains(static_cast<VariableId>(variable))) {
      return ground(r, variable + 1, bound, binding, hard_weight);
    }
    for (const std::string& constant : values_[{r, variable}]) {
      binding[static_cast<VariableId>(variable)] = constant;
      if (!ground(r, variable + 1, bound, binding, hard_weight)) return false;
    }
    binding.erase(static_cast<VariableId>(variable));
    return true;
  }

  bool add_grounding(std::size_t r, Binding& binding, double hard_weight) {
    const Rule& rule = program_.rules[r];
    const Formula& formula = formula_of(r);
    Names constants;
    for (const VariableId v : rule.weighted) constants.push_back(binding.at(v));
    double weight = rule.weight.value_or(hard_weight);
    for (const ConstantWeight& special : rule.constant_weights) {
      if (rule.weight && special.constants == constants) weight = special.weight;
    }
    std::set<AtomName> found;
    find_atoms(r, formula, binding, found);
    const std::vector<AtomName> atoms(found.begin(), found.end());
    double states = 1.0;
    for (const AtomName& atom : atoms) {
      states *= static_cast<double>(probabilities_->at(atom).size());
    }
    if (states > static_cast<double>(kMostStates)) return false;
    State state;
    const auto visit = [&] {
      double product = 1.0;
      for (const AtomName& atom : atoms) product *= probabilities_->at(atom).at(state.at(atom));
      if (!holds(r, formula, binding, state)) {
        violations[{r, constants}] += product;
        return;
      }
      for (const AtomName& atom : atoms) {
        double others = weight;
        for (const AtomName& other : atoms) {
          if (other != atom) others *= probabilities_->at(other).at(state.at(other));
        }
        messages[atom][state.at(atom)] += others;
      }
    };
    for_all_states(atoms, 0, state, visit);
    return true;
  }

  void for_all_states(const std::vector<AtomName>& atoms,
                      std::size_t next,
                      State& state,
                      const std::function<void()>& work) const {
    if (next == atoms.size()) return work();
    for (const auto& [value, probability] : probabilities_->at(atoms[next])) {
      state[atoms[next]] = value;
      for_all_states(atoms, next + 1, state, work);
    }
  }

  // Calls work for all constants of the quantified variables.
  void for_all_constants(std::size_t r,
                         const Formula& formula,
                         std::size_t next,
                         Binding& binding,
                         const std::function<void()>& work) const {
    if (next == formula.quantified.size()) return work();
    const VariableId variable = formula.quantified[next];
    for (const std::string& constant : values_.at({r, variable})) {
      binding[variable] = constant;
      for_all_constants(r, formula, next + 1, binding, work);
    }
    binding.erase(variable);
  }

  static std::string text(const Term& term, const Binding& binding) {
    if (const auto* variable = std::get_if<VariableId>(&term)) return binding.at(*variable);
    return std::get<std::string>(term);
  }
  static Names texts(const Atom& atom, const Binding& binding) {
    Names names;
    for (const Term& term : atom.arguments) names.push_back(text(term, binding));
    return names;
  }

  void find_atoms(std::size_t r, const Formula& formula, Binding& binding, std::set<AtomName>& to) {
    if (formula.kind == FormulaKind::kAtom) {
      const AtomName atom = name_of(formula.atom.predicate, texts(formula.atom, binding));
      if (is_unknown(atom)) to.insert(atom);
    }
    for (const Formula& operand : formula.operands) {
      for_all_constants(r, formula, 0, binding, [&] { find_atoms(r, operand, binding, to); });
    }
  }

  bool holds(std::size_t r, const Formula& formula, Binding& binding, const State& state) const {
    const auto operand = [&](std::size_t i) {
      return holds(r, formula.operands[i], binding, state);
    };
    switch (formula.kind) {
      case FormulaKind::kAtom:
        return atom_holds(formula.atom.predicate, texts(formula.atom, binding), state);
      case FormulaKind::kComparison:
        return comparison_holds(formula.comparison, binding);
      case FormulaKind::kNot:
        return !operand(0);
      case FormulaKind::kImplies:
        return !operand(0) || operand(1);
      case FormulaKind::kIff:
        return operand(0) == operand(1);
      case FormulaKind::kAnd:
      case FormulaKind::kOr: {
        bool every = true, some = false;
        for (std::size_t i = 0; i < formula.operands.size(); ++i) {
          every = operand(i) && every;
          some = operand(i) || some;
        }
        return formula.kind == FormulaKind::kAnd ? every : some;
      }
      case FormulaKind::kForall:
      case FormulaKind::kExists:
        break;
    }
    bool every = true, some = false;
    for_all_constants(r, formula, 0, binding, [&] {
      const bool one = operand(0);
      every = every && one;
      some = some || one;
    });
    return formula.kind == FormulaKind::kForall ? every : some;
  }

  bool atom_holds(PredicateId p, const Names& names, const State& state) const {
    const AtomName atom = name_of(p, names);
    const std::string wanted = has_class(p) ? names.back() : "true";
    if (const auto at = state.find(atom); at != state.end()) return at->second == wanted;
    const auto at = observed_.find(atom);
    return at != observed_.end() && at->second == wanted;
  }

  static bool comparison_holds(const Comparison& comparison, const Binding& binding) {
    const std::string left = text(comparison.left, binding);
    const std::string right = text(comparison.right, binding);
    switch (comparison.op) {
      case ComparisonOperator::kEqual:
        return left == right;
      case ComparisonOperator::kNotEqual:
        return left != right;
      case ComparisonOperator::kLess:
        break;
    }
    return left < right;  // texts, by bytes
  }

  const Program& program_;
  const Database& database_;
  std::map<AtomName, std::string> observed_;
  std::set<AtomName> targets_;
  std::map<Place, std::set<std::string>> seen_;    // per predicate and argument
  std::map<Place, std::set<std::string>> values_;  // per rule and variable
  std::set<Place> in_atom_;                        // variables
  const Probabilities* probabilities_ = nullptr;
};

}  // namespace sorites
