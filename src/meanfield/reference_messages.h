// Messages by their definition (Xu et al. 2024, equations 2 and 3): all groundings, and for each
// all states of its atoms. Slow and obviously right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

class ReferenceMessages {
 public:
  // `marginals` as MeanField has them: known atoms at their value, closed predicates empty.
  ReferenceMessages(const MeanFieldModel& model,
                    const AtomValues<double>& marginals,
                    double hard_weight)
      : model_(model), marginals_(marginals) {
    for (const auto& values : marginals) messages_.emplace_back(values.size(), 0.0);
    for (const MeanFieldFormula& formula : model.formulas) {
      violations_.emplace_back(formula.hard ? 1 : formula.weights.size(), 0.0);
      std::vector<std::uint32_t> constants(formula.variables.size());
      for_all_constants(
          formula, constants, 0, [&] { add_grounding(formula, constants, hard_weight); });
    }
  }

  // Per predicate, per atom (log-odds of true), or per atom and class (up to a constant per atom).
  const AtomValues<double>& messages() const { return messages_; }
  // Per formula and weight: expected number of violated groundings.
  const std::vector<std::vector<double>>& violations() const { return violations_; }

 private:
  using Atom = std::pair<std::uint32_t, std::size_t>;  // predicate and number

  void for_all_constants(const MeanFieldFormula& formula,
                         std::vector<std::uint32_t>& constants,
                         std::size_t variable,
                         const std::function<void()>& work) {
    if (variable == constants.size()) return work();
    const std::size_t size = model_.domains[formula.variables[variable]].size();
    for (std::uint32_t c = 0; c < size; ++c) {
      constants[variable] = c;
      for_all_constants(formula, constants, variable + 1, work);
    }
  }

  Atom atom_of(const MeanFieldLiteral& literal, const std::vector<std::uint32_t>& constants) const {
    std::size_t number = 0;
    const auto& arguments = model_.predicates[literal.predicate].arguments;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const MeanFieldTerm term = literal.terms[k];
      number = number * model_.domains[arguments[k]].size() +
               (term.is_constant ? term.index : constants[term.index]);
    }
    return {literal.predicate, number};
  }

  double probability(Atom atom, std::uint32_t value) const {
    const auto& [p, number] = atom;
    if (model_.predicates[p].closed) return is_fact(p, number) == (value == 1) ? 1.0 : 0.0;
    if (model_.predicates[p].class_names.empty()) {
      return value == 1 ? marginals_[p][number] : 1.0 - marginals_[p][number];
    }
    return marginals_[p][number * model_.predicates[p].num_classes() + value];
  }

  bool is_fact(std::uint32_t p, std::size_t number) const {
    const auto& facts = model_.facts[p];
    return std::find(facts.begin(), facts.end(), KnownAtom{number, 1}) != facts.end();
  }

  void add_grounding(const MeanFieldFormula& formula,
                     const std::vector<std::uint32_t>& constants,
                     double hard_weight) {
    std::vector<Atom> atoms;
    for (const MeanFieldClause& clause : formula.clauses) {
      for (const MeanFieldLiteral& literal : clause) atoms.push_back(atom_of(literal, constants));
    }
    std::sort(atoms.begin(), atoms.end());
    atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
    std::size_t weight_index = 0;
    for (const std::uint32_t v : formula.hard ? std::vector<std::uint32_t>{} : formula.weighted) {
      weight_index = weight_index * model_.domains[formula.variables[v]].size() + constants[v];
    }
    const double weight = formula.hard ? hard_weight : formula.weights[weight_index];
    std::map<Atom, std::uint32_t> state;
    add_states(
        formula,
        constants,
        atoms,
        state,
        weight,
        violations_[static_cast<std::size_t>(&formula - model_.formulas.data())][weight_index]);
  }

  void add_states(const MeanFieldFormula& formula,
                  const std::vector<std::uint32_t>& constants,
                  const std::vector<Atom>& atoms,
                  std::map<Atom, std::uint32_t>& state,
                  double weight,
                  double& violations) {
    if (state.size() < atoms.size()) {
      const Atom atom = atoms[state.size()];
      for (std::uint32_t v = 0; v < model_.predicates[atom.first].num_values(); ++v) {
        state[atom] = v;
        add_states(formula, constants, atoms, state, weight, violations);
        state.erase(atom);
      }
      return;
    }
    const bool holds = std::all_of(
        formula.clauses.begin(), formula.clauses.end(), [&](const MeanFieldClause& clause) {
          return std::any_of(clause.begin(), clause.end(), [&](const MeanFieldLiteral& literal) {
            const std::uint32_t value = state.at(atom_of(literal, constants));
            return std::find(literal.values.begin(), literal.values.end(), value) !=
                   literal.values.end();
          });
        });
    double all = 1.0;
    for (const auto& [atom, value] : state) all *= probability(atom, value);
    if (!holds) violations += all;
    if (!holds) return;  // phi is 0
    for (const auto& [atom, value] : state) {
      if (model_.predicates[atom.first].closed) continue;
      double others = weight;
      for (const auto& [other, other_value] : state) {
        if (other != atom) others *= probability(other, other_value);
      }
      const std::size_t num_classes = model_.predicates[atom.first].num_classes();
      if (num_classes > 0) {
        messages_[atom.first][atom.second * num_classes + value] += others;
      } else {
        messages_[atom.first][atom.second] += value == 1 ? others : -others;
      }
    }
  }

  const MeanFieldModel& model_;
  const AtomValues<double>& marginals_;
  AtomValues<double> messages_;
  std::vector<std::vector<double>> violations_;
};

}  // namespace sorites
