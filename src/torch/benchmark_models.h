// For benchmarks: models over one type of entity, whose predicates have two arguments, at any size.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

inline constexpr double kWeight = 0.01;  // of every rule

struct BinaryAtom {
  std::uint32_t predicate;
  std::uint32_t first, second;  // variables
};

inline MeanFieldModel empty_model(std::size_t entities, std::size_t predicates) {
  MeanFieldModel model;
  model.domains = {{}};
  for (std::size_t i = 0; i < entities; ++i) {
    model.domains[0].codes.push_back(static_cast<Code>(i));
  }
  for (std::size_t p = 0; p < predicates; ++p) {
    model.predicates.push_back({.name = fmt::format("R{}", p), .arguments = {0, 0}});
  }
  model.facts.resize(predicates);
  return model;
}

inline void add_rule(MeanFieldModel& model,
                     const std::vector<BinaryAtom>& body,
                     const BinaryAtom& head) {
  MeanFieldFormula formula;
  formula.weights = {kWeight};
  MeanFieldClause clause;
  std::uint32_t num_variables = 0;
  const auto add = [&](const BinaryAtom& atom, std::uint32_t value) {
    num_variables = std::max({num_variables, atom.first + 1, atom.second + 1});
    clause.push_back({atom.predicate, {{false, atom.first}, {false, atom.second}}, {value}});
  };
  for (const BinaryAtom& atom : body) add(atom, 0);
  add(head, 1);
  formula.variables.assign(num_variables, 0);
  formula.clauses = {clause};
  add_formula(model, formula);
}

inline MeanFieldModel transitivity(std::size_t entities) {
  MeanFieldModel model = empty_model(entities, 1);
  add_rule(model, {{0, 0, 1}, {0, 1, 2}}, {0, 0, 2});
  return model;
}

// R0(a,b) and R1(c,d) and R2(b,c) imply R3(a,d): read from left to right, all pairs of pairs.
inline MeanFieldModel path(std::size_t entities) {
  MeanFieldModel model = empty_model(entities, 4);
  add_rule(model, {{0, 0, 1}, {1, 2, 3}, {2, 1, 2}}, {3, 0, 3});
  return model;
}

// R0(a,b) and R1(b,c) imply R1(a,c), where R0 is known and one in a hundred is true.
inline MeanFieldModel friendship(std::size_t entities) {
  MeanFieldModel model = empty_model(entities, 2);
  model.predicates[0].closed = true;
  std::mt19937 random(1);
  for (std::uint32_t a = 0; a < entities; ++a) {
    for (std::uint32_t b = 0; b < entities; ++b) {
      if (random() % 100 != 0) continue;
      model.facts[0].push_back({a * entities + b, 1});
    }
  }
  add_rule(model, {{0, 0, 1}, {1, 1, 2}}, {1, 0, 2});
  return model;
}

// Ri(a,b) and Ri+1(b,c) imply Ri+2(a,c), around a ring.
inline MeanFieldModel ring(std::size_t entities, std::uint32_t formulas) {
  const std::uint32_t predicates = formulas + 2;
  MeanFieldModel model = empty_model(entities, predicates);
  for (std::uint32_t i = 0; i < formulas; ++i) {
    add_rule(model, {{i, 0, 1}, {i + 1, 1, 2}}, {i + 2, 0, 2});
  }
  return model;
}

}  // namespace sorites
