// Markov logic: weighted first-order formulas over typed predicates, the constants of each type, facts,
// and the atoms that are asked for. This is the checked form that readers make and inference takes:
//
//   const MarkovModel model = read_markov_folder("kinship/S1");   // throws InputError
//   const MeanField layer(model, {.threads = 2});                 // sorites/meanfield.h
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sorites/diagnostic.h"

namespace sorites {

struct MarkovType {
  std::string name;
  std::vector<std::string> constants;  // all there are: a domain is closed, and lists each once
};

// An atom has one value. Without classes it is false (0) or true (1); with classes it is the number
// of one of them.
struct MarkovPredicate {
  std::string name;
  std::vector<std::uint32_t> arguments;  // types
  std::vector<std::string> classes;      // empty, or at least two
  // All atoms are known: those that no fact mentions are false. Never with classes. Otherwise the
  // world is open: what no fact mentions is unknown.
  bool closed = false;

  std::uint32_t num_values() const {
    return classes.empty() ? 2 : static_cast<std::uint32_t>(classes.size());
  }
};

// A variable of the formula, or a constant of the type that stands in its place.
struct MarkovTerm {
  bool is_constant = false;
  std::uint32_t index = 0;

  bool operator==(const MarkovTerm&) const = default;
};

// The atom has one of these values.
struct MarkovLiteral {
  std::uint32_t predicate = 0;
  std::vector<MarkovTerm> terms;
  std::vector<std::uint32_t> values;  // ascending, neither none nor all; {1} or {0} without classes

  bool operator==(const MarkovLiteral&) const = default;
};

// At least one of the literals holds.
using MarkovClause = std::vector<MarkovLiteral>;

struct MarkovVariable {
  std::string name;
  std::uint32_t type = 0;
};

// For all variables: all clauses hold. Its weight counts for every grounding that holds.
struct MarkovFormula {
  std::string text;  // as it was written, without the weight
  Span place;
  bool hard = false;  // must hold
  std::vector<MarkovVariable> variables;
  // Variables written `+v`: one weight per combination of their constants, row by row (the last one
  // runs fastest). Without any there is one weight; of a hard formula none is used.
  std::vector<std::uint32_t> weighted;
  std::vector<double> weights;
  std::vector<MarkovClause> clauses;
};

// The truth of a query that nobody knows.
inline constexpr std::uint32_t kUnknownValue = 0xffffffff;

// Atoms of one predicate with their values.
struct MarkovAtoms {
  std::vector<std::uint32_t> constants;  // atom by atom, one per argument
  std::vector<std::uint32_t> values;     // one per atom

  std::size_t size() const { return values.size(); }
};

struct MarkovModel {
  std::vector<MarkovType> types;
  std::vector<MarkovPredicate> predicates;
  std::vector<MarkovFormula> formulas;
  std::vector<MarkovAtoms> facts;    // per predicate; each atom once
  std::vector<MarkovAtoms> queries;  // per predicate; values are the truth
};

}  // namespace sorites
