// What mean-field inference takes: a program and its data as numbers. Formulas are clauses, atoms
// have numbers among those of their predicate, constants are places in lists of codes. Texts stay
// in the Program and the Database (names of predicates and classes are there for plans).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sorites/database.h"
#include "sorites/diagnostic.h"
#include "sorites/meanfield.h"
#include "sorites/program.h"

namespace sorites {

// Constants that variables and arguments run over: those of a domain of the program, or fewer.
struct MeanFieldDomain {
  DomainId domain = 0;
  std::vector<Code> codes = {};  // ascending; a constant is its place in this list

  std::uint32_t size() const { return static_cast<std::uint32_t>(codes.size()); }
  std::optional<std::uint32_t> find(Code code) const;
};

// An atom has one value. Without classes it is false (0) or true (1); with classes it is the number
// of one of them.
struct MeanFieldPredicate {
  std::string name;
  std::vector<std::uint32_t> arguments;       // domains of the model, without that of the class
  std::vector<std::string> class_names = {};  // empty, or at least two
  // All atoms are known: those that no fact mentions are false. Never with classes. Otherwise what
  // no fact mentions is unknown ...
  bool closed = false;
  bool listed = false;  // ... if it is a target; the others are false. Never with classes.
  std::vector<Code> classes = {};  // per class; ascending

  std::uint32_t num_classes() const { return static_cast<std::uint32_t>(class_names.size()); }
  std::uint32_t num_values() const { return class_names.empty() ? 2 : num_classes(); }
};

// A variable of the formula, or a constant in its place.
struct MeanFieldTerm {
  bool is_constant = false;
  std::uint32_t index = 0;

  bool operator==(const MeanFieldTerm&) const = default;
};

// The atom has one of these values.
struct MeanFieldLiteral {
  std::uint32_t predicate = 0;
  std::vector<MeanFieldTerm> terms;
  std::vector<std::uint32_t> values;  // ascending, neither none nor all; {1} or {0} without classes

  bool operator==(const MeanFieldLiteral&) const = default;
};

// At least one of the literals holds.
using MeanFieldClause = std::vector<MeanFieldLiteral>;

// A weight of the program that is part of a weight of a formula.
struct WeightUse {
  std::size_t slot = 0;      // among the weights of the whole program
  std::uint32_t weight = 0;  // among those of the formula
};

// For all variables: all clauses hold. Its weight counts for every grounding that holds. No two
// clauses can be violated at once, and each variable stands in some clause.
struct MeanFieldFormula {
  std::string text = {};  // of the rule; where it is the part of a rule with some classes, so named
  Span place = {};
  std::uint32_t rule = 0;  // index in Program::rules; a rule may be several formulas, or none
  RuleId id = 0;
  bool hard = false;                          // must hold
  std::vector<std::uint32_t> variables = {};  // domains of the model
  // Variables written `+v`: one weight per combination of their constants, row by row (the last one
  // runs fastest). Without any there is one weight; of a hard formula none is used.
  std::vector<std::uint32_t> weighted = {};
  std::vector<double> weights = {};
  // weights[use.weight] is the sum of factor * the program's weight of use.slot over the uses.
  std::vector<WeightUse> uses = {};
  double factor = 1.0;
  std::vector<MeanFieldClause> clauses = {};
};

// Where the weights of a rule stand among those of the program.
struct MeanFieldRule {
  std::size_t first_weight = 0;
  std::size_t num_weights = 1;  // one, which is not used, of a hard rule
  bool hard = false;
  bool plus = false;  // one weight per combination of the constants of `+v` variables
};

struct MeanFieldAtom {
  std::uint32_t predicate = 0;
  std::size_t atom = 0;     // its number among the predicate's, row by row
  std::uint32_t value = 1;  // with classes: of which class
};

// What is inferred and from which networks.
struct MeanFieldTask {
  // The state: the probability that each of these atoms has this value.
  std::vector<MeanFieldAtom> targets;
  std::vector<double> labels;  // per target; kLatent if it has none
  // Network outputs, as probabilities: their logarithm (of odds, without classes) is the unary
  // potential.
  std::vector<MeanFieldAtom> outputs;
};

struct MeanFieldModel {
  std::vector<MeanFieldDomain> domains;
  std::vector<MeanFieldPredicate> predicates;  // first those of the program, then comparisons
  std::vector<MeanFieldFormula> formulas;
  std::vector<std::vector<KnownAtom>> facts;  // per predicate; ascending, each atom once
  // Unary potentials, per predicate: none if it is empty, else one number per atom (log-odds of
  // true), or with classes one per atom and class; atoms row by row.
  std::vector<std::vector<float>> unaries;
  MeanFieldTask task;
  std::vector<MeanFieldRule> rules;  // of the program
  std::vector<double> weights;       // of the program, rule by rule
};

// Domains, predicates, what is known, and the targets; no formulas and no potentials.
MeanFieldModel without_formulas(const MeanFieldModel& model);

// Atoms of a predicate are numbered row by row: the last argument runs fastest.
std::uint64_t atom_number(const MeanFieldModel& model,
                          std::uint32_t predicate,
                          std::span<const std::uint32_t> constants);
std::vector<std::uint32_t> atom_constants(const MeanFieldModel& model,
                                          std::uint32_t predicate,
                                          std::uint64_t number);
std::uint64_t num_atoms(const MeanFieldModel& model, std::uint32_t predicate);

// Facts of an open predicate and, if its targets are listed, all others that are no targets.
std::vector<KnownAtom> known_atoms(const MeanFieldModel& model, std::uint32_t predicate);

// Adds a formula that is a rule of its own, with its weights.
void add_formula(MeanFieldModel& model, MeanFieldFormula formula);

// Gives formulas the weights of the program.
void set_weights(MeanFieldModel& model, std::span<const double> weights);

// The weights of one formula by those of the program, and back: adds slopes in the formula's
// weights to those in the program's.
std::vector<double> formula_weights(const MeanFieldFormula& formula,
                                    std::span<const double> weights);
void add_weight_slopes(const MeanFieldFormula& formula,
                       std::span<const double> slopes,
                       std::span<double> sums);

// Those of the model itself: its unary potentials, 0 where it has none.
template <class Real>
AtomValues<Real> unaries_of(const MeanFieldModel& model);

// As that of a program, in any precision.
MeanFieldPlan plan_mean_field(const MeanFieldModel& model,
                              const MeanFieldOptions& options,
                              std::size_t bytes_per_number);

}  // namespace sorites
