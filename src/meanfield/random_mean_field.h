// Random small Markov logic models, for tests: several types, predicates of arity 0 to 3, classes,
// closed predicates, constants in formulas, repeated variables, `+` variables, hard formulas,
// facts.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

class RandomMeanField {
 public:
  explicit RandomMeanField(std::uint64_t seed) : random_(seed) {}

  MeanFieldModel model() {
    MeanFieldModel model;
    for (std::size_t t = 0, count = upto(2) + 1; t < count; ++t) {
      MeanFieldDomain domain;
      for (std::size_t c = 0, size = upto(2) + 1; c < size; ++c) {
        domain.codes.push_back(static_cast<Code>(c));
      }
      model.domains.push_back(std::move(domain));
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
  void add_predicate(MeanFieldModel& model) {
    MeanFieldPredicate predicate{"p" + std::to_string(model.predicates.size()), {}};
    for (std::size_t k = 0, arity = std::min<std::size_t>(upto(5), 3); k < arity; ++k) {
      predicate.arguments.push_back(static_cast<std::uint32_t>(upto(model.domains.size() - 1)));
    }
    if (chance(0.3)) {
      for (std::size_t c = 0, count = upto(2) + 2; c < count; ++c) {
        predicate.class_names.push_back("V" + std::to_string(c));
      }
    } else {
      predicate.closed = chance(0.25);
    }
    model.facts.push_back(facts_of(model, predicate));
    model.predicates.push_back(std::move(predicate));
  }

  std::vector<KnownAtom> facts_of(const MeanFieldModel& model,
                                  const MeanFieldPredicate& predicate) {
    std::vector<KnownAtom> facts;
    std::size_t atoms = 1;
    for (const std::uint32_t type : predicate.arguments) atoms *= model.domains[type].size();
    for (std::size_t atom = 0; atom < atoms; ++atom) {
      if (!chance(predicate.closed ? 0.5 : 0.2)) continue;
      facts.push_back({atom, static_cast<std::uint32_t>(upto(predicate.num_values() - 1))});
    }
    return facts;
  }

  MeanFieldLiteral literal(const MeanFieldModel& model, MeanFieldFormula& formula) {
    MeanFieldLiteral result;
    result.predicate = static_cast<std::uint32_t>(upto(model.predicates.size() - 1));
    const MeanFieldPredicate& predicate = model.predicates[result.predicate];
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

  MeanFieldTerm term(const MeanFieldModel& model, MeanFieldFormula& formula, std::uint32_t type) {
    if (chance(0.15)) {
      return {true, static_cast<std::uint32_t>(upto(model.domains[type].size() - 1))};
    }
    std::vector<std::uint32_t> same_type;
    for (std::uint32_t v = 0; v < formula.variables.size(); ++v) {
      if (formula.variables[v] == type) same_type.push_back(v);
    }
    if (same_type.empty() || (formula.variables.size() < 4 && chance(0.5))) {
      const auto index = static_cast<std::uint32_t>(formula.variables.size());
      formula.variables.push_back(type);
      return {false, index};
    }
    return {false, same_type[upto(same_type.size() - 1)]};
  }

  // One clause, or two of which one has a literal and the other its negation: they cannot both be
  // violated.
  void add_formula(MeanFieldModel& model) {
    MeanFieldFormula formula;
    formula.text = "f" + std::to_string(model.formulas.size());
    const bool two = chance(0.3);
    const MeanFieldLiteral split = literal(model, formula);
    for (int side = 0; side < (two ? 2 : 1); ++side) {
      MeanFieldClause clause;
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
      num_weights *= model.domains[formula.variables[v]].size();
    }
    std::uniform_real_distribution<double> draw(-0.5, 1.5);
    for (std::size_t i = 0; i < num_weights; ++i) formula.weights.push_back(draw(random_));
    sorites::add_formula(model, std::move(formula));
  }

  static MeanFieldLiteral negated(const MeanFieldModel& model, MeanFieldLiteral literal) {
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
