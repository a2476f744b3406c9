// Random small Markov logic models, for tests: several types, predicates of arity 0 to 3, classes,
// closed predicates, constants in formulas, repeated variables, `+` variables, hard formulas,
// facts.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "sorites/meanfield.h"

namespace sorites {

class RandomMarkov {
 public:
  explicit RandomMarkov(std::uint64_t seed) : random_(seed) {}

  MarkovModel model() {
    MarkovModel model;
    for (std::size_t t = 0, count = upto(2) + 1; t < count; ++t) {
      MarkovType type{"t" + std::to_string(t), {}};
      for (std::size_t c = 0, size = upto(2) + 1; c < size; ++c) {
        type.constants.push_back("C" + std::to_string(c));
      }
      model.types.push_back(std::move(type));
    }
    for (std::size_t p = 0, count = upto(2) + 1; p < count; ++p) add_predicate(model);
    for (std::size_t f = 0, count = upto(2) + 1; f < count; ++f) add_formula(model);
    return model;
  }

  AtomValues<double> numbers(const AtomValues<double>& shape, double low, double high) {
    AtomValues<double> result = shape;
    std::uniform_real_distribution<double> draw(low, high);
    for (auto& values : result) {
      for (double& value : values) value = draw(random_);
    }
    return result;
  }

  std::size_t upto(std::size_t last) {
    return std::uniform_int_distribution<std::size_t>(0, last)(random_);
  }
  bool chance(double p) { return std::bernoulli_distribution(p)(random_); }

 private:
  void add_predicate(MarkovModel& model) {
    MarkovPredicate predicate{"p" + std::to_string(model.predicates.size()), {}, {}, false};
    for (std::size_t k = 0, arity = std::min<std::size_t>(upto(5), 3); k < arity; ++k) {
      predicate.arguments.push_back(static_cast<std::uint32_t>(upto(model.types.size() - 1)));
    }
    if (chance(0.3)) {
      for (std::size_t c = 0, count = upto(2) + 2; c < count; ++c) {
        predicate.classes.push_back("V" + std::to_string(c));
      }
    } else {
      predicate.closed = chance(0.25);
    }
    model.facts.push_back(facts_of(model, predicate));
    model.queries.emplace_back();
    model.predicates.push_back(std::move(predicate));
  }

  MarkovAtoms facts_of(const MarkovModel& model, const MarkovPredicate& predicate) {
    MarkovAtoms facts;
    std::size_t atoms = 1;
    for (const std::uint32_t type : predicate.arguments)
      atoms *= model.types[type].constants.size();
    for (std::size_t atom = 0; atom < atoms; ++atom) {
      if (!chance(predicate.closed ? 0.5 : 0.2)) continue;
      std::vector<std::uint32_t> constants;
      std::size_t rest = atom;
      for (auto type = predicate.arguments.rbegin(); type != predicate.arguments.rend(); ++type) {
        const std::size_t size = model.types[*type].constants.size();
        constants.insert(constants.begin(), static_cast<std::uint32_t>(rest % size));
        rest /= size;
      }
      facts.constants.insert(facts.constants.end(), constants.begin(), constants.end());
      facts.values.push_back(static_cast<std::uint32_t>(upto(predicate.num_values() - 1)));
    }
    return facts;
  }

  MarkovLiteral literal(const MarkovModel& model, MarkovFormula& formula) {
    MarkovLiteral result;
    result.predicate = static_cast<std::uint32_t>(upto(model.predicates.size() - 1));
    const MarkovPredicate& predicate = model.predicates[result.predicate];
    for (const std::uint32_t type : predicate.arguments)
      result.terms.push_back(term(model, formula, type));
    const std::uint32_t num_values = predicate.num_values();
    while (result.values.empty() || result.values.size() == num_values) {
      result.values.clear();
      for (std::uint32_t v = 0; v < num_values; ++v) {
        if (chance(0.5)) result.values.push_back(v);
      }
    }
    return result;
  }

  MarkovTerm term(const MarkovModel& model, MarkovFormula& formula, std::uint32_t type) {
    if (chance(0.15)) {
      return {true, static_cast<std::uint32_t>(upto(model.types[type].constants.size() - 1))};
    }
    std::vector<std::uint32_t> same_type;
    for (std::uint32_t v = 0; v < formula.variables.size(); ++v) {
      if (formula.variables[v].type == type) same_type.push_back(v);
    }
    if (same_type.empty() || (formula.variables.size() < 4 && chance(0.5))) {
      const auto index = static_cast<std::uint32_t>(formula.variables.size());
      formula.variables.push_back({"x" + std::to_string(index), type});
      return {false, index};
    }
    return {false, same_type[upto(same_type.size() - 1)]};
  }

  // One clause, or two of which one has a literal and the other its negation: they cannot both be
  // violated.
  void add_formula(MarkovModel& model) {
    MarkovFormula formula;
    formula.text = "f" + std::to_string(model.formulas.size());
    const bool two = chance(0.3);
    const MarkovLiteral split = literal(model, formula);
    for (int side = 0; side < (two ? 2 : 1); ++side) {
      MarkovClause clause;
      for (std::size_t i = 0, count = upto(2) + (two ? 0 : 1); i < count; ++i) {
        clause.push_back(literal(model, formula));
      }
      if (two) clause.insert(clause.begin(), side == 0 ? split : negated(model, split));
      formula.clauses.push_back(std::move(clause));
    }
    formula.hard = chance(0.1);
    for (std::uint32_t v = 0; v < formula.variables.size(); ++v) {
      if (chance(0.15)) formula.weighted.push_back(v);
    }
    std::size_t num_weights = 1;
    for (const std::uint32_t v : formula.weighted) {
      num_weights *= model.types[formula.variables[v].type].constants.size();
    }
    std::uniform_real_distribution<double> draw(-0.5, 1.5);
    for (std::size_t i = 0; i < num_weights; ++i) formula.weights.push_back(draw(random_));
    model.formulas.push_back(std::move(formula));
  }

  static MarkovLiteral negated(const MarkovModel& model, MarkovLiteral literal) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t v = 0; v < model.predicates[literal.predicate].num_values(); ++v) {
      if (!std::binary_search(literal.values.begin(), literal.values.end(), v)) others.push_back(v);
    }
    literal.values = std::move(others);
    return literal;
  }

  std::mt19937_64 random_;
};

}  // namespace sorites
