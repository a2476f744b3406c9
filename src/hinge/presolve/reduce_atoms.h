// Presolve, first part: what hard ground rules say about single atoms and pairs.
//
//   a y_i - a y_j = 0      the two are one variable
//   a y_i + b = 0          the atom is fixed; so are others of equalities that have one atom left
//   a y_i + b <= 0         a bound
//
// Terms with network outputs are left alone, since their offsets change.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

inline constexpr std::uint32_t kFixedAtom = ~std::uint32_t{0};

// The equality by which an atom joined the variable of another.
struct Alias {
  TermId term;
  AtomId atoms[2];
  double coefficient;  // of atoms[0]; that of atoms[1] is its negative
};

// The equality that fixed an atom (and all that are equal to it).
struct Fix {
  TermId term;
  AtomId atom;
  double coefficient;
};

// The term that gives a variable a bound other than 0 or 1.
struct BoundTerm {
  TermId term;
  std::uint32_t variable;
  double coefficient;  // negative for a lower bound
};

struct AtomMap {
  std::vector<std::uint32_t> variable;  // per atom; kFixedAtom if its value is known
  std::vector<double> fixed_value;      // per atom; empty if none is fixed
  std::vector<double> lower, upper;     // per variable
  std::size_t num_variables = 0;
  std::size_t num_aliased = 0, num_fixed = 0;
  std::vector<Alias> aliases;  // a spanning tree of every variable's atoms
  std::vector<Fix> fixes;      // in the order in which they were found
  std::vector<BoundTerm> bounds;
  std::vector<bool> used;   // per block: its terms are all in this map, or say nothing more
  bool infeasible = false;  // hard terms contradict each other

  bool is_identity() const { return num_aliased == 0 && num_fixed == 0; }
};

AtomMap reduce_atoms(const Model& model);

// What is left of a term: variables in ascending order, without those that are fixed.
struct ReducedTerm {
  std::vector<std::uint32_t> variables;
  std::vector<double> coefficients;  // none is 0
  double offset = 0.0;
};
void reduce_term(const TermBlock& block,
                 std::size_t term,
                 double offset,
                 const AtomMap& map,
                 ReducedTerm& reduced);

}  // namespace sorites
