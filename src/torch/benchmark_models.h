// For benchmarks: models over one type of entity, whose predicates have two arguments, at any size.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "sorites/markov.h"

namespace sorites {

inline constexpr double kWeight = 0.01;  // of every rule

struct Atom {
  std::uint32_t predicate;
  std::uint32_t first, second;  // variables
};

inline MarkovModel empty_model(std::size_t entities, std::size_t predicates) {
  MarkovModel model;
  model.types = {{"entity", {}}};
  for (std::size_t i = 0; i < entities; ++i)
    model.types[0].constants.push_back(fmt::format("E{}", i));
  for (std::size_t p = 0; p < predicates; ++p) {
    model.predicates.push_back({fmt::format("R{}", p), {0, 0}, {}, false});
  }
  model.facts.resize(predicates);
  model.queries.resize(predicates);
  return model;
}

inline void add_rule(MarkovModel& model, const std::vector<Atom>& body, const Atom& head) {
  MarkovFormula formula;
  formula.weights = {kWeight};
  MarkovClause clause;
  std::uint32_t num_variables = 0;
  const auto add = [&](const Atom& atom, std::uint32_t value) {
    num_variables = std::max({num_variables, atom.first + 1, atom.second + 1});
    clause.push_back({atom.predicate, {{false, atom.first}, {false, atom.second}}, {value}});
  };
  for (const Atom& atom : body) add(atom, 0);
  add(head, 1);
  for (std::uint32_t v = 0; v < num_variables; ++v)
    formula.variables.push_back({fmt::format("v{}", v), 0});
  formula.clauses = {clause};
  model.formulas.push_back(formula);
}

inline MarkovModel transitivity(std::size_t entities) {
  MarkovModel model = empty_model(entities, 1);
  add_rule(model, {{0, 0, 1}, {0, 1, 2}}, {0, 0, 2});
  return model;
}

// R0(a,b) and R1(c,d) and R2(b,c) imply R3(a,d): read from left to right, all pairs of pairs.
inline MarkovModel path(std::size_t entities) {
  MarkovModel model = empty_model(entities, 4);
  add_rule(model, {{0, 0, 1}, {1, 2, 3}, {2, 1, 2}}, {3, 0, 3});
  return model;
}

// R0(a,b) and R1(b,c) imply R1(a,c), where R0 is known and one in a hundred is true.
inline MarkovModel friendship(std::size_t entities) {
  MarkovModel model = empty_model(entities, 2);
  model.predicates[0].closed = true;
  std::mt19937 random(1);
  for (std::uint32_t a = 0; a < entities; ++a) {
    for (std::uint32_t b = 0; b < entities; ++b) {
      if (random() % 100 != 0) continue;
      model.facts[0].constants.insert(model.facts[0].constants.end(), {a, b});
      model.facts[0].values.push_back(1);
    }
  }
  add_rule(model, {{0, 0, 1}, {1, 1, 2}}, {1, 0, 2});
  return model;
}

// Ri(a,b) and Ri+1(b,c) imply Ri+2(a,c), around a ring.
inline MarkovModel ring(std::size_t entities, std::uint32_t formulas) {
  const std::uint32_t predicates = formulas + 2;
  MarkovModel model = empty_model(entities, predicates);
  for (std::uint32_t i = 0; i < formulas; ++i) {
    add_rule(model, {{i, 0, 1}, {i + 1, 1, 2}}, {i + 2, 0, 2});
  }
  return model;
}

}  // namespace sorites
