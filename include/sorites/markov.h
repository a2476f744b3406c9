// Markov logic: weighted first-order formulas over typed predicates, the constants of each type,
// facts, and the atoms that are asked for. This is the checked form that readers make and inference
// takes:
//
//   const MarkovModel model = read_markov("kinship/S1");  // throws InputError
//   MeanField layer(model, {.threads = 2});               // sorites/meanfield.h
//
// docs/markov-logic.md describes the files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sorites/diagnostic.h"

namespace sorites {

// The value of an atom that is asked for, if nothing says what it is.
inline constexpr std::uint32_t kUnknownValue = 0xFFFFFFFF;

struct MarkovType {
  std::string name;
  std::vector<std::string> constants;  // all there are: a domain is closed, and lists each once

  bool operator==(const MarkovType&) const = default;
};

// An atom has one value. Without classes it is false (0) or true (1); with classes it is the number
// of one of them.
struct MarkovPredicate {
  std::string
      name;  // "=" of the equality of a type's constants, which is closed and made by readers
  std::vector<std::uint32_t> arguments;  // types
  std::vector<std::string> classes;      // empty, or at least two
  // All atoms are known: those that no fact mentions are false. Never with classes. Otherwise the
  // world is open: what no fact mentions is unknown.
  bool closed = false;

  std::uint32_t num_values() const {
    return classes.empty() ? 2 : static_cast<std::uint32_t>(classes.size());
  }
  bool operator==(const MarkovPredicate&) const = default;
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

  bool operator==(const MarkovVariable&) const = default;
};

// For all variables: all clauses hold. Its weight counts for every grounding that holds. No two
// clauses can be violated at once, and each variable stands in some clause; readers see to both.
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

// Atoms of one predicate with their values.
struct MarkovAtoms {
  std::vector<std::uint32_t> constants;  // atom by atom, one per argument
  std::vector<std::uint32_t> values;     // one per atom

  std::size_t size() const { return values.size(); }
  bool operator==(const MarkovAtoms&) const = default;
};

struct MarkovModel {
  std::vector<MarkovType> types;
  std::vector<MarkovPredicate> predicates;
  std::vector<MarkovFormula> formulas;
  std::vector<MarkovAtoms> facts;    // per predicate; each atom once
  std::vector<MarkovAtoms> queries;  // per predicate; values are the truth, or kUnknownValue
  // Unary potentials, per predicate: none if it is empty, else one number per atom (log-odds of
  // true), or with classes one per atom and class; atoms row by row. May be shorter than
  // predicates.
  std::vector<std::vector<float>> unaries;
};

// Whether it is a folder with the files `predicates`, `facts` and `rules`; `queries` and `unaries`
// may be missing.
bool is_markov_folder(const std::string& path);

// Reads such a folder, or an .mln file and, if `data_path` is given, its .db file. Throws
// InputError, or IoError if a file cannot be read. Warnings are appended to `warnings`.
MarkovModel read_markov(const std::string& path,
                        const std::string& data_path = {},
                        std::vector<Diagnostic>* warnings = nullptr);

// The formula as one line that reads as the same formula: weight, clauses, or a period at the end.
std::string to_text(const MarkovModel& model, const MarkovFormula& formula);

// Atoms of a predicate are numbered row by row: the last argument runs fastest.
std::string atom_text(const MarkovModel& model, std::uint32_t predicate, std::uint64_t atom);

// Writes files that read_markov() reads as the same model: an .mln with a .db beside it if the path
// ends in .mln, else a folder, which is made if there is none. Throws IoError.
void write_markov(const MarkovModel& model, const std::string& path);

}  // namespace sorites
